//! The text of `conflicts`.

use std::collections::HashMap;

use crate::render::{TextBuilder, TextOptions, as_sentence, sanitize};
use aggctl_diagnose::conflict::WordedConflict;
use kube_aggregation::model::GroupVersion;
use kube_aggregation::names::{Candidate, LeftOut, NameConflict, Unseen};
use kube_aggregation::registry::Code;

/// The width of the longest label, `kubectl uses:`.
const LABEL: usize = 13;

/// Returns one paragraph per conflict.
pub(super) fn text(
    conflicts: &[WordedConflict],
    names: &[NameConflict],
    checked_all: bool,
    page: TextOptions,
) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    for one in conflicts {
        let (code, over) = (paint.odd(one.code.as_str()), paint.strong(sanitize(&one.over)));
        sheet.line(format_args!("{code}  {over}"));
        for (index, party) in one.parties.iter().enumerate() {
            let label = match (one.code, index) {
                (Code::TwoOwners, _) => "changed by:",
                (Code::DuplicatedPath, _) => "claimed by:",
                (_, 0) => "winner:",
                _ => "also claims:",
            };
            sheet.line(format_args!("  {label:<LABEL$} {}", sanitize(party)));
        }
        if let Some(owner) = one.owner {
            sheet.line(format_args!("  {:<LABEL$} {owner}", "part of:"));
        }
        sheet.indented(2, &one.outcome);
        sheet.paragraph("  next: ", "        ", &one.next);
        if let Some(command) = &one.command {
            sheet.command("       ", command);
        }
        sheet.gap();
    }
    // A plural and its singular mostly have the same candidates: one paragraph for all such names.
    let mut alike: Vec<(&NameConflict, Vec<String>)> = vec![];
    let mut places = HashMap::new();
    for one in names {
        let place = *places.entry((&one.candidates, &one.left_out)).or_insert(alike.len());
        match alike.get_mut(place) {
            Some((_, names)) => names.push(sanitize(&one.name).into_owned()),
            None => alike.push((one, vec![sanitize(&one.name).into_owned()])),
        }
    }
    for (one, names) in alike {
        name_text(&mut sheet, one, &names);
    }
    if conflicts.is_empty() && names.is_empty() {
        sheet.line(match checked_all {
            true => "No conflicting group versions or names.",
            false => "No conflicts in what could be checked.",
        });
    }
    sheet.into_text().trim_end().to_owned() + "\n"
}

fn name_text(sheet: &mut TextBuilder, one: &NameConflict, names: &[String]) {
    let paint = sheet.page.paint;
    let title = paint.strong(format!("kubectl get {}", names.join(" or ")));
    sheet.line(format_args!("{}  {title}", paint.odd("name")));
    if one.candidates.is_empty() {
        sheet.line("  kubectl uses: nothing");
    }
    let mut line = |label: &str, candidate: &Candidate, more: &str| {
        let name = candidate.full_name();
        let (name, kind) = (sanitize(&name), sanitize(&candidate.kind));
        sheet.line(format_args!("  {label:<LABEL$} {name} ({kind}{more})"));
    };
    for (index, candidate) in one.candidates.iter().enumerate() {
        let short = if candidate.short { ", by its short name" } else { "" };
        match index {
            0 => line("kubectl uses:", candidate, ""),
            _ => line("ignored:", candidate, short),
        }
    }
    for LeftOut { candidate, .. } in &one.left_out {
        line("hidden:", candidate, "");
    }
    sheet.indented(2, as_sentence(&one.why.words()));
    let mut told: Vec<String> = vec![];
    for LeftOut { candidate, unseen } in &one.left_out {
        let gv = GroupVersion::new(&*candidate.group, &*candidate.version);
        let sentence = match unseen {
            Unseen::Unavailable => {
                format!("{gv} is hidden because its APIService is unavailable.")
            }
            Unseen::Stale => format!(
                "{gv} is hidden because it is Stale in aggregated discovery. An old kubectl that does not read that document asks the Service itself and may use it."
            ),
        };
        if !told.contains(&sentence) {
            sheet.indented(2, &sentence);
            told.push(sentence);
        }
    }
    sheet.gap();
}
