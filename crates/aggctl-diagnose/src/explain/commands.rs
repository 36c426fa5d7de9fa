//! Fills the command templates of knowledge entries with names from a text and a source.

use std::collections::BTreeSet;

use super::lookup::{Deletion, Lookup};
use super::recognize::{About, Explanation};
use super::refused::can_i;
use super::subject::of_api_service;
use crate::access::{AccessRefusal, service_account};
use crate::doctor::quoted;
use crate::knowledge::{DESCRIBE, GroupKind, KnowledgeEntry, NextStep, group_kind};
use kube_aggregation::model::GroupVersion;

/// The maximum number of commands that one step expands to, one per name.
const MAX_COMMANDS: usize = 3;
/// The maximum number of names in one command.
const MAX_NAMES: usize = 8;

/// One suggested step: a command to run, or something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestedStep {
    /// The command with all known names filled in; empty if the step has none.
    pub command: String,
    /// What the step is for.
    pub what: &'static str,
}

/// The command to run before deleting an APIService whose Service does not exist.
const OTHER_SERVICES: (&str, &str) = (
    "kubectl -n {namespace} get services",
    "if the component runs under another Service, correct the APIService",
);

/// The names to fill into commands.
pub(super) struct CommandNames {
    /// The registered group versions, as far as the source shows.
    group_versions: Vec<GroupVersion>,
    /// The paths of all group versions in the text.
    paths: Vec<String>,
    /// Services, as `namespace/name`.
    services: Vec<String>,
    /// Whether the source shows that no group version in the text is registered.
    gone: bool,
    /// Whether the source shows that the APIServices are local.
    local: bool,
    /// Whether the text or the source shows that the APIService outlived its server. Otherwise no
    /// step deletes it.
    left_over: bool,
    /// Whether the user cannot change or log in to the control plane.
    managed: bool,
    /// The groups in the text, if no version of any of them is known.
    groups: Vec<String>,
    /// The first refusal in the text.
    refusal: Option<AccessRefusal>,
    /// The server behind the APIServices, as a phrase.
    backend: String,
    /// Whether the phrase is in the plural.
    plural: bool,
    /// The dialed port, as a phrase.
    port: String,
    /// The dialed address.
    address: Option<String>,
    /// Resources of which a namespace still has objects.
    remaining: Vec<String>,
    /// Whether no APIService is involved.
    elsewhere: bool,
    /// Whether there is a text; an entry alone has placeholders in its commands.
    has_text: bool,
}

/// Words in commands that the reader would have to replace.
const PLACEHOLDERS: [&str; 15] = [
    "NAME",
    "NAMESPACE",
    "SERVICE",
    "GROUP",
    "VERSION",
    "RESOURCE",
    "ADDRESS",
    "VERB",
    "USER",
    "POD",
    "NODE",
    "POD_IP",
    "CHECK",
    "FILE",
    "NAMESPACE:NAME",
];

