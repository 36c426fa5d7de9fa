//! Validates an APIService as the API server does when it is created.
//!
//! The steps are those of the server. The version must be known, the JSON must decode (strictly),
//! defaults are filled in, then metadata and spec are validated. A document that does not decode is
//! not validated.

mod decode;
mod metadata;
mod names;
mod schema;
mod spec;

use kube_aggregation::baseline::{self, Told};
use kube_aggregation::model::{GroupVersion, Minor};
use located_document::{Node, Span, Value};
use std::fmt;

/// A kind of rejection. One rule reports each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerRejection {
    /// A value of the wrong JSON type, or a number that does not fit.
    WrongType,
    /// A field that the server does not know.
    UnknownField,
    /// A key that occurs twice.
    DuplicateField,
    /// A caBundle that is not base64.
    Base64,
    /// An apiVersion that the server no longer serves.
    RemovedApiVersion,
    /// An apiVersion that no server ever served.
    UnknownApiVersion,
    /// `metadata.name` and `metadata.generateName`.
    Name,
    /// `metadata.labels`.
    Labels,
    /// `metadata.annotations`.
    Annotations,
    /// The rest of `metadata`.
    Metadata,
    /// `spec.group`.
    Group,
    /// `spec.version`.
    Version,
    /// `spec.groupPriorityMinimum`.
    GroupPriority,
    /// `spec.versionPriority`.
    VersionPriority,
    /// The name and namespace of the Service.
    ServiceReference,
    /// `spec.service.port`.
    Port,
    /// A local APIService with TLS settings.
    LocalTls,
    /// A caBundle together with insecureSkipTLSVerify.
    TlsConflict,
}

/// One thing that the server rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The kind of rejection.
    pub rejection: ServerRejection,
    /// The field as the server writes it.
    pub field: String,
    /// The place of the field, or of its nearest existing parent.
    pub span: Span,
    /// What is wrong, without the field's name.
    pub message: String,
    /// What to do about it, if that is certain.
    pub help: Option<String>,
}

/// Returns whether a name is valid for a namespace, or, with `letter_first`, for a Service.
pub fn is_dns_label(name: &str, letter_first: bool) -> bool {
    name.len() <= 63 && names::lowercase_label(name, letter_first)
}

/// Collects violations.
#[derive(Debug, Default)]
struct Rejections {
    list: Vec<Violation>,
}

impl Rejections {
    fn push(
        &mut self,
        rejection: ServerRejection,
        field: &str,
        span: Span,
        message: impl Into<String>,
    ) {
        let (field, message) = (field.to_owned(), message.into());
        self.list.push(Violation { rejection, field, span, message, help: None });
    }

    /// Adds help to the last violation.
    fn help(&mut self, text: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.help = Some(text.into());
        }
    }
}

/// The first minor version that no longer serves `v1beta1`.
const V1BETA1_REMOVED: u32 = 22;

/// Validates an object as a server of this minor version does on create.
pub fn validate(node: &Node<'_>, minor: u32) -> Vec<Violation> {
    let mut out = Rejections::default();
    let view = View { root: node };
    api_version(&view, minor, &mut out);
    decode::decode(node, &schema::API_SERVICE, minor, &mut out);
    let decodes = out
        .list
        .iter()
        .all(|v| !matches!(v.rejection, ServerRejection::WrongType | ServerRejection::Base64));
    if decodes {
        metadata::check(&view, &mut out);
        spec::check(&view, &mut out);
    }
    out.list
}

fn api_version(view: &View<'_>, minor: u32, out: &mut Rejections) {
    let text = view.text(&["apiVersion"]);
    let version = match text.split('/').collect::<Vec<_>>()[..] {
        // A group with an empty version is decoded as the version of the request.
        ["apiregistration.k8s.io", ""] => "v1",
        ["apiregistration.k8s.io", version] => version,
        _ => "",
    };
    if version == "v1" || (version == "v1beta1" && minor < V1BETA1_REMOVED) {
        return;
    }
    let (rejection, message) = match version {
        "v1beta1" => (
            ServerRejection::RemovedApiVersion,
            removed(text, minor).unwrap_or_else(|| format!("no server serves `{text}` any more")),
        ),
        _ if text.is_empty() => {
            (ServerRejection::UnknownApiVersion, "an APIService needs an apiVersion".to_owned())
        }
        _ => (ServerRejection::UnknownApiVersion, format!("no server has APIServices in `{text}`")),
    };
    out.push(rejection, "apiVersion", view.place(&["apiVersion"]), message);
    out.help("write `apiVersion: apiregistration.k8s.io/v1`");
}

