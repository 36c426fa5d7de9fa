//! An APIService of the input, with its fields at hand.

use super::finding::{Finding, Place};
use super::rule::Rule;
use super::server::{self, View, Violation};
use aggctl_certificate::Bundle;
use kube_aggregation::availability::Flaw;
use kube_aggregation::ca_bundle::base64;
use kube_aggregation::model::{self, GroupVersion, Ownership, ServiceReference};
use located_document::{Node, Span, Value};
use std::borrow::Cow;
use std::sync::OnceLock;

/// An object of the input: where it is and what it says.
#[derive(Debug, Clone, Copy)]
pub struct ManifestObject<'a> {
    /// The number of the file in the input.
    pub file: usize,
    /// The number of the document in the file.
    pub document: usize,
    /// The object itself.
    pub node: &'a Node<'a>,
}

/// An APIService manifest: what the model says of it, and where it says so.
#[derive(Debug, Clone)]
pub struct ApiService<'a> {
    /// The object.
    pub object: ManifestObject<'a>,
    /// What the API server would refuse about it.
    pub violations: Vec<Violation>,
    /// Whether a kustomization that builds with it says how its Service is trusted.
    pub(super) trusted_later: bool,
    /// As it would be in a cluster. The caBundle is read only when a rule asks for it.
    model: model::ApiService,
    bundle: OnceLock<Option<Box<Bundle>>>,
    pub(super) flaws: OnceLock<Vec<Flaw>>,
}

impl std::ops::Deref for ApiService<'_> {
    type Target = model::ApiService;

    fn deref(&self) -> &model::ApiService {
        &self.model
    }
}

/// The fields of `spec` that every APIService has.
const REQUIRED: [&str; 4] = ["group", "version", "groupPriorityMinimum", "versionPriority"];

impl<'a> ApiService<'a> {
    /// Reads the fields and validates them as a server of this version does.
    pub fn new(object: ManifestObject<'a>, minor: u32) -> Self {
        let view = View { root: object.node };
        let text = |path: &[&str]| view.text(path).to_owned();
        // What does not fit is refused, and the rest is judged without it.
        let number =
            |path: &[&str]| view.number(path).and_then(|n| i32::try_from(n).ok()).unwrap_or(0);
        let model = model::ApiService {
            name: text(&["metadata", "name"]),
            group_version: GroupVersion::new(text(&["spec", "group"]), text(&["spec", "version"])),
            service: view.node(&["spec", "service"]).map(|_| ServiceReference {
                namespace: text(&["spec", "service", "namespace"]),
                name: text(&["spec", "service", "name"]),
                port: match view.node(&["spec", "service", "port"]) {
                    None => 443,
                    Some(_) => number(&["spec", "service", "port"]),
                },
            }),
            group_priority: number(&["spec", "groupPriorityMinimum"]),
            version_priority: number(&["spec", "versionPriority"]),
            ca_bundle: None,
            insecure_skip_tls_verify: view.flag(&["spec", "insecureSkipTLSVerify"]),
            automanaged: None,
            available: None,
            created: None,
            provenance: Ownership::default(),
            inferred: false,
        };
        let mut violations = server::validate(object.node, minor);
        violations.shrink_to_fit();
        let (bundle, flaws) = (OnceLock::new(), OnceLock::new());
        Self { object, violations, trusted_later: false, model, bundle, flaws }
    }

    /// The group.
    pub fn group(&self) -> &str {
        &self.group_version.group
    }

    /// The version.
    pub fn version(&self) -> &str {
        &self.group_version.version
    }

    /// Sets the namespace of the Service, as kustomize does.
    pub(super) fn move_to(&mut self, namespace: &str) {
        if let Some(service) = &mut self.model.service {
            namespace.clone_into(&mut service.namespace);
        }
    }

    /// Whether it says nothing of what every APIService must say: a patch for another one.
    pub(super) fn is_patch(&self) -> bool {
        !self.name.is_empty() && REQUIRED.iter().all(|key| self.node(&["spec", key]).is_none())
    }

    /// Whether it says all that every APIService must say.
    pub(super) fn is_complete(&self) -> bool {
        REQUIRED.iter().all(|key| self.node(&["spec", key]).is_some())
    }

    /// Whether these names mean something: the fields that most rules rest on
    /// are well-formed, whatever else may be wrong.
    pub fn has_group_version(&self) -> bool {
        !self.version().is_empty()
            && !self.violations.iter().any(|v| {
                matches!(v.refusal, server::ServerRejection::WrongType)
                    || v.field == "spec.group"
                    || v.field == "spec.version"
            })
    }

    /// What the caBundle holds; none where it is absent, empty or not base64.
    pub fn bundle(&self) -> Option<&Bundle> {
        self.bundle.get_or_init(|| Some(Box::new(Bundle::read(&self.ca_bundle()?)))).as_deref()
    }

    fn ca_bundle(&self) -> Option<Vec<u8>> {
        let node = self.node(&["spec", "caBundle"])?;
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
        self.node(&["metadata", "annotations", key])?.as_str()
    }

    /// A node by the path of its keys.
    pub fn node(&self, path: &[&str]) -> Option<&'a Node<'a>> {
        View { root: self.object.node }.node(path)
    }

    /// `APIService/<name>`, for messages.
    pub fn title(&self) -> String {
        match (self.name.as_str(), self.version()) {
            ("", "") => "APIService".to_owned(),
            ("", _) => format!("APIService/{}", self.group_version.api_service_name()),
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
    pub fn finding(
        &self,
        rule: &'static Rule,
        field: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Finding {
        let field = field.into();
        Finding::new(rule, self.place(&field), message).field(field).object(self.title())
    }
}
