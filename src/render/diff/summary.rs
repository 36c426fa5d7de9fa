//! A diff in the lines that people read: grouped, and each thing said once.

use std::collections::{BTreeMap, BTreeSet};

use crate::diff::{Change, Diff, Difference, FieldChange, OrderChange, Section};

/// A heading and its lines.
#[derive(Debug)]
pub(super) struct Part {
    pub title: &'static str,
    pub lines: Vec<Line>,
}

/// One line of a part.
#[derive(Debug)]
pub(super) struct Line {
    pub mark: Mark,
    pub subject: String,
    pub detail: String,
    /// How many things it tells of.
    pub things: usize,
}

/// What a line tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Removed,
    Changed,
    Added,
}

impl Mark {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "-",
            Self::Changed => "~",
        }
    }
}

/// The parts of a diff that have something to say.
pub(super) fn parts(diff: &Diff) -> Vec<Part> {
    let mut parts = vec![
        Part {
            title: "APISERVICES",
            lines: diff.of(Section::ApiService).map(api_service).collect(),
        },
        Part { title: "CRDS", lines: diff.of(Section::Crd).map(plain).collect() },
        Part { title: "GROUP VERSIONS", lines: group_versions(diff) },
        Part { title: "PREFERRED VERSIONS", lines: preferred(diff) },
        Part { title: "RESOURCES", lines: resources(diff) },
        Part { title: "ORDER OF GROUPS", lines: diff.orders.iter().flat_map(moved).collect() },
        Part { title: "ROUTES", lines: routes(diff) },
    ];
    parts.retain(|part| !part.lines.is_empty());
    for part in &mut parts {
        // What is lost comes first: that is what somebody will be called about.
        part.lines.sort_by_key(|line| (line.mark, line.detail.starts_with("not-found →")));
    }
    parts
}

fn api_service(one: &Difference) -> Line {
    let (mark, detail) = match &one.change {
        Change::Added(fields) => (Mark::Added, leads(fields)),
        Change::Removed(fields) => (Mark::Removed, leads(fields)),
        Change::Changed(changes) => (Mark::Changed, arrows(changes)),
    };
    Line { mark, subject: one.subject.clone(), detail, things: 1 }
}

fn leads(fields: &crate::diff::Fields) -> String {
    let of = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    match of("available") {
        "True" => format!("leads to {}", of("leadsTo")),
        other => format!("leads to {}, available: {other}", of("leadsTo")),
    }
}

fn plain(one: &Difference) -> Line {
    let (mark, detail) = match &one.change {
        Change::Added(fields) => (Mark::Added, words(fields)),
        Change::Removed(fields) => (Mark::Removed, words(fields)),
        Change::Changed(changes) => (Mark::Changed, arrows(changes)),
    };
    Line { mark, subject: one.subject.clone(), detail, things: 1 }
}

fn words(fields: &crate::diff::Fields) -> String {
    fields
        .iter()
        .map(|(name, text)| format!("{} {text}", in_words(name)))
        .collect::<Vec<_>>()
        .join(", ")
}

fn arrows(changes: &[FieldChange]) -> String {
    let show = |text: &Option<String>| match text.as_deref() {
        None | Some("") => "none".to_owned(),
        Some(text) => text.to_owned(),
    };
    let each = changes
        .iter()
        .map(|c| format!("{} {} → {}", in_words(c.field), show(&c.before), show(&c.after)));
    each.collect::<Vec<_>>().join(", ")
}

