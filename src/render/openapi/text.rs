//! OpenAPI documents for people.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::{counted, enumerate, hang, indented, paragraph};
use super::super::sanitise::sanitise;
use super::super::table::{Table, Tone};
use super::OpenApiAnswer;
use crate::model::Severity;
use crate::openapi::{Code, Definition, Finding, Form, Item, State, uses};

/// How many names are listed.
const MOST: usize = 5;

pub(super) fn text(answer: &OpenApiAnswer<'_>, page: Page) -> String {
    let whole = answer.all || page.wide || page.fit.is_none() || answer.named;
    let (shown, plain): (Vec<_>, Vec<_>) =
        answer.items.iter().partition(|item| whole || !is_plain(item));
    let mut headers = vec!["GROUP VERSION"];
    headers.extend(answer.forms.v2.then_some("V2"));
    headers.extend(answer.forms.v3.then_some("V3"));
    headers.push("NOTES");
    let mut table = Table::new(&headers, page);
    for item in &shown {
        table.toned(row(answer, item));
    }
    let mut text = if shown.is_empty() { String::new() } else { table.render() };
    if !plain.is_empty() {
        let built_in = counted(plain.len(), "built-in group version");
        let gap = if shown.is_empty() { "" } else { "\n" };
        let _ =
            writeln!(text, "{gap}and {built_in}, published by the API server; --all lists them");
    }
    if answer.named {
        for item in answer.items {
            details(&mut text, answer, item, page);
        }
    }
    let least = if page.verbose || answer.named { Severity::Info } else { Severity::Warning };
    let (told, quiet): (Vec<_>, Vec<_>) =
        answer.findings.iter().partition(|found| found.code.severity() >= least);
    for found in together(&told, if page.verbose { usize::MAX } else { MOST }) {
        text.push('\n');
        finding(&mut text, &found, page);
    }
    if !quiet.is_empty() {
        let notes = counted(quiet.len(), "note");
        let _ = writeln!(text, "\nand {notes}; -v shows them");
    }
    text
}

/// Whether there is nothing to see.
fn is_plain(item: &Item) -> bool {
    let local = item.v3.from.iter().chain(&item.v2.from).all(|from| from != "CRDs");
    !item.remote && local && item.codes.is_empty() && item.v2.state != State::Nothing
}

fn row(answer: &OpenApiAnswer<'_>, item: &Item) -> Vec<(String, Tone)> {
    let mut cells = vec![(item.group_version.to_string(), Tone::Plain)];
    if answer.forms.v2 {
        cells.push((v2(item), Tone::Plain));
    }
    if answer.forms.v3 {
        cells.push((v3(item), Tone::Plain));
    }
    let mut notes: Vec<&Code> =
        item.codes.iter().filter(|code| code.severity() > Severity::Info).collect();
    notes.dedup();
    let tone = match notes.iter().map(|code| code.severity()).max() {
        Some(Severity::Error) => Tone::Bad,
        _ => Tone::Odd,
    };
    let notes: Vec<&str> = notes.into_iter().map(|code| code.as_str()).collect();
    cells.push((notes.join(" "), tone));
    cells
}

fn v2(item: &Item) -> String {
    let v2 = &item.v2;
    let from = v2.from.clone().unwrap_or_else(|| v2.state.as_str().to_owned());
    match v2.renamed.len() {
        0 => from,
        count => format!("{from}, {count} renamed"),
    }
}

fn v3(item: &Item) -> String {
    match item.v3.form {
        Some(Form::None) => "nothing".to_owned(),
        Some(Form::Converted) if item.v3.from.len() == 1 => "converted from v2".to_owned(),
        _ if item.v3.from.is_empty() => "unknown".to_owned(),
        _ => item.v3.from.join(" or "),
    }
}

/// The beginning of a hash, which is enough to tell two apart.
fn shortened(hash: &str, page: Page) -> String {
    match hash.char_indices().nth(12).filter(|_| !page.wide && !page.verbose) {
        Some((end, _)) => format!("{}…", hash.get(..end).unwrap_or_default()),
        None => hash.to_owned(),
    }
}

