//! Finds the names in documents.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use serde_json::{Map, Value};

use super::split::{is_part, split};
use aggctl_diagnose::knowledge;
use kube_aggregation::baseline;

/// What a name is the name of, which its replacement shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameKind {
    Group,
    Namespace,
    Service,
    User,
    Host,
    Object,
    Label,
}

impl NameKind {
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Namespace => "namespace",
            Self::Service => "service",
            Self::User => "user",
            Self::Host => "host",
            Self::Object => "object",
            Self::Label => "label",
        }
    }
}

/// Fields whose values have a meaning in the API, which a name in another place must not change.
const VOCABULARY: [&str; 32] = [
    "verbs",
    "kind",
    "listKind",
    "plural",
    "singular",
    "singularName",
    "shortNames",
    "categories",
    "resource",
    "resources",
    "type",
    "status",
    "reason",
    "protocol",
    "appProtocol",
    "addressType",
    "scope",
    "strategy",
    "version",
    "versions",
    "ipFamilies",
    "ipFamilyPolicy",
    "sessionAffinity",
    "internalTrafficPolicy",
    "operation",
    "fieldsType",
    "policy",
    "freshness",
    "mode",
    "platform",
    "manager",
    "subresource",
];

/// Returns whether the text of a field has a meaning in the API, even if it is also a name.
/// `around` is the field of the object.
pub(super) fn is_vocabulary(around: &str, field: &str, text: &str) -> bool {
    let resource = matches!(around, "resources" | "names") && field == "name";
    (resource || VOCABULARY.contains(&field)) && !text.contains(|c: char| c == '.' || !is_part(c))
}

/// Names that Kubernetes, its components or its documentation define.
const WELL_KNOWN: [&str; 22] = [
    "default",
    "kube-system",
    "kube-public",
    "kube-node-lease",
    "kubernetes",
    "cluster",
    "local",
    "svc",
    "localhost",
    "true",
    "false",
    "None",
    "kube-apiserver",
    "kube-aggregator",
    "cluster-admin",
    "admin",
    "edit",
    "view",
    "kubectl",
    "helm",
    "extension-apiserver-authentication",
    "apiserver",
];

/// Labels and annotations that hold the name of an object, unlike others of Kubernetes.
const NAMING_LABELS: [&str; 4] = [
    "kubernetes.io/service-name",
    "kubernetes.io/metadata.name",
    "kubernetes.io/hostname",
    "endpoints.kubernetes.io/last-change-trigger-time",
];

/// Names by their kind, addresses and certificates.
#[derive(Debug, Default)]
pub(super) struct Collector {
    pub(super) names: BTreeMap<String, NameKind>,
    /// Groups that stay, without the core group.
    pub(super) known_groups: BTreeSet<String>,
    /// Words that must stay.
    pub(super) kept: BTreeSet<String>,
    pub(super) addresses: BTreeSet<IpAddr>,
    /// Texts with certificates: PEM, or base64 of it.
    pub(super) certificates: BTreeSet<String>,
}

/// Returns whether Kubernetes or a known distribution defines a group.
pub(super) fn is_well_known_group(group: &str) -> bool {
    let built_in = baseline::server(baseline::LATEST).api_services.loaded().into_iter().flatten();
    let old = ["", "extensions", "k8s.io", "kubernetes.io"];
    old.contains(&group)
        || group.ends_with(".k8s.io")
        || group.ends_with(".kubernetes.io")
        || knowledge::owner(group).is_some()
        || built_in.into_iter().any(|service| service.group_version.group == group)
}

impl Collector {
    /// Adds the names of a document.
    pub(super) fn add(&mut self, document: &Value) {
        self.value(document, "", "");
    }

    fn name(&mut self, kind: NameKind, name: &str) {
        let known = self.names.entry(name.to_owned()).or_insert(kind);
        *known = kind.min(*known);
    }

    /// Adds the parts of a text that is a name, such as `jane@example.com`.
    fn parts(&mut self, kind: NameKind, text: &str) {
        if text.starts_with("system:") && !text.starts_with("system:serviceaccount:") {
            return;
        }
        for (part, is_word) in split(text) {
            if is_word && !["system", "serviceaccount", "serviceaccounts"].contains(&part) {
                self.name(kind, part);
            }
        }
    }

    fn group(&mut self, group: &str) {
        if is_well_known_group(group) {
            self.known_groups.extend(Some(group.to_owned()).filter(|group| !group.is_empty()));
        } else if group != "*" {
            self.name(NameKind::Group, group);
        }
    }

