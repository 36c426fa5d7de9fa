//! A diff as lines for people: grouped, without repetition.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::{FieldChange, FieldValue, available, changes, fields, served_by};
use crate::render::joined;
use kube_aggregation::diff::{Available, Change, Diff, OrderChange, Resource, Subject, Thing};
use kube_aggregation::model::GroupVersion;

/// A section of a diff.
#[derive(Debug)]
pub(super) struct DiffPart {
    pub title: &'static str,
    pub lines: Vec<DiffLine>,
}

/// Which requests are compared. A change to others shows in the resources.
const COMPARED: &str = "GET only, no subresources";

impl DiffPart {
    /// Returns how many things were added, removed and changed.
    pub(super) fn counts(&self) -> String {
        if self.title == ROUTES {
            return COMPARED.to_owned();
        }
        let marks = [DiffMark::Removed, DiffMark::Added, DiffMark::Changed];
        let counted = marks.into_iter().filter_map(|mark| {
            let of_mark = self.lines.iter().filter(|line| line.mark == mark);
            let count: usize = of_mark.map(|line| line.things).sum();
            (count > 0).then(|| format!("{count} {}", mark.word()))
        });
        joined(counted, ", ")
    }
}

/// The title of the section of requests.
const ROUTES: &str = "ROUTES";

/// One line of a section.
#[derive(Debug)]
pub(super) struct DiffLine {
    pub mark: DiffMark,
    pub subject: String,
    pub detail: String,
    /// How many things it is about.
    pub things: usize,
}

/// What happened to the subject of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DiffMark {
    Removed,
    Changed,
    Added,
}

impl DiffMark {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Added => "+",
            Self::Removed => "-",
            Self::Changed => "~",
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}

/// Returns the sections of a diff that have lines.
pub(super) fn parts(diff: &Diff) -> Vec<DiffPart> {
    let mut parts = Parts::default();
    for one in &diff.differences {
        parts.add(&one.subject, &one.change);
    }
    let moved = diff.orders.iter().flat_map(moved).collect();
    let mut parts = parts.finish(moved);
    parts.retain(|part| !part.lines.is_empty());
    for part in &mut parts {
        // Removals come first: they break clients.
        part.lines.sort_by_key(|line| (line.mark, line.detail.starts_with("not-found →")));
    }
    parts
}