fn details(text: &mut String, answer: &OpenApiAnswer<'_>, item: &Item, page: Page) {
    let Page { paint, width, .. } = page;
    let gv = item.group_version.to_string();
    let _ = write!(text, "\n{}", paint.strong(sanitise(&gv)));
    if let Some(name) = &item.api_service {
        let _ = write!(text, "  APIService {}", sanitise(name));
    }
    text.push('\n');
    let mut line = |label: &str, value: &str| {
        text.push_str(&paragraph(&format!("  {label:<6}"), "        ", value, width));
    };
    if answer.forms.v2 {
        let place =
            answer.order.iter().position(|(name, _)| Some(name) == item.api_service.as_ref());
        let paths = item.v2.paths.map(|paths| format!(", {}", counted(paths, "path")));
        let place = place.map(|at| format!(", part {} of {}", at + 1, answer.order.len()));
        let from = item.v2.from.as_deref().map(|from| format!(" from {from}")).unwrap_or_default();
        let state = match item.v2.state {
            State::Unknown => "what is merged is not known,",
            state => state.as_str(),
        };
        line(
            "v2",
            &format!(
                "/openapi/v2: {state}{from}{}{}",
                paths.unwrap_or_default(),
                place.unwrap_or_default()
            ),
        );
        for (name, to, owner) in item.v2.renamed.iter().take(MOST) {
            line("", &format!("{name} is renamed to {to}: {owner} has another one"));
        }
        if let Some(more) = item.v2.renamed.len().checked_sub(MOST).filter(|more| *more > 0) {
            line("", &format!("and {more} more are renamed"));
        }
    }
    if answer.forms.v3 {
        let status = item.v3.status.map(|status| format!(", status {status}"));
        let form = item.v3.form.map_or("not known whose", |form| match form {
            Form::Own => "its own",
            Form::Converted => "converted from v2",
            Form::None => "not in the index",
        });
        let path = format!("/openapi/v3{}", item.group_version.root_path());
        line("v3", &format!("{path}: {form}{}", status.unwrap_or_default()));
        let hash = item.v3.address.as_ref().and_then(|url| url.split_once("?hash="));
        let etag = item.v3.etag.as_deref();
        let shown = |name: &str, value: &str| format!("{name} {}", shortened(value, page));
        let hash = hash.map(|(_, hash)| shown("hash", hash));
        let marks: Vec<String> = hash.into_iter().chain(etag.map(|t| shown("ETag", t))).collect();
        if !marks.is_empty() {
            line("", &marks.join(", "));
        }
    }
    for one in uses(item) {
        let label = format!("  {:<28}", one.command);
        text.push_str(&paragraph(&label, &" ".repeat(30), &one.reads.to_string(), width));
    }
}

/// Findings, with those that say the same of several in one, which names some: the notes of the
/// table name all.
fn together(all: &[&Finding], most: usize) -> Vec<Finding> {
    let mut told: Vec<(Finding, Vec<String>)> = vec![];
    for found in all {
        let who = found.facts.iter().find(|(name, _)| *name == "who").map(|(_, who)| who.clone());
        let many = matches!(found.code, Code::V2Missing | Code::V3Missing);
        match told.iter_mut().find(|(one, _)| many && one.code == found.code) {
            Some((_, names)) => names.extend(who),
            None => told.push(((*found).clone(), who.into_iter().collect())),
        }
    }
    let merged = |(mut found, names): (Finding, Vec<String>)| {
        let mut who = names.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
        if names.len() > most {
            who.push_str(&format!(" and {} more", names.len() - most));
        }
        found
            .facts
            .iter_mut()
            .filter(|(name, _)| *name == "who")
            .for_each(|fact| fact.1 = who.clone());
        found
    };
    told.into_iter().map(merged).collect()
}

fn finding(text: &mut String, found: &Finding, page: Page) {
    let Page { paint, width, .. } = page;
    let (word, code) = (found.code.severity().as_str(), found.code.as_str());
    let label = match found.code.severity() {
        Severity::Error => paint.bad(format!("{word}[{code}]:")),
        Severity::Warning => paint.odd(format!("{word}[{code}]:")),
        Severity::Info => paint.faint(format!("{word}[{code}]:")),
    };
    text.push_str(&paragraph(&format!("{label} "), "    ", &found.message(), width));
    if let Some(hint) = found.hint() {
        text.push_str(&hang(&paint.away("hint:").to_string(), &hint, width));
    }
}

/// One definition, in sentences.
pub(super) fn definition(one: &Definition, page: Page) -> String {
    let Page { paint, width, .. } = page;
    let mut text = format!("{}\n", paint.strong(sanitise(&one.name)));
    text.push_str(&indented(2, &format!("it is {}'s", one.owner), width));
    if let (Some(original), Some(met)) = (&one.original, &one.met) {
        let sentence = format!(
            "published as {original}, a name under which {met} has another definition: hence the number"
        );
        text.push_str(&indented(2, &sentence, width));
    }
    for (services, what) in [
        (&one.reused_by, "publishes the same, under the same name"),
        (&one.borrowed_by, "shares it, though its own refers to other types"),
        (&one.kinds_from, "added kinds to it, which stay until the API server restarts"),
    ] {
        if !services.is_empty() {
            text.push_str(&indented(2, &format!("{} {what}", enumerate(services, MOST)), width));
        }
    }
    text
}
