//! What fights over what: for people, for programs.

use std::fmt::Write;

use serde::Serialize;

use super::json::{API_VERSION, SourceJson};
use super::paint::Paint;
use super::sanitise::sanitise;
use super::wrap::wrap;
use crate::conflict::{Conflict, NameConflict};
use crate::model::Origin;

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
#[serde(rename_all = "camelCase")]
struct ListJson<'a> {
    api_version: &'static str,
    kind: &'static str,
    source: SourceJson<'a>,
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
    origin: &'a Origin,
    conflicts: &'a [Conflict],
    names: &'a [NameConflict],
) -> impl Serialize + 'a {
    let candidate = |c: &'a crate::conflict::Candidate| CandidateJson {
        group: &c.group,
        version: &c.version,
        resource: &c.resource,
        kind: &c.kind,
        short_name: c.short,
    };
    let name = |n: &'a NameConflict| NameJson {
        name: &n.name,
        picked: n.candidates.first().map(candidate),
        others: n.candidates.iter().skip(1).map(candidate).collect(),
        why: n.why.words(),
    };
    let conflict = |c: &'a Conflict| ConflictJson {
        code: c.code,
        over: &c.over,
        parties: &c.parties,
        outcome: &c.outcome,
        next: &c.next,
    };
    ListJson {
        api_version: API_VERSION,
        kind: "ConflictList",
        source: origin.into(),
        conflicts: conflicts.iter().map(conflict).collect(),
        names: names.iter().map(name).collect(),
    }
}
