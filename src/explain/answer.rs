//! What an entry says about one text: causes in the order of the evidence, commands that run.

use std::collections::BTreeSet;

use super::lookup::{Deletion, Lookup};
use super::subject::of_api_service;
use super::{About, Explanation, Refused, Subject};
use crate::baseline::{Told, When};
use crate::doctor::quoted;
use crate::knowledge::{self, Entry, NextStep};
use crate::model::{GroupVersion, Minor};

/// How many commands one step becomes at most, one for each name.
const MOST_COMMANDS: usize = 3;
/// How many names one command takes at most.
const MOST_NAMES: usize = 8;

/// An explanation with everything that is shown of it.
#[derive(Debug)]
pub struct Report {
    /// What was recognised.
    pub found: Explanation,
    /// What the source says about it; empty where none was asked.
    pub lookups: Vec<Lookup>,
    /// The refusals that the text tells of, looked up.
    pub refused: Vec<Refused>,
    /// What the entries that match say, the most telling first.
    pub answers: Vec<EntryAnswer>,
    /// When Kubernetes served what is named and not there.
    pub served: Vec<When>,
}

/// What an entry says about one text.
#[derive(Debug)]
pub struct EntryAnswer {
    /// The entry.
    pub entry: &'static Entry,
    /// The line of the text that matches, counted from 1, and what of it does.
    pub place: Option<(usize, String)>,
    /// Causes, the likeliest first.
    pub causes: Vec<RankedCause>,
    /// What to run or do next.
    pub next: Vec<Step>,
}

/// A cause, with what makes it likely.
#[derive(Debug, PartialEq, Eq)]
pub struct RankedCause {
    /// One sentence or two.
    pub text: &'static str,
    /// What makes it likely here, if anything does.
    pub likely: Option<Likely>,
}

/// What makes a cause likely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likely {
    /// The state of the source.
    Source,
    /// Something else that the text says.
    Text,
}

/// Something to run or do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// A command, with the names that are known; empty where there is none.
    pub command: String,
    /// What for.
    pub what: &'static str,
}

impl Report {
    /// What is said about a text, with what the source knows of it.
    pub fn new(mut found: Explanation, lookups: Vec<Lookup>, minor: Option<Minor>) -> Self {
        let there = |gv: &&GroupVersion| {
            let name = gv.api_service_name();
            lookups.iter().any(|one| one.name == name && one.works.is_some())
        };
        let missing = found.subject.group_versions.iter().filter(|gv| !there(gv));
        let served: Vec<When> = missing.flat_map(|gv| found.subject.served(gv, minor)).collect();
        found.hints.extend(served.iter().filter_map(|when| match when.told {
            Told::UpTo(..) => Some("removed"),
            Told::NewIn(_) => Some("not-yet"),
            Told::Served(_) => None,
        }));
        let answers = answers(&found, &lookups);
        Self { found, lookups, refused: vec![], answers, served }
    }

    /// The same, with the refusals that the text tells of, looked up. The text alone cannot tell
    /// that an extension server answers for the group.
    #[must_use]
    pub fn with(mut self, refused: Vec<Refused>) -> Self {
        if refused.iter().any(|one| one.by.is_aggregated()) {
            self.found.about = Some(About::AggregationLayer);
            for one in self.found.matches.iter_mut().filter(|one| one.entry.id == "rbac") {
                one.entry = knowledge::find("rbac-aggregated").unwrap_or(one.entry);
            }
            self.answers = answers(&self.found, &self.lookups);
        }
        Self { refused, ..self }
    }

    /// Whether anything of the text is known.
    pub fn is_recognised(&self) -> bool {
        !self.answers.is_empty() || self.found.health.is_some()
    }

    /// What is said about an entry, and no text in particular.
    pub fn of_entry(entry: &'static Entry) -> Self {
        let found = Explanation::default();
        let answers = vec![answer(entry, &found, &[])];
        Self { answers, found, lookups: vec![], refused: vec![], served: vec![] }
    }
}

/// What the entries that match say.
fn answers(found: &Explanation, lookups: &[Lookup]) -> Vec<EntryAnswer> {
    let answer = |one: &super::Match| EntryAnswer {
        place: Some((one.line, one.text.clone())),
        ..answer(one.entry, found, lookups)
    };
    found.matches.iter().map(answer).collect()
}

/// What an entry says about a text, and about what the source knows of it.
fn answer(entry: &'static Entry, found: &Explanation, lookups: &[Lookup]) -> EntryAnswer {
    let said = found.matches.iter().map(|one| one.entry.id).chain(found.hints.iter().copied());
    let said: BTreeSet<&str> = said.collect();
    let likely = |tags: &[&str]| {
        let source = tags.iter().any(|tag| lookups.iter().any(|l| l.evidence.contains(*tag)));
        let text = tags.iter().any(|tag| said.contains(tag));
        if source { Some(Likely::Source) } else { text.then_some(Likely::Text) }
    };
    let impossible = |tag: &&str| tag.strip_prefix('!').is_some_and(|tag| said.contains(tag));
    let mut causes: Vec<RankedCause> = entry
        .causes
        .iter()
        .filter(|cause| !cause.evidence.iter().any(impossible))
        .map(|cause| RankedCause { text: &cause.text, likely: likely(&cause.evidence) })
        .collect();
    causes.sort_by_key(|cause| cause.likely.map_or(2, |likely| likely as usize));
    let next = Names::of(&found.subject, lookups).steps(entry);
    EntryAnswer { entry, place: None, causes, next }
}

