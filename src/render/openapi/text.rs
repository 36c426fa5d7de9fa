//! The text of `openapi`.

use super::answer::{Forms, OpenApiAnswer};
use crate::render::table::Grid;
use crate::render::{Table, TextBuilder, TextOptions, Tone, counted, enumerate, joined, sanitize};
use aggctl_openapi::{Code, Definition, Form, Item, OpenApiFinding, State, uses};
use kube_aggregation::model::Severity;

/// How many names a finding lists.
const MAX_NAMES: usize = 5;

pub(super) fn text(answer: &OpenApiAnswer<'_, '_>, page: TextOptions) -> String {
    let whole = answer.all || page.wide || page.fit.is_none() || answer.named;
    let (shown, plain): (Vec<_>, Vec<_>) =
        answer.review.items.iter().partition(|item| whole || !is_plain(item));
    let mut sheet = TextBuilder::new(page);
    if !shown.is_empty() {
        sheet.push(&table(&shown, answer.forms, page).text());
    }
    if !plain.is_empty() {
        if !shown.is_empty() {
            sheet.gap();
        }
        let built_in = counted(plain.len(), "built-in group version");
        sheet.line(format_args!("{built_in} published by the API server hidden (use --all)."));
    }
    if answer.named {
        for item in &answer.review.items {
            details(&mut sheet, answer, item);
        }
    }
    let least = if page.verbose || answer.named { Severity::Info } else { Severity::Warning };
    let (told, quiet): (Vec<_>, Vec<_>) =
        answer.review.findings.iter().partition(|found| found.code.severity() >= least);
    for found in together(&told, if page.verbose { usize::MAX } else { MAX_NAMES }) {
        sheet.gap();
        finding(&mut sheet, &found);
    }
    if !quiet.is_empty() {
        sheet.line(format_args!("\n{} hidden (use -v).", counted(quiet.len(), "note")));
    }
    sheet.into_text()
}

/// Returns the group versions, one per row.
pub(super) fn table(items: &[&Item], forms: Forms, options: TextOptions) -> Grid {
    Table::new(items, options)
        .column("GROUP VERSION", |item| item.group_version.to_string())
        .column_if(forms.v2, "V2", |item| v2(item))
        .column_if(forms.v3, "V3", |item| v3(item))
        .toned("ISSUES", |item| notes(item))
        .shortened()
        .grid()
}

/// Returns whether a group version is built in and healthy.
fn is_plain(item: &Item) -> bool {
    let local = item.v3.from.iter().chain(&item.v2.from).all(|from| from != "CRDs");
    !item.remote && local && item.codes.is_empty() && item.v2.state != State::Nothing
}