    /// Walks a value. `field` is the field that has it, and `kind` the kind of the object around.
    fn value(&mut self, value: &Value, field: &str, kind: &str) {
        match value {
            Value::String(text) => self.string(text, field),
            Value::Array(items) => items.iter().for_each(|item| self.value(item, field, kind)),
            Value::Object(fields) => self.object(fields, field, kind),
            _ => {}
        }
    }

    fn object(&mut self, fields: &Map<String, Value>, field: &str, kind: &str) {
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        let own = text("kind").map(|kind| kind.trim_end_matches("List")).unwrap_or(kind);
        if let Some(name) = text("name") {
            match (field, own) {
                ("metadata", "APIGroupDiscovery") => self.group(name),
                // Their names follow from their group.
                ("metadata", "APIService" | "CustomResourceDefinition") => {}
                ("metadata", "Namespace") => self.name(NameKind::Namespace, name),
                ("metadata", "Service" | "Endpoints") | ("service", _) => {
                    self.name(NameKind::Service, name);
                }
                ("metadata" | "targetRef" | "roleRef" | "ownerReferences", _) => {
                    self.parts(NameKind::Object, name)
                }
                ("subjects", _) => self.parts(NameKind::User, name),
                ("groups", "APIGroup") | ("", "APIGroup") => self.group(name),
                _ => {
                    self.kept.insert(name.to_owned());
                }
            }
        }
        for (key, value) in fields {
            self.kept.insert(key.clone());
            match key.as_str() {
                "labels" | "annotations" | "matchLabels" | "selector" => self.labels(value),
                "metadata" if fields.contains_key("spec") && is_registration(fields) => {
                    self.value(value, key, "APIService");
                }
                _ => self.value(value, key, own),
            }
        }
    }

    fn labels(&mut self, labels: &Value) {
        for (key, value) in labels.as_object().into_iter().flatten() {
            let (domain, _) = key.split_once('/').unwrap_or(("kubernetes.io", key));
            if !is_well_known_group(domain) && domain != "meta.helm.sh" {
                self.name(NameKind::Group, domain);
            }
            let own = domain.ends_with("kubernetes.io") || domain.ends_with("k8s.io");
            let naming = NAMING_LABELS.contains(&key.as_str())
                || domain == "app.kubernetes.io"
                || !key.contains('/');
            if let Some(text) = value.as_str().filter(|_| naming || !own) {
                self.parts(NameKind::Label, text);
            }
        }
    }

    fn string(&mut self, text: &str, field: &str) {
        if VOCABULARY.contains(&field) {
            self.kept
                .extend(split(text).filter(|(_, is_word)| *is_word).map(|(w, _)| w.to_owned()));
            return;
        }
        match field {
            "namespace" => self.name(NameKind::Namespace, text),
            "group" | "apiGroup" | "apiGroups" => self.group(text),
            "externalName" | "nodeName" | "hostname" | "holderIdentity" => {
                self.parts(NameKind::Host, text);
            }
            "serviceAccountName" | "username" => self.parts(NameKind::User, text),
            "caBundle" => {
                self.certificates.insert(text.to_owned());
            }
            _ if text.contains("-----BEGIN CERTIFICATE") => {
                self.certificates.insert(text.to_owned());
            }
            _ => self.prose(text),
        }
    }

    /// Adds addresses, hosts of Services and users in a message.
    fn prose(&mut self, text: &str) {
        self.addresses.extend(text.parse::<IpAddr>().ok());
        for (word, _) in split(text).filter(|(_, is_word)| *is_word) {
            self.addresses.extend(word.trim_end_matches('.').parse::<IpAddr>().ok());
            if let Some(at) = word.find(".svc") {
                let labels = word.get(..at).unwrap_or_default().split('.');
                labels.for_each(|label| self.name(NameKind::Host, label));
            }
        }
        for after in text.split("User \"").skip(1) {
            let user = after.split('"').next().unwrap_or_default();
            self.parts(NameKind::User, user);
        }
    }

    /// Returns whether a word stays as it is.
    pub(super) fn keeps(&self, word: &str) -> bool {
        self.kept.contains(word)
            || self.known_groups.contains(word)
            || WELL_KNOWN.contains(&word)
            || word.is_empty()
            || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    }
}

/// Returns whether an object is an APIService or a CRD, whose kind a list may omit.
fn is_registration(fields: &Map<String, Value>) -> bool {
    fields.get("spec").is_some_and(|spec| {
        spec.get("group").is_some()
            && (spec.get("names").is_some() || spec.get("version").is_some())
    })
}
