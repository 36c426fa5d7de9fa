//! What fights over what: for people, for programs.

use std::fmt::Write;

use serde::Serialize;

use crate::conflict::{Candidate, Conflict, LeftOut, NameConflict, Unseen};
use crate::model::GroupVersion;
use crate::render::Paint;
use crate::render::json::{Basis, Envelope};
use crate::render::sanitise::sanitise;
use crate::render::wrap;

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
    // A plural and its singular mostly lead to the same: one paragraph for all names that do.
    let mut alike: Vec<(&NameConflict, Vec<String>)> = vec![];
    for one in names {
        let same = |other: &NameConflict| {
            (&other.candidates, &other.left_out) == (&one.candidates, &one.left_out)
        };
        match alike.iter_mut().find(|(other, _)| same(other)) {
            Some((_, names)) => names.push(sanitise(&one.name).into_owned()),
            None => alike.push((one, vec![sanitise(&one.name).into_owned()])),
        }
    }
    for (one, names) in alike {
        name_text(&mut text, one, &names, paint, width);
    }
    if conflicts.is_empty() && names.is_empty() {
        text.push_str("nothing fights over a group version or a name\n");
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
    paragraph(text, &one.why.words(), width);
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
            paragraph(text, &sentence, width);
            told.push(sentence);
        }
    }
    text.push('\n');
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
    #[serde(rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<LeftOutJson<'a>>,
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

#[derive(Debug, Serialize)]
struct LeftOutJson<'a> {
    #[serde(flatten)]
    candidate: CandidateJson<'a>,
    reason: &'static str,
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
) -> Vec<Envelope<'a, impl Serialize + 'a>> {
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
            left_out: (n.left_out.iter())
                .map(|one| LeftOutJson {
                    candidate: candidate(&one.candidate),
                    reason: one.unseen.as_str(),
                })
                .collect(),
            why: n.why.words(),
        }
    }
}