/// Collects the lines of each section.
#[derive(Default)]
struct Parts<'d> {
    api_services: Vec<DiffLine>,
    crds: Vec<DiffLine>,
    group_versions: Vec<(&'d GroupVersion, DiffLine)>,
    /// Group versions that were added or removed as a whole.
    whole: BTreeSet<&'d GroupVersion>,
    preferred: Vec<DiffLine>,
    resources: Vec<(&'d GroupVersion, &'d str, &'d Change)>,
    /// Requests by group version and outcome.
    routes: BTreeMap<(String, String), Vec<&'d str>>,
}

impl<'d> Parts<'d> {
    fn add(&mut self, subject: &'d Subject, change: &'d Change) {
        match subject {
            Subject::ApiService(_) => self.api_services.push(line(subject, change, backend)),
            Subject::Crd(_) => self.crds.push(line(subject, change, words)),
            Subject::Group(_) => self.preferred.extend(preferred(subject, change)),
            Subject::GroupVersion(gv) => {
                if !matches!(change, Change::Changed(..)) {
                    self.whole.insert(gv);
                }
                self.group_versions.push((gv, line(subject, change, by)));
            }
            Subject::Resource(gv, name) => self.resources.push((gv, name, change)),
            Subject::Route(path) => {
                if let Change::Changed(Thing::Route(a), Thing::Route(b)) = change {
                    let detail = if a.words == b.words {
                        arrows(change)
                    } else {
                        format!("{} → {}", a.words, b.words)
                    };
                    self.routes.entry((group_version_of(path), detail)).or_default().push(path);
                }
            }
        }
    }

    fn finish(self, moved: Vec<DiffLine>) -> Vec<DiffPart> {
        let resources = resources(&self.resources, &self.whole);
        let mut of_versions: BTreeMap<&GroupVersion, Vec<&str>> = BTreeMap::new();
        for (gv, name, _) in self.resources.iter().filter(|(_, name, _)| !name.contains('/')) {
            of_versions.entry(gv).or_default().push(name);
        }
        let with_resources = |(gv, mut line): (&GroupVersion, DiffLine)| {
            if let Some(names) = of_versions.get(gv).filter(|_| line.mark != DiffMark::Changed) {
                line.detail.push_str(&format!(": {}", names.join(", ")));
            }
            line
        };
        let group_versions = self.group_versions.into_iter().map(with_resources).collect();
        let routes = self.routes.into_iter().map(route).collect();
        let part = |title, lines| DiffPart { title, lines };
        vec![
            part("APISERVICES", self.api_services),
            part("CRDS", self.crds),
            part("GROUP VERSIONS", group_versions),
            part("PREFERRED VERSIONS", self.preferred),
            part("RESOURCES", resources),
            part("ORDER OF GROUPS", moved),
            part(ROUTES, routes),
        ]
    }
}

/// Returns a line for a subject. `describe` words what was added or removed.
fn line(subject: &Subject, change: &Change, describe: fn(&Thing) -> String) -> DiffLine {
    let (mark, detail) = match change {
        Change::Added(thing) => (DiffMark::Added, describe(thing)),
        Change::Removed(thing) => (DiffMark::Removed, describe(thing)),
        Change::Changed(..) => (DiffMark::Changed, arrows(change)),
    };
    DiffLine { mark, subject: subject.to_string(), detail, things: 1 }
}

fn backend(thing: &Thing) -> String {
    let place = fields(thing).remove("leadsTo").map(|value| value.to_string()).unwrap_or_default();
    let place = value_in_words("leadsTo", place);
    match thing {
        Thing::ApiService(one) if one.available != Available::True => {
            format!("served by {place}, available: {}", available(&one.available))
        }
        _ => format!("served by {place}"),
    }
}

fn by(thing: &Thing) -> String {
    match thing {
        Thing::GroupVersion(one) => value_in_words("servedBy", served_by(&one.by).to_owned()),
        other => words(other),
    }
}

fn words(thing: &Thing) -> String {
    let fields = fields(thing).into_iter();
    let shown = |(name, value): (&str, FieldValue)| {
        format!("{} {}", in_words(name), value_in_words(name, value.to_string()))
    };
    joined(fields.map(shown), ", ")
}

fn arrows(change: &Change) -> String {
    let show = |name: &str, value: Option<FieldValue>| match value.map(|value| value.to_string()) {
        Some(text) if !text.is_empty() => value_in_words(name, text),
        _ => "none".to_owned(),
    };
    let arrow = |(name, field): (&str, FieldChange)| {
        let (before, after) = (show(name, field.before), show(name, field.after));
        format!("{} {before} → {after}", in_words(name))
    };
    joined(changes(change).into_iter().map(arrow), ", ")
}

/// Returns the name of a field in words: `served by` for `leadsTo`.
fn in_words(field: &str) -> String {
    match field {
        "leadsTo" => return "served by".to_owned(),
        "apiService" => return "APIService".to_owned(),
        _ => {}
    }
    let mut words = String::new();
    for c in field.chars() {
        if c.is_ascii_uppercase() {
            words.push(' ');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// Returns the value of a field in words, if it is a code.
fn value_in_words(field: &str, value: String) -> String {
    match (field, &*value) {
        ("leadsTo" | "servedBy", "nobody") => "no server".to_owned(),
        ("managedBy", "somebody") => "a user".to_owned(),
        ("managedBy", "crd") => "the CRD controller".to_owned(),
        ("managedBy", "built-in") => "kube-apiserver".to_owned(),
        _ => value,
    }
}

/// Returns a line if a group of both sides prefers another version or orders them differently.
fn preferred(subject: &Subject, change: &Change) -> Option<DiffLine> {
    let Change::Changed(Thing::Group(a), Thing::Group(b)) = change else { return None };
    let detail = if a.first() != b.first() {
        let first = |versions: &[String]| versions.first().cloned().unwrap_or_default();
        format!("{} → {}", first(a), first(b))
    } else {
        // Added and removed versions are lines of the group versions.
        let same = a.iter().collect::<BTreeSet<_>>() == b.iter().collect();
        same.then(|| format!("order of versions {} → {}", a.join(" "), b.join(" ")))?
    };
    Some(DiffLine { mark: DiffMark::Changed, subject: subject.to_string(), detail, things: 1 })
}

/// Returns the lines of resources whose group version both sides have.
fn resources(
    all: &[(&GroupVersion, &str, &Change)],
    whole: &BTreeSet<&GroupVersion>,
) -> Vec<DiffLine> {
    let mut lines: Vec<DiffLine> = vec![];
    for (gv, name, change) in all.iter().filter(|(gv, ..)| !whole.contains(gv)) {
        let (mark, detail) = match change {
            Change::Added(_) => (DiffMark::Added, (*name).to_owned()),
            Change::Removed(_) => (DiffMark::Removed, (*name).to_owned()),
            Change::Changed(Thing::Resource(a), Thing::Resource(b)) => {
                (DiffMark::Changed, format!("{name}: {}", changed_resource(a, b)))
            }
            Change::Changed(..) => (DiffMark::Changed, arrows(change)),
        };
        let subject = gv.to_string();
        // They are sorted by group version, so only the last lines can have the same one.
        let of_same = lines.iter_mut().rev().take_while(|line| line.subject == subject);
        let alike = of_same.into_iter().find(|line| line.mark == mark && mark != DiffMark::Changed);
        match alike {
            Some(line) => {
                line.things += 1;
                line.detail.push_str(&format!(", {detail}"));
            }
            None => lines.push(DiffLine { mark, subject, detail, things: 1 }),
        }
    }
    lines
}

fn changed_resource(a: &Resource, b: &Resource) -> String {
    let mut found = vec![];
    if a.kind != b.kind {
        found.push(format!("kind {} → {}", a.kind, b.kind));
    }
    if let (Some(was), Some(is)) = (a.namespaced, b.namespaced)
        && was != is
    {
        found.push(if is { "now namespaced" } else { "no longer namespaced" }.to_owned());
    }
    for (field, a, b) in [
        ("verbs", &a.verbs, &b.verbs),
        ("short names", &a.short_names, &b.short_names),
        ("categories", &a.categories, &b.categories),
    ] {
        let gone = a.difference(b).map(|word| format!("-{word}"));
        let come = b.difference(a).map(|word| format!("+{word}"));
        let each: Vec<String> = gone.chain(come).collect();
        if !each.is_empty() {
            found.push(format!("{field} {}", each.join(" ")));
        }
    }
    found.join(", ")
}

fn moved(change: &OrderChange) -> impl Iterator<Item = DiffLine> + '_ {
    change.moved().into_iter().map(|(group, after)| {
        let detail = match after {
            Some(neighbour) => format!("now after {neighbour} ({})", change.form),
            None => format!("now first ({})", change.form),
        };
        DiffLine { mark: DiffMark::Changed, subject: group.to_owned(), detail, things: 1 }
    })
}

/// Returns one line for requests of a group version with the same outcome.
fn route(((root, detail), paths): ((String, String), Vec<&str>)) -> DiffLine {
    let subject = match paths.as_slice() {
        [path] => format!("GET {path}"),
        _ => format!("GET {root}/… ({} paths)", paths.len()),
    };
    DiffLine { mark: DiffMark::Changed, subject, detail, things: paths.len() }
}

/// Returns the prefix of a path that names the group version.
fn group_version_of(path: &str) -> String {
    let segments = if path.starts_with("/apis/") { 4 } else { 3 };
    joined(path.split('/').take(segments), "/")
}
