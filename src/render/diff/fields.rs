//! The fields that a diff compares, with their JSON names.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use kube_aggregation::diff::{
    Available, Change, Definition, DefinitionState, ServedBy, Subject, Thing, Trust,
};
use kube_aggregation::registry::Backend;

pub(super) type FieldMap = BTreeMap<&'static str, FieldValue>;

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum FieldValue {
    Number(i32),
    Text(String),
    List(Vec<String>),
}

impl std::fmt::Display for FieldValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::List(words) if words.is_empty() => f.write_str("none"),
            Self::List(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// A field that differs.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FieldChange {
    pub before: Option<FieldValue>,
    pub after: Option<FieldValue>,
}

/// Returns the JSON value for the kind of a subject.
pub(super) fn section(subject: &Subject) -> &'static str {
    match subject {
        Subject::ApiService(_) => "APIService",
        Subject::Crd(_) => "CustomResourceDefinition",
        Subject::Group(_) => "Group",
        Subject::GroupVersion(_) => "GroupVersion",
        Subject::Resource(..) => "Resource",
        Subject::Route(_) => "Route",
    }
}

/// Returns the fields that differ, or all fields if the subject was added or removed.
pub(super) fn changes(change: &Change) -> BTreeMap<&'static str, FieldChange> {
    let (mut before, mut after) = match change {
        Change::Added(thing) => (FieldMap::new(), fields(thing)),
        Change::Removed(thing) => (fields(thing), FieldMap::new()),
        Change::Changed(a, b) => (fields(a), fields(b)),
    };
    let names: BTreeSet<&'static str> = before.keys().chain(after.keys()).copied().collect();
    let each = names.into_iter().filter_map(|name| {
        let (before, after) = (before.remove(name), after.remove(name));
        (before != after).then_some((name, FieldChange { before, after }))
    });
    each.collect()
}

/// Returns all fields of a thing.
pub(super) fn fields(thing: &Thing) -> FieldMap {
    let text = |word: &str| FieldValue::Text(word.to_owned());
    let scope = |namespaced: bool| text(if namespaced { "Namespaced" } else { "Cluster" });
    let mut found = FieldMap::new();
    match thing {
        Thing::ApiService(one) => {
            let leads_to = match &one.service {
                Some(service) => service,
                None => backing(one.backing),
            };
            found.extend([
                ("available", FieldValue::Text(available(&one.available))),
                ("groupPriorityMinimum", FieldValue::Number(one.group_priority)),
                ("leadsTo", text(leads_to)),
                ("managedBy", text(one.manager.as_str())),
                ("versionPriority", FieldValue::Number(one.version_priority)),
            ]);
            found.extend(one.trust.as_ref().map(|whom| ("trusts", FieldValue::Text(trust(whom)))));
        }
        Thing::Crd(Definition { served, namespaced, state }) => found.extend([
            ("served", list(served)),
            ("scope", scope(*namespaced)),
            ("state", text(state_word(*state))),
        ]),
        Thing::Group(versions) => {
            found.extend(versions.first().map(|first| ("preferredVersion", text(first))));
            found.insert("versions", list(versions));
        }
        Thing::GroupVersion(one) => {
            found.insert("servedBy", text(served_by(&one.by)));
            found.extend(one.freshness.map(|freshness| ("freshness", text(freshness.as_str()))));
        }
        Thing::Resource(one) => {
            found.insert("kind", text(&one.kind));
            found.insert("verbs", list(&one.verbs));
            if let Some(namespaced) = one.namespaced {
                found.insert("scope", scope(namespaced));
                found.insert("shortNames", list(&one.short_names));
                found.insert("categories", list(&one.categories));
            }
        }
        Thing::Route(one) => {
            found.insert("outcome", text(one.outcome.as_str()));
            found.insert("handler", text(&one.handler));
            found.insert("way", text(&one.words));
            found.extend(one.service.as_ref().map(|service| ("service", text(service))));
            found.extend(one.api_service.as_ref().map(|name| ("apiService", text(name))));
        }
    }
    found
}

fn list<'a>(words: impl IntoIterator<Item = &'a String>) -> FieldValue {
    FieldValue::List(words.into_iter().cloned().collect())
}

pub(super) fn available(available: &Available) -> String {
    match available {
        Available::True => "True".to_owned(),
        Available::Not(status, reason) if reason.is_empty() => status.clone(),
        Available::Not(status, reason) => format!("{status} ({reason})"),
        Available::NoCondition => "no condition".to_owned(),
        Available::NotInSource => "not in the source".to_owned(),
    }
}

fn backing(backing: Backend) -> &'static str {
    match backing {
        Backend::BuiltIn => "kube-apiserver",
        Backend::Extensions => "apiextensions-apiserver",
        Backend::Crd => "CRDs",
        Backend::Unserved => "nobody",
        Backend::Service | Backend::Unknown => "unknown",
    }
}

fn trust(trust: &Trust) -> String {
    match trust {
        Trust::Any => "any certificate".to_owned(),
        Trust::Bundle(checksum) => format!("caBundle {checksum:08x}"),
        Trust::System => "the system's roots".to_owned(),
    }
}

fn state_word(state: DefinitionState) -> &'static str {
    match state {
        DefinitionState::Terminating => "terminating",
        DefinitionState::Established => "established",
        DefinitionState::NotEstablished => "not established",
        DefinitionState::NamesNotAccepted => "names not accepted",
    }
}

pub(super) fn served_by(by: &ServedBy) -> &str {
    match by {
        ServedBy::Service(Some(service)) => service,
        ServedBy::Service(None) => "some Service",
        ServedBy::ApiServer => "the API server",
        ServedBy::Crds => "CRDs",
        ServedBy::Unserved => "nobody",
        ServedBy::Unknown => "unknown",
    }
}
