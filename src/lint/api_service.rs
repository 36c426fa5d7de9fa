//! An APIService of the input, with its fields at hand.

use super::finding::{Finding, Place};
use super::rule::Rule;
use super::server::{self, View, Violation};
use crate::base64;
use crate::certificate::Bundle;
use crate::document::{Node, Span, Value};
use std::sync::OnceLock;

/// An object of the input: where it is and what it says.
#[derive(Debug, Clone, Copy)]
pub struct Object<'a> {
    /// The number of the file in the input.
    pub file: usize,
    /// The number of the document in the file.
    pub document: usize,
    /// The object itself.
    pub node: &'a Node<'a>,
}

/// The Service that an APIService leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServiceReference<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Its port, 443 where none is given.
    pub port: i64,
}

/// An APIService manifest.
#[derive(Debug, Clone)]
pub struct ApiService<'a> {
    /// The object.
    pub object: Object<'a>,
    /// What the API server would refuse about it.
    pub violations: Vec<Violation>,
    /// `metadata.name`.
    pub name: &'a str,
    /// `spec.group`.
    pub group: &'a str,
    /// `spec.version`.
    pub version: &'a str,
    /// `spec.groupPriorityMinimum`.
    pub group_priority: i64,
    /// `spec.versionPriority`.
    pub version_priority: i64,
    /// `spec.service`; none makes it local.
    pub service: Option<ServiceReference<'a>>,
    /// `spec.insecureSkipTLSVerify`.
    pub insecure: bool,
    /// What the caBundle holds, read when a rule first asks.
    bundle: OnceLock<Option<Bundle>>,
}

impl<'a> ApiService<'a> {
    /// Reads the fields and validates them as a server of this version does.
    pub fn new(object: Object<'a>, minor: u32) -> Self {
        let view = View { root: object.node };
        let service = view.node(&["spec", "service"]).map(|_| ServiceReference {
            namespace: view.text(&["spec", "service", "namespace"]),
            name: view.text(&["spec", "service", "name"]),
            port: view.number(&["spec", "service", "port"]).unwrap_or(443),
        });
        Self {
            object,
            violations: server::validate(object.node, minor),
            name: view.text(&["metadata", "name"]),
            group: view.text(&["spec", "group"]),
            version: view.text(&["spec", "version"]),
            group_priority: view.number(&["spec", "groupPriorityMinimum"]).unwrap_or(0),
            version_priority: view.number(&["spec", "versionPriority"]).unwrap_or(0),
            service,
            insecure: view.flag(&["spec", "insecureSkipTLSVerify"]),
            bundle: OnceLock::new(),
        }
    }

    /// Whether the server would take it. Rules that look beyond the server's
    /// own checks have little to say about an object that never exists.
    pub fn accepted(&self) -> bool {
        self.violations.is_empty()
    }

    /// Whether these names mean something: the fields that most rules rest on
    /// are well-formed, whatever else may be wrong.
    pub fn has_group_version(&self) -> bool {
        !self.version.is_empty()
            && !self.violations.iter().any(|v| {
                matches!(v.refusal, server::Refusal::WrongType)
                    || v.field == "spec.group"
                    || v.field == "spec.version"
            })
    }

    /// `<version>.<group>`, the name that it must have.
    pub fn required_name(&self) -> String {
        format!("{}.{}", self.version, self.group)
    }

    /// What the caBundle holds; none where it is absent, empty or not base64.
    pub fn bundle(&self) -> Option<&Bundle> {
        self.bundle.get_or_init(|| Some(Bundle::read(&self.ca_bundle()?))).as_ref()
    }

    fn ca_bundle(&self) -> Option<Vec<u8>> {
        let node = View { root: self.object.node }.node(&["spec", "caBundle"])?;
        let bytes = match &node.value {
            Value::String(text) => base64::decode(text.as_bytes()).ok()?,
            Value::Sequence(items) => {
                let byte = |n: &Node<'_>| n.as_i64().and_then(|b| u8::try_from(b).ok());
                items.iter().map(byte).collect::<Option<_>>()?
            }
            _ => return None,
        };
        (!bytes.is_empty()).then_some(bytes)
    }

    /// An annotation's value.
    pub fn annotation(&self, key: &str) -> Option<&'a str> {
        View { root: self.object.node }.node(&["metadata", "annotations", key])?.as_str()
    }

    /// A node by the path of its keys.
    pub fn node(&self, path: &[&str]) -> Option<&'a Node<'a>> {
        View { root: self.object.node }.node(path)
    }

    /// `APIService/<name>`, for messages.
    pub fn title(&self) -> String {
        match (self.name, self.version) {
            ("", "") => "APIService".to_owned(),
            ("", _) => format!("APIService/{}", self.required_name()),
            (name, _) => format!("APIService/{name}"),
        }
    }

    /// Where a field stands, or the nearest thing to it that is there.
    pub fn place(&self, field: &str) -> Place {
        let path: Vec<&str> = field.split('.').collect();
        self.place_of(View { root: self.object.node }.place(&path))
    }

    /// A place inside of this object's file.
    pub fn place_of(&self, span: Span) -> Place {
        Place { file: self.object.file, document: self.object.document, span }
    }

    /// A finding about a field.
    pub fn finding(&self, rule: &'static Rule, field: &str, message: impl Into<String>) -> Finding {
        Finding::new(rule, self.place(field), message).field(field).object(self.title())
    }
}
