//! The text of `conflicts`.

use std::collections::HashMap;

use crate::render::{TextBuilder, TextOptions, sanitize};
use aggctl_diagnose::conflict::WordedConflict;
use kube_aggregation::model::GroupVersion;
use kube_aggregation::names::{Candidate, LeftOut, NameConflict, Unseen};
use kube_aggregation::registry::Code;

/// Returns one paragraph per conflict.
pub(super) fn text(
    conflicts: &[WordedConflict],
    names: &[NameConflict],
    page: TextOptions,
) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    for one in conflicts {
        let (code, over) = (paint.odd(one.code.as_str()), paint.strong(sanitize(&one.over)));
        sheet.line(format_args!("{code}  {over}"));
        for (index, party) in one.parties.iter().enumerate() {
            let label = match (one.code, index) {
                (Code::TwoOwners, _) => "writer:",
                (_, 0) => "has it:",
                _ => "and:   ",
            };
            sheet.line(format_args!("  {label} {}", sanitize(party)));
        }
        if let Some(owner) = one.owner {
            sheet.line(format_args!("  {owner}"));
        }
        sheet.indented(2, &one.outcome);
        sheet.indented(2, format_args!("next: {}", one.next));
        if let Some(command) = &one.command {
            sheet.command(format_args!("        {}", paint.faint("$")), command);
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
        sheet.line("no conflicts over a group version or a name");
    }
    sheet.into_text().trim_end().to_owned() + "\n"
}

fn name_text(sheet: &mut TextBuilder, one: &NameConflict, names: &[String]) {
    let paint = sheet.page.paint;
    let title = paint.strong(format!("kubectl get {}", names.join(" or ")));
    sheet.line(format_args!("{}  {title}", paint.odd("name")));
    if one.candidates.is_empty() {
        sheet.line("  picks:  nothing");
    }
    let mut line = |label: &str, candidate: &Candidate, more: &str| {
        let name = candidate.full_name();
        let (name, kind) = (sanitize(&name), sanitize(&candidate.kind));
        sheet.line(format_args!("  {label:<7} {name} ({kind}{more})"));
    };
    for (index, candidate) in one.candidates.iter().enumerate() {
        let short = if candidate.short { ", by its short name" } else { "" };
        match index {
            0 => line("picks:", candidate, ""),
            _ => line("not:", candidate, short),
        }
    }
    for LeftOut { candidate, .. } in &one.left_out {
        line("unseen:", candidate, "");
    }
    sheet.indented(2, one.why.words());
    let mut told: Vec<String> = vec![];
    for LeftOut { candidate, unseen } in &one.left_out {
        let gv = GroupVersion::new(&*candidate.group, &*candidate.version);
        let sentence = match unseen {
            Unseen::Unavailable => {
                format!("{gv} is left out: its APIService is not available")
            }
            Unseen::Stale => format!(
                "{gv} is left out: it is Stale in aggregated discovery; only an old kubectl that does not read that document asks the Service itself, and may pick it"
            ),
        };
        if !told.contains(&sentence) {
            sheet.indented(2, &sentence);
            told.push(sentence);
        }
    }
    sheet.gap();
}