/// Returns the issues of its documents, in the tone of the worst.
fn notes(item: &Item) -> (String, Tone) {
    let mut notes: Vec<&Code> =
        item.codes.iter().filter(|code| code.severity() > Severity::Info).collect();
    notes.dedup();
    let tone = match notes.iter().map(|code| code.severity()).max() {
        Some(Severity::Error) => Tone::Bad,
        _ => Tone::Odd,
    };
    (joined(notes.iter().map(|code| code.as_str()), " "), tone)
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

/// Shortens a hash. Its start is enough to distinguish two.
fn shortened(hash: &str, page: TextOptions) -> String {
    match hash.char_indices().nth(12).filter(|_| !page.wide && !page.verbose) {
        Some((end, _)) => format!("{}…", hash.get(..end).unwrap_or_default()),
        None => hash.to_owned(),
    }
}

fn details(sheet: &mut TextBuilder, answer: &OpenApiAnswer<'_, '_>, item: &Item) {
    let page = sheet.page;
    let gv = item.group_version.to_string();
    let name = item.api_service.as_ref().map(|name| format!("  APIService {}", sanitize(name)));
    let gv = page.paint.strong(sanitize(&gv));
    sheet.line(format_args!("\n{gv}{}", name.unwrap_or_default()));
    let mut line = |label: &str, value: String| {
        sheet.paragraph(format_args!("  {label:<6}"), "        ", value);
    };
    if answer.forms.v2 {
        let place = answer
            .review
            .order
            .iter()
            .position(|(name, _)| Some(name) == item.api_service.as_ref());
        let paths = item.v2.paths.map(|paths| format!(", {}", counted(paths, "path")));
        let place = place.map(|at| format!(", part {} of {}", at + 1, answer.review.order.len()));
        let from = item.v2.from.as_deref().map(|from| format!(" from {from}"));
        let state = match item.v2.state {
            State::Unknown => "what is merged is unknown",
            state => state.as_str(),
        };
        let facts = joined([from, paths, place].into_iter().flatten(), "");
        line("v2", format!("/openapi/v2: {state}{facts}"));
        for (name, to, owner) in item.v2.renamed.iter().take(MAX_NAMES) {
            line(
                "",
                format!(
                    "{name} is renamed to {to}, because {owner} has a different definition of that name"
                ),
            );
        }
        if let Some(more) = item.v2.renamed.len().checked_sub(MAX_NAMES).filter(|more| *more > 0) {
            line("", format!("{more} more are renamed"));
        }
    }
    if answer.forms.v3 {
        let status = item.v3.status.map(|status| format!(", status {status}"));
        let form = item.v3.form.map_or("unknown", |form| match form {
            Form::Own => "its own",
            Form::Converted => "converted from v2",
            Form::None => "not in the index",
        });
        let path = format!("/openapi/v3{}", item.group_version.root_path());
        line("v3", format!("{path}: {form}{}", status.unwrap_or_default()));
        let hash = item.v3.address.as_ref().and_then(|url| url.split_once("?hash="));
        let etag = item.v3.etag.as_deref();
        let shown = |name: &str, value: &str| format!("{name} {}", shortened(value, page));
        let hash = hash.map(|(_, hash)| shown("hash", hash));
        let marks: Vec<String> = hash.into_iter().chain(etag.map(|t| shown("ETag", t))).collect();
        if !marks.is_empty() {
            line("", marks.join(", "));
        }
    }
    for one in uses(item) {
        sheet.paragraph(format_args!("  {:<28}", one.command), &" ".repeat(30), one.reads);
    }
}

/// Merges findings that say the same about several group versions. They name some of them; the
/// table has all.
fn together(all: &[&OpenApiFinding], most: usize) -> Vec<OpenApiFinding> {
    let mut told: Vec<(OpenApiFinding, Vec<String>)> = vec![];
    for found in all {
        let who = found.facts.iter().find(|(name, _)| *name == "who").map(|(_, who)| who.clone());
        let many = matches!(found.code, Code::V2Missing | Code::V3Missing);
        match told.iter_mut().find(|(one, _)| many && one.code == found.code) {
            Some((_, names)) => names.extend(who),
            None => told.push(((*found).clone(), who.into_iter().collect())),
        }
    }
    let merged = |(mut found, names): (OpenApiFinding, Vec<String>)| {
        let mut who = joined(names.iter().take(most), ", ");
        if names.len() > most {
            who.push_str(&format!(" and {} more", names.len() - most));
        }
        for (_, fact) in found.facts.iter_mut().filter(|(name, _)| *name == "who") {
            fact.clone_from(&who);
        }
        found
    };
    told.into_iter().map(merged).collect()
}

fn finding(sheet: &mut TextBuilder, found: &OpenApiFinding) {
    let paint = sheet.page.paint;
    let (severity, code) = (found.code.severity(), found.code.as_str());
    let label = paint.severity(severity, format!("{}[{code}]:", severity.as_str()));
    sheet.paragraph(format_args!("{label} "), "    ", found.message());
    if let Some(hint) = found.hint() {
        sheet.hang(paint.away("hint:"), hint);
    }
}

/// Describes one definition.
pub(super) fn definition(one: &Definition, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(page);
    sheet.line(page.paint.strong(sanitize(&one.name)));
    sheet.indented(2, format_args!("owned by {}", one.owner));
    if let (Some(original), Some(met)) = (&one.original, &one.met) {
        let why = format!("{met} has a different definition of that name");
        sheet.indented(2, format_args!("published as {original}; renamed because {why}"));
    }
    for (services, what) in [
        (&one.reused_by, "publishes the same definition under the same name"),
        (&one.borrowed_by, "shares it, although its own definition refers to other types"),
        (&one.kinds_from, "added kinds to it; they stay until the API server restarts"),
    ] {
        if !services.is_empty() {
            sheet.indented(2, format_args!("{} {what}", enumerate(services, MAX_NAMES)));
        }
    }
    sheet.into_text()
}