/// Returns whether a command has a word that the reader would have to replace.
fn has_placeholder(command: &str) -> bool {
    // The headings of custom columns are not placeholders.
    let plain = command.split(' ').filter(|word| !word.starts_with("custom-columns="));
    let mut words =
        plain.flat_map(|word| word.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
    words.any(|word| PLACEHOLDERS.contains(&word))
        || command.contains('{') && !command.contains("jsonpath")
}

impl CommandNames {
    pub(super) fn of(found: &Explanation, lookups: &[Lookup]) -> Self {
        let subject = &found.subject;
        let absent = lookups.iter().filter(|one| one.works.is_none());
        let absent: BTreeSet<&str> = absent.map(|one| one.name.as_str()).collect();
        let missing = |gv: &&GroupVersion| absent.contains(gv.api_service_name().as_str());
        let named = subject.group_versions.iter();
        let mut group_versions: Vec<_> = named.filter(|gv| !missing(gv)).cloned().collect();
        let registered = lookups.iter().filter(|one| one.works.is_some());
        // A condition reason alone may match several APIServices and names none of them.
        if group_versions.is_empty() && (subject.states.is_empty() || lookups.len() == 1) {
            group_versions.extend(registered.clone().filter_map(|one| of_api_service(&one.name)));
        }
        let mut services: Vec<String> = subject.services.iter().cloned().collect();
        for service in registered.filter_map(|one| one.service.as_ref()) {
            if !services.contains(service) && subject.states.is_empty() {
                services.push(service.clone());
            }
        }
        let named = subject.group_versions.iter().map(GroupVersion::root_path);
        let mut paths: Vec<String> = named.take(MAX_COMMANDS).collect();
        if paths.is_empty() {
            paths.extend(group_versions.iter().take(MAX_COMMANDS).map(GroupVersion::root_path));
        }
        let groups: Vec<String> = match group_versions.is_empty() {
            true => subject.groups.iter().take(MAX_NAMES).cloned().collect(),
            false => vec![],
        };
        if paths.is_empty() {
            paths.extend(groups.iter().take(MAX_COMMANDS).map(|group| format!("/apis/{group}")));
        }
        // kube-apiserver serves its own groups itself: there is nothing to diagnose behind them.
        group_versions.retain(|gv| group_kind(&gv.group) != GroupKind::BuiltIn);
        let backend =
            match (found.backbone.component, group_versions.as_slice(), services.as_slice()) {
                (Some(component), ..) => component.to_owned(),
                (None, _, [service]) => format!("the server behind {service}"),
                (None, [gv], _) => format!("the server behind {}", gv.api_service_name()),
                (None, [], _) => "the extension server".to_owned(),
                _ if subject.owners().len() == 1 && known_servers(&group_versions) < 2 => {
                    "the server behind these APIServices".to_owned()
                }
                _ => "the servers behind these APIServices".to_owned(),
            };
        let has = |hint: &str| found.hints.contains(hint);
        let outlived =
            |one: &Lookup| matches!(one.deletion, Some(Deletion::Unserved | Deletion::NoService));
        let mut states = lookups.iter().filter(|one| one.works.is_some()).peekable();
        let left_over = match states.peek() {
            Some(_) => states.all(outlived),
            None => has("service-not-found"),
        };
        let port = found.backbone.port.map_or_else(String::new, |port| format!(" ({port})"));
        group_versions.truncate(MAX_NAMES);
        services.truncate(MAX_COMMANDS);
        Self {
            local: !lookups.is_empty() && services.is_empty() && subject.states.is_empty(),
            gone: group_versions.is_empty() && !lookups.is_empty() && subject.states.is_empty(),
            left_over: left_over && !has("several"),
            managed: has("managed"),
            groups,
            refusal: found.refusals.first().cloned(),
            has_text: found.about.is_some() || !found.matches.is_empty(),
            plural: backend.starts_with("the servers "),
            backend,
            port,
            address: found.backbone.address.map(|address| address.to_string()),
            remaining: subject.remaining.iter().take(MAX_NAMES).cloned().collect(),
            elsewhere: found.about == Some(About::Elsewhere),
            group_versions,
            paths,
            services,
        }
    }

    /// Fills the server and the port into a sentence.
    pub(super) fn phrase(&self, text: &str) -> String {
        let mut first = self.backend.chars();
        // The names of components keep their case.
        let upper = match first.next() {
            Some(c) if self.backend.starts_with("the ") => c.to_uppercase().chain(first).collect(),
            _ => self.backend.clone(),
        };
        let forms = match self.plural {
            true => {
                [("{is}", "are"), ("{does}", "do"), ("{has}", "have"), ("{s}", ""), ("{es}", "")]
            }
            false => {
                [("{is}", "is"), ("{does}", "does"), ("{has}", "has"), ("{s}", "s"), ("{es}", "es")]
            }
        };
        let text =
            forms.iter().fold(text.to_owned(), |text, (place, form)| text.replace(place, form));
        text.replace("{Backend}", &upper)
            .replace("{backend}", &self.backend)
            .replace("{port}", &self.port)
    }

    /// Returns the command that confirms a cause if the text has all names that it needs, otherwise
    /// a command that finds them.
    pub(super) fn confirm(&self, step: &'static NextStep) -> Option<SuggestedStep> {
        if self.managed && is_on_control_plane(step) {
            return None;
        }
        let filled = self.filled(step.command, &step.what).into_iter().next()?;
        if !has_placeholder(&filled.command) {
            return Some(filled);
        }
        self.describe().filter(|step| !has_placeholder(&step.command))
    }

    pub(super) fn steps(&self, entry: &'static KnowledgeEntry) -> Vec<SuggestedStep> {
        let (last, first): (Vec<_>, Vec<_>) =
            entry.next.iter().filter(|step| self.allows(step)).partition(|s| deletes(s));
        let mut all: Vec<SuggestedStep> = vec![];
        for step in first.into_iter().chain(last) {
            if deletes(step) && !self.services.is_empty() {
                all.extend(self.filled(OTHER_SERVICES.0, OTHER_SERVICES.1));
            }
            for filled in self.filled(step.command, &step.what) {
                if !self.has_text || !has_placeholder(&filled.command) {
                    all.push(filled);
                    continue;
                }
                // The text does not have the word: find it instead of printing an empty slot.
                let missing = step.command.contains("{namespace}") && !self.elsewhere;
                let confirmed = entry.causes.iter().any(|cause| cause.confirm.is_some());
                let found = self.describe().filter(|_| missing && !confirmed);
                all.extend(found.filter(|found| !has_placeholder(&found.command)));
            }
        }
        let mut seen = BTreeSet::new();
        all.retain(|step| step.command.is_empty() || seen.insert(step.command.clone()));
        all
    }

    /// Returns the command that shows why the APIServices are unavailable, and their Services.
    fn describe(&self) -> Option<SuggestedStep> {
        self.filled(DESCRIBE.0, DESCRIBE.1).into_iter().next()
    }

    /// Returns whether a step makes sense here.
    fn allows(&self, step: &NextStep) -> bool {
        if !self.has_text {
            return true;
        }
        let service = step.command.contains("{namespace}");
        let registered = step.command.contains("{apiservice}") || service;
        // The refusal comes with the commands that grant the missing rule.
        let granted = self.refusal.is_some() && step.command.contains(" create ");
        !(self.gone && registered
            || self.elsewhere && step.command.contains("{apiservice}")
            || self.local && service
            || deletes(step) && !self.left_over
            || granted
            || self.managed && is_on_control_plane(step))
    }

    /// Fills in the names of all APIServices, or their groups if no version is known.
    fn named(&self, command: &str, what: &'static str) -> (String, &'static str) {
        let names: Vec<String> = match self.group_versions.as_slice() {
            // aggctl accepts groups, and without a name it covers all APIServices.
            [] if command.starts_with("aggctl ") => {
                self.groups.iter().map(|group| quoted(group).into_owned()).collect()
            }
            [] if shows_api_service(command) && self.has_text => {
                return match self.groups.as_slice() {
                    [] => (
                        "kubectl get apiservices | grep False".to_owned(),
                        "lists unavailable APIServices and the reasons",
                    ),
                    groups => (
                        format!("kubectl get apiservices | grep -E {}", quoted(&groups.join("|"))),
                        "AVAILABLE shows the reason; no line means not registered",
                    ),
                };
            }
            [] => vec!["NAME".to_owned()],
            all => all.iter().map(|gv| quoted(&gv.api_service_name()).into_owned()).collect(),
        };
        (command.replace("{apiservice}", &names.join(" ")), what)
    }

    /// Fills in the refused user and request.
    fn refused(&self, command: &str) -> String {
        let refusal = self.refusal.as_ref();
        let account = refusal.and_then(|refusal| service_account(&refusal.user));
        let account = account.map(|(space, name)| quoted(&format!("{space}:{name}")).into_owned());
        let can_i = refusal.map_or_else(|| "can-i VERB RESOURCE --as=USER".to_owned(), can_i);
        command
            .replace("{can-i}", &can_i)
            .replace("{service-account}", account.as_deref().unwrap_or("NAMESPACE:NAME"))
    }

    /// Returns the resources that remain in a namespace, as kubectl takes them.
    fn remaining(&self) -> String {
        let names: Vec<_> = self.remaining.iter().map(|name| quoted(name)).collect();
        if names.is_empty() { "RESOURCE".to_owned() } else { names.join(",") }
    }

    /// Fills in all names. A command that takes a single name becomes one command per name.
    fn filled(&self, command: &str, what: &'static str) -> Vec<SuggestedStep> {
        let (command, what) = self.named(command, what);
        let command = self
            .refused(&command)
            .replace("{address}", self.address.as_deref().unwrap_or("ADDRESS"))
            .replace("{remaining}", &self.remaining());
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
        let group_only = command.contains("{path}") && !self.groups.is_empty();
        // The path of a group lists its versions only.
        let what = match group_only && command.starts_with("kubectl get --raw") {
            true => "lists the versions; add one of them to the path for the resources",
            false => what,
        };
        all.into_iter().map(|command| SuggestedStep { command, what }).collect()
    }
}

/// Returns the number of known components that serve the group versions.
fn known_servers(group_versions: &[GroupVersion]) -> usize {
    let component = |gv: &GroupVersion| match group_kind(&gv.group) {
        GroupKind::Extension(name) => Some(name),
        _ => None,
    };
    group_versions.iter().filter_map(component).collect::<BTreeSet<_>>().len()
}

/// Returns whether a command only shows APIServices.
fn shows_api_service(command: &str) -> bool {
    ["kubectl get apiservice {apiservice}", "kubectl describe apiservice {apiservice}"]
        .iter()
        .any(|start| command.starts_with(start))
}

/// Returns whether a step needs access to the control plane: its nodes, Pods or flags.
fn is_on_control_plane(step: &NextStep) -> bool {
    let flag = step.command.is_empty() && step.what.contains("kube-apiserver");
    flag || ["component=kube-apiserver", "/etc/kubernetes/"]
        .iter()
        .any(|place| step.command.contains(place))
}

fn deletes(step: &NextStep) -> bool {
    step.command.starts_with("kubectl delete")
}