/// The names that commands are filled with.
struct Names {
    /// Those that are registered, as far as the source tells.
    group_versions: Vec<GroupVersion>,
    /// Of all that the text names.
    paths: Vec<String>,
    /// `namespace/name`
    services: Vec<String>,
    /// Whether the source says that nothing of what was named is registered.
    gone: bool,
    /// Whether the source says that it leads to no Service.
    local: bool,
    /// Whether something answers, or is meant to.
    keep: bool,
}

impl Names {
    fn of(subject: &Subject, lookups: &[Lookup]) -> Self {
        let absent = lookups.iter().filter(|one| one.works.is_none());
        let absent: BTreeSet<&str> = absent.map(|one| one.name.as_str()).collect();
        let missing = |gv: &&GroupVersion| absent.contains(gv.api_service_name().as_str());
        let named = subject.group_versions.iter();
        let mut group_versions: Vec<_> = named.filter(|gv| !missing(gv)).cloned().collect();
        let found = lookups.iter().filter(|one| one.works.is_some());
        // Of several that have a state none is meant more than the others.
        if group_versions.is_empty() && (subject.states.is_empty() || lookups.len() == 1) {
            group_versions.extend(found.clone().filter_map(|one| of_api_service(&one.name)));
        }
        let mut services: Vec<String> = subject.services.iter().cloned().collect();
        for service in found.filter_map(|one| one.service.as_ref()) {
            if !services.contains(service) && subject.states.is_empty() {
                services.push(service.clone());
            }
        }
        let named = subject.group_versions.iter().map(GroupVersion::root_path);
        let mut paths: Vec<String> = named.take(MOST_COMMANDS).collect();
        if paths.is_empty() {
            paths.extend(group_versions.iter().take(MOST_COMMANDS).map(GroupVersion::root_path));
        }
        group_versions.truncate(MOST_NAMES);
        services.truncate(MOST_COMMANDS);
        Self {
            local: !lookups.is_empty() && services.is_empty() && subject.states.is_empty(),
            gone: group_versions.is_empty() && !lookups.is_empty() && subject.states.is_empty(),
            keep: lookups.iter().any(|l| l.works == Some(true) || l.deletion == Some(Deletion::No)),
            group_versions,
            paths,
            services,
        }
    }

    fn steps(&self, entry: &'static Entry) -> Vec<Step> {
        let (last, first): (Vec<_>, Vec<_>) =
            entry.next.iter().filter(|step| self.allows(step)).partition(|step| deletes(step));
        let mut all: Vec<Step> = vec![];
        for step in first.into_iter().chain(last) {
            for command in self.filled(step.command) {
                let unknown = command.contains("NAMESPACE");
                if unknown && !all.iter().any(|s| s.command.contains("{.spec.service}")) {
                    all.extend(self.where_it_leads());
                }
                all.push(Step { command, what: &step.what });
            }
        }
        all
    }

    /// The command that finds the Service, where the text does not name it.
    fn where_it_leads(&self) -> Option<Step> {
        let first = self.group_versions.first()?;
        let name = quoted(&first.api_service_name()).into_owned();
        Some(Step {
            command: format!("kubectl get apiservice {name} -o jsonpath='{{.spec.service}}'"),
            what: "for SERVICE and NAMESPACE below",
        })
    }

    /// Whether a step makes sense with what is known.
    fn allows(&self, step: &NextStep) -> bool {
        let service = step.command.contains("{namespace}");
        let registered = step.command.contains("{apiservice}") || service;
        !(self.gone && registered || self.local && service || self.keep && deletes(step))
    }

    /// A command with the names that are known: one for each where it takes only one.
    fn filled(&self, command: &str) -> Vec<String> {
        let names: Vec<String> = self
            .group_versions
            .iter()
            .map(|gv| quoted(&gv.api_service_name()).into_owned())
            .collect();
        // aggctl answers for all where none is named.
        let otherwise = if command.starts_with("aggctl ") { "" } else { "NAME" };
        let names = if names.is_empty() { otherwise.to_owned() } else { names.join(" ") };
        let command = command.replace("{apiservice}", &names);
        let mut all = vec![command.trim_end().to_owned()];
        if command.contains("{path}") {
            let none = vec!["/apis/GROUP/VERSION".to_owned()];
            let paths = if self.paths.is_empty() { &none } else { &self.paths };
            all = paths.iter().map(|path| command.replace("{path}", &quoted(path))).collect();
        }
        if command.contains("{namespace}") {
            let none = vec!["NAMESPACE/SERVICE".to_owned()];
            let services = if self.services.is_empty() { &none } else { &self.services };
            let each = services.iter().filter_map(|id| id.split_once('/'));
            let fill = |(namespace, name): (&str, &str)| {
                command
                    .replace("{namespace}", &quoted(namespace))
                    .replace("{service}", &quoted(name))
            };
            all = each.map(fill).collect();
            all.dedup();
        }
        all
    }
}

fn deletes(step: &NextStep) -> bool {
    step.command.starts_with("kubectl delete")
}
