//! An APIService manifest of the input, decoded and validated, with the place of each field.

use super::finding::{Finding, Place};
use super::rule::Rule;
use super::server::{self, View, Violation};
use aggctl_certificate::Bundle;
use kube_aggregation::availability::Flaw;
use kube_aggregation::ca_bundle::base64;
use kube_aggregation::model::{self, Ownership};
use located_document::{Node, Span, Value};
use std::borrow::Cow;
use std::sync::OnceLock;

/// An object of the input, and where it is.
#[derive(Debug, Clone, Copy)]
pub struct ManifestObject<'a> {
    /// The index of the file in the input.
    pub file: usize,
    /// The index of the document in the file.
    pub document: usize,
    /// The object itself.
    pub node: &'a Node<'a>,
}

/// An APIService manifest: its decoded fields, and their places in the file.
#[derive(Debug, Clone)]
pub struct ApiService<'a> {
    /// The object.
    pub object: ManifestObject<'a>,
    /// What the API server would reject.
    pub violations: Vec<Violation>,
    /// Whether a kustomization that includes it sets how its Service is verified.
    pub(super) trusted_later: bool,
    /// The object as it would be in a cluster. The caBundle is only decoded when a rule needs it.
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
    /// Decodes an object, and validates it as a server of this version does.
    pub fn new(object: ManifestObject<'a>, minor: u32) -> Self {
        // A value that does not fit is rejected, and the other rules then ignore it. An object
        // without a spec does not decode at all, but has a name.
        let decoded = object.node.decode_leniently::<model::ApiService>();
        let decoded = decoded.unwrap_or_else(|| model::ApiService {
            name: View { root: object.node }.text(&["metadata", "name"]).to_owned(),
            ..model::ApiService::default()
        });
        // The server ignores the status of a manifest, and rules read the rest from the nodes.
        let model = model::ApiService {
            ca_bundle: None,
            automanaged: None,
            available: None,
            created: None,
            provenance: Ownership::default(),
            ..decoded
        };
        let mut violations = server::validate(object.node, minor);
        violations.shrink_to_fit();
        let (bundle, flaws) = (OnceLock::new(), OnceLock::new());
        Self { object, violations, trusted_later: false, model, bundle, flaws }
    }

    /// Returns the group.
    pub fn group(&self) -> &str {
        &self.group_version.group
    }

    /// Returns the version.
    pub fn version(&self) -> &str {
        &self.group_version.version
    }

    /// Sets the namespace of the Service, as kustomize does.
    pub(super) fn move_to(&mut self, namespace: &str) {
        if let Some(service) = &mut self.model.service {
            namespace.clone_into(&mut service.namespace);
        }
    }

    /// Returns whether it sets none of the required fields, because it is a patch for another
    /// APIService.
    pub(super) fn is_patch(&self) -> bool {
        !self.name.is_empty() && REQUIRED.iter().all(|key| self.node(&["spec", key]).is_none())
    }

    /// Returns whether it sets all required fields.
    pub(super) fn is_complete(&self) -> bool {
        REQUIRED.iter().all(|key| self.node(&["spec", key]).is_some())
    }

    /// Returns whether group and version are valid, because most rules depend on them.
    pub fn has_group_version(&self) -> bool {
        !self.version().is_empty()
            && !self.violations.iter().any(|v| {
                matches!(v.rejection, server::ServerRejection::WrongType)
                    || v.field == "spec.group"
                    || v.field == "spec.version"
            })
    }

    /// Returns the decoded caBundle; `None` if it is absent, empty or not base64.
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

    /// Returns the value of an annotation.
    pub fn annotation(&self, key: &str) -> Option<&'a str> {
        self.node(&["metadata", "annotations", key])?.as_str()
    }

    /// Returns a node by the path of its keys.
    pub fn node(&self, path: &[&str]) -> Option<&'a Node<'a>> {
        View { root: self.object.node }.node(path)
    }

    /// Returns `APIService/<name>`, for messages.
    pub fn title(&self) -> String {
        match (self.name.as_str(), self.version()) {
            ("", "") => "APIService".to_owned(),
            ("", _) => format!("APIService/{}", self.group_version.api_service_name()),
            (name, _) => format!("APIService/{name}"),
        }
    }

    /// Returns the place of a field, or of its nearest existing parent.
    pub fn place(&self, field: &str) -> Place {
        let path: Vec<&str> = field.split('.').collect();
        self.place_of(View { root: self.object.node }.place(&path))
    }

    /// Returns a place in the file of this object.
    pub fn place_of(&self, span: Span) -> Place {
        Place { file: self.object.file, document: self.object.document, span }
    }

    /// Creates a finding about a field.
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
