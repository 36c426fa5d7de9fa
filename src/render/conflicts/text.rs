//! Conflicts for people.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::indented;
use super::super::paint::Paint;
use super::super::sanitise::sanitise;
use crate::conflict::Conflict;
use crate::model::GroupVersion;
use crate::names::{Candidate, LeftOut, NameConflict, Unseen};
use crate::registry::Code;

/// Conflicts, a paragraph each.
pub(super) fn text(conflicts: &[Conflict], names: &[NameConflict], page: Page) -> String {
    let Page { paint, width, .. } = page;
    let mut text = String::new();
    for one in conflicts {
        let title =
            format!("{}  {}", paint.odd(one.code.as_str()), paint.strong(sanitise(&one.over)));
        let _ = writeln!(text, "{title}");
        for (index, party) in one.parties.iter().enumerate() {
            let label = match (one.code, index) {
                (Code::TwoOwners, _) => "writer:",
                (_, 0) => "has it:",
                _ => "and:   ",
            };
            let _ = writeln!(text, "  {label} {}", sanitise(party));
        }
        if let Some(owner) = one.owner {
            let _ = writeln!(text, "  {owner}");
        }
        text.push_str(&indented(2, &one.outcome, width));
        text.push_str(&indented(2, &format!("next: {}", one.next), width));
        if let Some(command) = &one.command {
            // Never wrapped: it is there to be copied.
            let _ =
                writeln!(text, "        {} {}", paint.faint("$"), paint.away(sanitise(command)));
        }
        text.push('\n');
    }
    // A plural and its singular mostly lead to the same: one paragraph for all names that do.
    let mut alike: Vec<(&NameConflict, Vec<String>)> = vec![];
    let mut places = HashMap::new();
    for one in names {
        let place = *places.entry((&one.candidates, &one.left_out)).or_insert(alike.len());
        match alike.get_mut(place) {
            Some((_, names)) => names.push(sanitise(&one.name).into_owned()),
            None => alike.push((one, vec![sanitise(&one.name).into_owned()])),
        }
    }
    for (one, names) in alike {
        name_text(&mut text, one, &names, paint, width);
    }
    if conflicts.is_empty() && names.is_empty() {
        text.push_str("no conflicts over a group version or a name\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn name_text(text: &mut String, one: &NameConflict, names: &[String], paint: Paint, width: usize) {
    let title = paint.strong(format!("kubectl get {}", names.join(" or ")));
    let _ = writeln!(text, "{}  {title}", paint.odd("name"));
    if one.candidates.is_empty() {
        text.push_str("  picks:  nothing\n");
    }
    let mut line = |label: &str, candidate: &Candidate, more: &str| {
        let name = candidate.full_name();
        let (name, kind) = (sanitise(&name), sanitise(&candidate.kind));
        let _ = writeln!(text, "  {label:<7} {name} ({kind}{more})");
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
    text.push_str(&indented(2, &one.why.words(), width));
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
            text.push_str(&indented(2, &sentence, width));
            told.push(sentence);
        }
    }
    text.push('\n');
}
