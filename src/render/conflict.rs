//! What fights over what: for people, for programs.

use std::fmt::Write;

use serde::Serialize;

use super::json::{Answer, Basis};
use super::paint::Paint;
use super::sanitise::sanitise;
use super::wrap::wrap;
use crate::conflict::{Candidate, Conflict, NameConflict};

/// Conflicts, a paragraph each.
pub fn conflicts_text(
    conflicts: &[Conflict],
    names: &[NameConflict],
    paint: Paint,
    width: usize,
) -> String {
    let mut text = String::new();
    for one in conflicts {
        let title = format!("{}  {}", paint.odd(one.code), paint.strong(sanitise(&one.over)));
        let _ = writeln!(text, "{title}");
        for (index, party) in one.parties.iter().enumerate() {
            let label = match (one.code, index) {
                ("two-owners", _) => "writer:",
                (_, 0) => "has it:",
                _ => "and:   ",
            };
            let _ = writeln!(text, "  {label} {}", sanitise(party));
        }
        paragraph(&mut text, &one.outcome, width);
        paragraph(&mut text, &format!("next: {}", one.next), width);
        if let Some(command) = &one.command {
            // Never wrapped: it is there to be copied.
            let _ =
                writeln!(text, "        {} {}", paint.faint("$"), paint.away(sanitise(command)));
        }
        text.push('\n');
    }
    for one in names {
        let Some((first, others)) = one.candidates.split_first() else { continue };
        let title = format!(
            "{}  {}",
            paint.odd("name"),
            paint.strong(format!("kubectl get {}", sanitise(&one.name)))
        );
        let _ = writeln!(text, "{title}");
        let _ = writeln!(
            text,
            "  picks:  {} ({})",
            sanitise(&first.full_name()),
            sanitise(&first.kind)
        );
        for other in others {
            let short = if other.short { ", by its short name" } else { "" };
            let _ = writeln!(
                text,
                "  not:    {} ({}{short})",
                sanitise(&other.full_name()),
                sanitise(&other.kind)
            );
        }
        paragraph(&mut text, &one.why.words(), width);
        text.push('\n');
    }
    if conflicts.is_empty() && names.is_empty() {
        text.push_str("nothing fights over a group version or a name\n");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn paragraph(text: &mut String, content: &str, width: usize) {
    for line in wrap(&sanitise(content), width.saturating_sub(2)) {
        let _ = writeln!(text, "  {line}");
    }
}

#[derive(Debug, Serialize)]
struct ListJson<'a> {
    conflicts: Vec<ConflictJson<'a>>,
    names: Vec<NameJson<'a>>,
}

#[derive(Debug, Serialize)]
struct ConflictJson<'a> {
    code: &'static str,
    over: &'a str,
    parties: &'a [String],
    outcome: &'a str,
    next: &'a str,
    command: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct NameJson<'a> {
    name: &'a str,
    picked: Option<CandidateJson<'a>>,
    others: Vec<CandidateJson<'a>>,
    why: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CandidateJson<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
    kind: &'a str,
    short_name: bool,
}

/// Conflicts as the JSON contract has them.
pub fn conflicts_json<'a>(
    conflicts: &'a [Conflict],
    names: &'a [NameConflict],
) -> impl Serialize + 'a {
    ListJson {
        conflicts: conflicts.iter().map(ConflictJson::from).collect(),
        names: names.iter().map(NameJson::from).collect(),
    }
}

/// Conflicts as JSON, a line each.
pub fn conflict_lines<'a>(
    basis: Basis<'a>,
    conflicts: &'a [Conflict],
    names: &'a [NameConflict],
) -> Vec<Answer<'a, impl Serialize + 'a>> {
    let conflicts = (conflicts.iter())
        .map(|one| basis.answer("Conflict", LineJson::Conflict(ConflictJson::from(one))));
    let names =
        (names.iter()).map(|one| basis.answer("NameConflict", LineJson::Name(NameJson::from(one))));
    conflicts.chain(names).collect()
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum LineJson<'a> {
    Conflict(ConflictJson<'a>),
    Name(NameJson<'a>),
}

impl<'a> From<&'a Conflict> for ConflictJson<'a> {
    fn from(c: &'a Conflict) -> Self {
        Self {
            code: c.code,
            over: &c.over,
            parties: &c.parties,
            outcome: &c.outcome,
            next: &c.next,
            command: c.command.as_deref(),
        }
    }
}

impl<'a> From<&'a NameConflict> for NameJson<'a> {
    fn from(n: &'a NameConflict) -> Self {
        let candidate = |c: &'a Candidate| CandidateJson {
            group: &c.group,
            version: &c.version,
            resource: &c.resource,
            kind: &c.kind,
            short_name: c.short,
        };
        Self {
            name: &n.name,
            picked: n.candidates.first().map(candidate),
            others: n.candidates.iter().skip(1).map(candidate).collect(),
            why: n.why.words(),
        }
    }
}