/// A field's name as people write it: `leadsTo` is `leads to`.
fn in_words(field: &str) -> String {
    let mut words = String::new();
    for c in field.chars() {
        if c.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// Group versions, with the resources that come or go with them.
fn group_versions(diff: &Diff) -> Vec<Line> {
    let mut resources: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in diff.of(Section::Resource) {
        if let Some((gv, name)) =
            one.subject.split_once(' ').filter(|(_, name)| !name.contains('/'))
        {
            resources.entry(gv).or_default().push(name);
        }
    }
    let with = |gv: &str, fields: &crate::diff::Fields| {
        let by = fields.get("servedBy").map(String::as_str).unwrap_or_default();
        match resources.get(gv) {
            Some(names) => format!("{by}: {}", names.join(", ")),
            None => by.to_owned(),
        }
    };
    let line = |one: &Difference| {
        let (mark, detail) = match &one.change {
            Change::Added(fields) => (Mark::Added, with(&one.subject, fields)),
            Change::Removed(fields) => (Mark::Removed, with(&one.subject, fields)),
            Change::Changed(changes) => (Mark::Changed, arrows(changes)),
        };
        Line { mark, subject: one.subject.clone(), detail, things: 1 }
    };
    diff.of(Section::GroupVersion).map(line).collect()
}

/// Groups that exist on both sides and prefer another version, or order theirs otherwise.
fn preferred(diff: &Diff) -> Vec<Line> {
    let changed = diff.of(Section::Group).filter_map(|one| {
        let Change::Changed(changes) = &one.change else { return None };
        let show = |c: &FieldChange| {
            let (a, b) =
                (c.before.as_deref().unwrap_or_default(), c.after.as_deref().unwrap_or_default());
            format!("{a} → {b}")
        };
        let preferred = changes.iter().find(|c| c.field == "preferredVersion").map(&show);
        let detail = preferred.or_else(|| {
            let versions = changes.iter().find(|c| c.field == "versions")?;
            let sorted = |text: &Option<String>| {
                text.iter().flat_map(|t| t.split(' ')).map(str::to_owned).collect::<BTreeSet<_>>()
            };
            // Versions that come or go are told of as group versions.
            (sorted(&versions.before) == sorted(&versions.after))
                .then(|| format!("order of versions {}", show(versions)))
        })?;
        Some(Line { mark: Mark::Changed, subject: one.subject.clone(), detail, things: 1 })
    });
    changed.collect()
}

/// Resources of group versions that both sides have.
fn resources(diff: &Diff) -> Vec<Line> {
    let whole: BTreeSet<&str> = (diff.of(Section::GroupVersion))
        .filter(|one| !matches!(one.change, Change::Changed(_)))
        .map(|one| one.subject.as_str())
        .collect();
    let mut lines: Vec<Line> = vec![];
    for one in diff.of(Section::Resource) {
        let Some((gv, name)) = one.subject.split_once(' ').filter(|(gv, _)| !whole.contains(gv))
        else {
            continue;
        };
        let (mark, detail) = match &one.change {
            Change::Added(_) => (Mark::Added, name.to_owned()),
            Change::Removed(_) => (Mark::Removed, name.to_owned()),
            Change::Changed(changes) => {
                (Mark::Changed, format!("{name}: {}", changed_resource(changes)))
            }
        };
        let alike = lines.iter_mut().find(|line| line.subject == gv && line.mark == mark);
        match alike.filter(|_| mark != Mark::Changed) {
            Some(last) => {
                last.things += 1;
                last.detail.push_str(", ");
                last.detail.push_str(&detail);
            }
            None => lines.push(Line { mark, subject: gv.to_owned(), detail, things: 1 }),
        }
    }
    lines
}

fn changed_resource(changes: &[FieldChange]) -> String {
    let each = changes.iter().map(|c| match c.field {
        "verbs" | "shortNames" | "categories" => {
            let set = |text: &Option<String>| -> BTreeSet<String> {
                text.iter()
                    .flat_map(|t| t.split(' '))
                    .filter(|w| !w.is_empty())
                    .map(str::to_owned)
                    .collect()
            };
            let (a, b) = (set(&c.before), set(&c.after));
            let gone = a.difference(&b).map(|w| format!("-{w}"));
            let come = b.difference(&a).map(|w| format!("+{w}"));
            format!("{} {}", c.field, gone.chain(come).collect::<Vec<_>>().join(" "))
        }
        _ => arrows(std::slice::from_ref(c)),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// The fewest groups that must move for one order to become the other.
fn moved(change: &OrderChange) -> Vec<Line> {
    let after: BTreeMap<&str, usize> =
        change.after.iter().enumerate().map(|(i, g)| (g.as_str(), i)).collect();
    let common: Vec<(&str, usize)> =
        change.before.iter().filter_map(|g| Some((g.as_str(), *after.get(g.as_str())?))).collect();
    let staying = longest_rise(&common);
    let mut movers: Vec<(&str, usize)> =
        common.into_iter().filter(|(g, _)| !staying.contains(g)).collect();
    movers.sort_by_key(|(_, place)| *place);
    let line = |(group, place): (&str, usize)| {
        let neighbour = place.checked_sub(1).and_then(|p| change.after.get(p));
        let detail = match neighbour {
            Some(before) => format!("now after {before} ({})", change.form),
            None => format!("now first ({})", change.form),
        };
        Line { mark: Mark::Changed, subject: group.to_owned(), detail, things: 1 }
    };
    movers.into_iter().map(line).collect()
}

/// The longest run of groups whose places rise: those need not move.
fn longest_rise<'a>(places: &[(&'a str, usize)]) -> BTreeSet<&'a str> {
    let mut best: Vec<Vec<usize>> = vec![];
    for (index, (_, place)) in places.iter().enumerate() {
        let longest = (0..index)
            .filter(|i| places.get(*i).is_some_and(|(_, p)| p < place))
            .filter_map(|i| best.get(i))
            .max_by_key(|run| run.len());
        let mut run = longest.cloned().unwrap_or_default();
        run.push(index);
        best.push(run);
    }
    let longest = best.into_iter().max_by_key(Vec::len).unwrap_or_default();
    longest.into_iter().filter_map(|i| places.get(i).map(|(g, _)| *g)).collect()
}

/// Requests that end elsewhere, one line for all of a group version that end alike.
fn routes(diff: &Diff) -> Vec<Line> {
    let mut alike: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for one in diff.of(Section::Route) {
        let Change::Changed(changes) = &one.change else { continue };
        let Some(path) = one.subject.strip_prefix("GET ") else { continue };
        let way = changes.iter().find(|c| c.field == "way");
        let detail = match way {
            Some(way) => {
                let (a, b) = (
                    way.before.as_deref().unwrap_or_default(),
                    way.after.as_deref().unwrap_or_default(),
                );
                format!("{a} → {b}")
            }
            None => arrows(changes),
        };
        alike.entry((below(path), detail)).or_default().push(path);
    }
    let line = |((root, detail), paths): ((String, String), Vec<&str>)| {
        let subject = match paths.as_slice() {
            [path] => format!("GET {path}"),
            _ => format!("GET {root}/… ({} paths)", paths.len()),
        };
        Line { mark: Mark::Changed, subject, detail, things: paths.len() }
    };
    alike.into_iter().map(line).collect()
}

/// The group version's part of a path.
fn below(path: &str) -> String {
    let segments = if path.starts_with("/apis/") { 4 } else { 3 };
    path.split('/').take(segments).collect::<Vec<_>>().join("/")
}
