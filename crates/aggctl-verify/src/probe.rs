//! One request to send.

use kube_aggregation::model::GroupVersion;
use kube_aggregation::routing::{Method, Target};
use kube_aggregation::words;

words! {
    /// What a request asks for. No class can return a user's object.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ProbeClass {
        /// A document of the server: discovery, version, the OpenAPI index.
        Document = "document",
        /// An object with a name that cannot exist.
        AbsentObject = "absent-object",
        /// A resource that no group version has.
        UnknownResource = "unknown-resource",
        /// A subresource of an absent object.
        Subresource = "subresource",
        /// An absent object at the path of the other scope.
        WrongScope = "wrong-scope",
        /// A version that no group has.
        UnknownVersion = "unknown-version",
        /// A path with unusual slashes, escapes or names.
        OddPath = "odd-path",
    }
}

/// The form of a discovery document to ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// JSON in the form that the path has by default.
    Plain,
    /// Aggregated discovery.
    Aggregated,
}

/// A GET request that changes nothing and reads no user's object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probe {
    /// The path as sent, with percent escapes.
    pub path: String,
    /// The form to ask for.
    pub form: Form,
    /// What it asks for.
    pub class: ProbeClass,
    /// The group version that it is about, if any.
    pub group_version: Option<GroupVersion>,
}

/// A part of every name that must not exist. Object names have no capital letters and no
/// underscores, except for kinds such as roles, where a number makes a collision unlikely.
pub(crate) const MARK: &str = "AGGCTL_VERIFY";

/// The same for resources, versions and groups.
pub(crate) const LOWER_MARK: &str = "aggctlverify";

impl Probe {
    /// Returns whether a server with any content answers without a user's object: the request is
    /// not for a resource, or names an object, resource, group or version that cannot exist.
    pub(crate) fn is_harmless(&self) -> bool {
        let Ok(target) = Target::parse(Method::Get, &self.path) else { return false };
        let marked = |word: &str| word.contains(MARK) || word.contains(LOWER_MARK);
        match target.info() {
            // The server cannot parse it either.
            Err(_) => true,
            Ok(info) if info.resource_request => {
                info.verb == "get" && info.name.contains(MARK)
                    || marked(info.resource)
                    || marked(info.version)
                    || marked(info.group)
            }
            Ok(_) => true,
        }
    }

    /// Returns whether a successful answer is a document, which may be read.
    pub fn is_document(&self) -> bool {
        let Ok(target) = Target::parse(Method::Get, &self.path) else { return false };
        target.info().is_ok_and(|info| !info.resource_request)
    }
}