/// Describes when the version was removed, and its replacement.
fn removed(text: &str, minor: u32) -> Option<String> {
    let removal = Removal::find(text, "APIService", Minor::new(minor))?;
    Some(format!("{} {removal}", removal.group_version))
}

/// An API version that servers no longer serve for a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Removal {
    /// The removed group version.
    pub(super) group_version: GroupVersion,
    /// The first minor that does not serve it.
    pub(super) since: Minor,
    /// The group version that serves the kind instead, and since when.
    pub(super) instead: Option<(GroupVersion, Option<Minor>)>,
}

impl Removal {
    /// Returns when an apiVersion was removed for a kind; `None` if this minor still serves it, or
    /// if no Kubernetes did.
    pub(super) fn find(api_version: &str, kind: &str, minor: Minor) -> Option<Self> {
        let group_version = GroupVersion::parse(api_version)?;
        let resource = baseline::resource_of(&group_version, kind)?;
        let when = baseline::when(&group_version, Some(resource), Some(minor))?;
        let Told::UpTo(last, instead) = when.told else { return None };
        Some(Self { group_version, since: Minor::new(last.minor + 1), instead })
    }
}

/// Displayed as a phrase that follows the name of the API.
impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "was removed in Kubernetes {}", self.since)?;
        let Some((instead, since)) = &self.instead else { return Ok(()) };
        match instead.group == self.group_version.group {
            true => write!(f, "; {} is available", instead.version)?,
            false => write!(f, "; {instead} is available")?,
        }
        since.map_or(Ok(()), |since| write!(f, " since {since}"))
    }
}

/// Reads an object like the decoded struct: null equals absent, and so does a value of the wrong
/// type, which was already rejected.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) root: &'a Node<'a>,
}

impl<'a> View<'a> {
    /// Returns the value at a path, if it is set and not null.
    pub(super) fn node(&self, path: &[&str]) -> Option<&'a Node<'a>> {
        path.iter().try_fold(self.root, |node, key| node.get(key)).filter(|n| !n.is_null())
    }

    /// Returns the string at a path, or an empty string.
    pub(super) fn text(&self, path: &[&str]) -> &'a str {
        self.node(path).and_then(Node::as_str).unwrap_or_default()
    }

    /// Returns the number at a path.
    pub(super) fn number(&self, path: &[&str]) -> Option<i64> {
        self.node(path).and_then(Node::as_i64)
    }

    /// Returns the boolean at a path, or false.
    pub(super) fn flag(&self, path: &[&str]) -> bool {
        self.node(path).and_then(Node::as_bool).unwrap_or_default()
    }

    /// Returns whether there are any bytes at a path.
    fn has_bytes(&self, path: &[&str]) -> bool {
        match self.node(path).map(|n| &n.value) {
            // Already known to be valid base64, in which only line breaks encode nothing.
            Some(Value::String(text)) => text.bytes().any(|b| !matches!(b, b'\r' | b'\n')),
            Some(Value::Sequence(items)) => !items.is_empty(),
            _ => false,
        }
    }

    /// Returns the place to point at for a field: its value, or its key if the value is a
    /// collection. If the field is absent, the key of its nearest existing parent, or else the
    /// object's kind.
    pub(super) fn place(&self, path: &[&str]) -> Span {
        let mut node = self.root;
        let mut place = match self.root.entry("kind").or_else(|| self.root.entries().first()) {
            Some(entry) => entry.value.span,
            None => self.root.span,
        };
        for key in path {
            let Some(entry) = node.entry(key) else { break };
            node = &entry.value;
            place = match node.value {
                Value::Mapping(_) | Value::Sequence(_) => entry.key_span,
                _ if node.span.start == node.span.end => entry.key_span,
                _ => node.span,
            };
        }
        place
    }
}
