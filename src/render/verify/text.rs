//! The text of `verify`.

use std::collections::BTreeMap;

use super::VerificationAnswer;
use crate::render::{Answer, TextBuilder, TextOptions, counted, sanitize};
use aggctl_diagnose::doctor::quoted;
use aggctl_verify::{Evidence, Expected, Form, Incomparable, Observed, Prediction};

/// How many differences are shown without -v.
const MAX_SHOWN: usize = 10;

pub(super) fn text(answer: &VerificationAnswer<'_>, options: TextOptions) -> String {
    let one = answer.verification;
    if options.wide {
        return answer.table(options).map(|table| table.text()).unwrap_or_default();
    }
    let paint = options.paint;
    let mut sheet = TextBuilder::new(options);
    let (agree, differing) = (one.agreeing(), one.differing());
    let mut summary = format!("{agree} of {} compared answers agree", one.compared());
    match one.documents.len() {
        0 => {}
        1 => summary.push_str("; 1 entry of /apis differs"),
        count => summary.push_str(&format!("; {count} entries of /apis differ")),
    }
    sheet.line(if one.differs() { paint.bad(summary) } else { paint.good(summary) });
    let mut reasons: BTreeMap<Incomparable, usize> = BTreeMap::new();
    for why in one.judged.iter().filter_map(|one| one.incomparable) {
        *reasons.entry(why).or_default() += 1;
    }
    let (asked, all) = one.coverage;
    let requests = counted(one.judged.len(), "request");
    let about = format!("{requests} about {asked} of {all} group versions, seed {}", one.seed);
    sheet.hang("  sent:", about);
    if one.repeated > 0 {
        let again = format!("{}, because the answer differed", counted(one.repeated, "request"));
        sheet.hang("  sent again:", again);
    }
    for (why, count) in reasons {
        sheet.hang(format!("  not comparable: {count}"), reason(why));
    }
    let most = if options.verbose { usize::MAX } else { MAX_SHOWN };
    for judged in differing.iter().take(most) {
        sheet.gap();
        let form = match judged.probe.form {
            Form::Plain => "",
            Form::Aggregated => "  (aggregated discovery)",
        };
        let path = sanitize(&judged.probe.path);
        sheet.line(format_args!("{}  GET {path}{form}", paint.bad("differs")));
        sheet.hang("  predicted:", predicted(&judged.prediction));
        sheet.hang("  observed: ", observed(&judged.observed));
        let route = format!("aggctl route {}", quoted(&judged.probe.path));
        sheet.command(format_args!("  {}", paint.faint("$")), &answer.same.complete(&route));
    }
    for (form, difference) in one.documents.iter().take(most) {
        sheet.gap();
        let subject = match difference.subject.as_str() {
            "" => "the order of groups",
            subject => subject,
        };
        let subject = sanitize(subject);
        sheet.line(format_args!("{}  /apis ({form}): {subject}", paint.bad("differs")));
        sheet.hang("  predicted:", &difference.merged);
        sheet.hang("  observed: ", &difference.served);
    }
    let hidden = differing.len().saturating_sub(most) + one.documents.len().saturating_sub(most);
    if hidden > 0 {
        sheet.gap();
        sheet.line(format_args!("{} more; -v shows them", counted(hidden, "difference")));
    }
    sheet.into_text()
}

fn reason(why: Incomparable) -> &'static str {
    match why {
        Incomparable::Forbidden => "forbidden (403): authorization precedes routing",
        Incomparable::Unauthorized => "the server does not accept the credentials (401)",
        Incomparable::Unknown => "the answer does not follow from the data that was read",
        Incomparable::Backend => "a backend answered; only it knows its paths",
        Incomparable::Busy => "the server asked for fewer requests (429)",
        Incomparable::NoAnswer => "the server did not answer",
        Incomparable::OutOfTime => "not sent: the timeout was reached",
    }
}

/// Describes a prediction in a few words.
pub(super) fn predicted(prediction: &Prediction) -> String {
    let status = prediction.expected.status().map(|status| format!("{status}, "));
    let server = prediction.server.map_or("", |server| server.as_str());
    let by = match &prediction.expected {
        Expected::NoHandler | Expected::Unknown | Expected::Unparsed => String::new(),
        Expected::Backend => match &prediction.api_service {
            Some(name) => format!(" of APIService {}", sanitize(name)),
            None => String::new(),
        },
        _ => format!(" ({server})"),
    };
    let shows = match &prediction.expected {
        Expected::Document("") => "a document",
        Expected::Document(kind) => kind,
        Expected::NoHandler => "no server has a handler",
        Expected::NoDocument => "no such OpenAPI document",
        Expected::NoRoute => "no such route",
        Expected::NoObject(_) => "no such object",
        Expected::BadRequest => "invalid name",
        Expected::WrongMethod => "method not allowed",
        Expected::Redirect => "redirect",
        Expected::Refused => "service unavailable",
        Expected::NoTransport => "no connection can be built",
        Expected::Unparsed => "the path cannot be parsed",
        Expected::Backend => "the answer of the backend",
        Expected::Unknown => "unknown",
    };
    format!("{}{shows}{by}", status.unwrap_or_default())
}

/// Describes an observation in a few words.
pub(super) fn observed(observed: &Observed) -> String {
    let (status, evidence) = match observed {
        Observed::Answer { status, evidence } => (status, evidence),
        Observed::Nothing(why) => return reason(*why).to_owned(),
    };
    let shows = match evidence {
        Evidence::Document(kind) if kind.is_empty() => "a document",
        Evidence::Document(kind) => return format!("{status}, {}", sanitize(kind)),
        Evidence::Success => "an answer that was not read",
        Evidence::NoHandler => "no server has a handler",
        Evidence::Silence => "an empty answer",
        Evidence::NoRoute => "no such route",
        Evidence::NoObject(_) => "no such object",
        Evidence::BadRequest => "invalid request",
        Evidence::WrongMethod => "method not allowed",
        Evidence::Redirect => "redirect",
        Evidence::Refused => "service unavailable",
        Evidence::Unreachable => "the aggregator cannot reach the Service",
        Evidence::NoTransport => "no connection can be built",
        Evidence::Unparsed => "the path cannot be parsed",
        Evidence::Unauthorized => "unauthorized",
        Evidence::Forbidden => "forbidden",
        Evidence::Busy => "too many requests",
        Evidence::Other => "another answer",
    };
    format!("{status}, {shows}")
}
