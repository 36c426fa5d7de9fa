//! Who can control an APIService: call it, change it, or take over its backend.

use std::borrow::Cow;
use std::fmt;

use super::attributes::{Attributes, ResourceAttributes};
use super::authorizer::{Authorizer, is_not_masters};
use super::decision::Grant;
use super::rule::{allows, is_about_group};
use super::user::{AUTHENTICATED, service_account};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, ApiService, FrontProxy, PolicyRule, RbacSubject, RoleBinding,
    ServiceReference, words,
};

words! {
    /// Something that a subject can do with an APIService.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Power {
        /// Call some of its resources.
        Reach = "reach",
        /// Change its backend, or delete it.
        ChangeApiService = "change-apiservice",
        /// Change its Service.
        ChangeService = "change-service",
        /// Write EndpointSlices or Endpoints of that Service.
        ChangeEndpoints = "change-endpoints",
        /// Run Pods, which may have the labels that the Service selects.
        RunPods = "run-pods",
        /// Ask the API server what a user may do, as an extension server must.
        AskBack = "ask-back",
        /// Read how to recognize the API server, as an extension server must.
        ReadFrontProxy = "read-front-proxy",
    }
}

impl Power {
    /// Whether the extension server itself needs it.
    pub fn is_of_server(self) -> bool {
        matches!(self, Self::AskBack | Self::ReadFrontProxy)
    }

    /// The request for which an extension server needs it.
    pub fn own_request(self) -> Option<Attributes<'static>> {
        let (verb, group, resource, namespace, name) = match self {
            Self::AskBack => ("create", "authorization.k8s.io", "subjectaccessreviews", "", ""),
            Self::ReadFrontProxy => {
                ("get", "", "configmaps", FrontProxy::NAMESPACE, FrontProxy::NAME)
            }
            _ => return None,
        };
        let (name, subresource) = (Cow::Borrowed(name), "");
        let about = ResourceAttributes { verb, group, resource, subresource, name, namespace };
        Some(Attributes::Resource(about))
    }

    /// Whether its holder can answer instead of the extension server.
    pub fn redirects(self) -> bool {
        matches!(self, Self::ChangeService | Self::ChangeEndpoints | Self::RunPods)
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reach => "reach its resources",
            Self::ChangeApiService => "change the APIService",
            Self::ChangeService => "change the Service",
            Self::ChangeEndpoints => "change its endpoints",
            Self::RunPods => "run Pods behind it",
            Self::AskBack => "ask back who may",
            Self::ReadFrontProxy => "read the front-proxy CA",
        })
    }
}

/// A subject with a power, and what grants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder<'s> {
    /// What the subject can do.
    pub power: Power,
    /// The subject, and the binding and rule that grant it.
    pub grant: Grant<'s>,
}

/// A group, a resource, and the verbs that change or create an object.
type Write = (&'static str, &'static str, &'static [&'static str]);

const CHANGE: &[&str] = &["update", "patch"];
const CREATE_OR_CHANGE: &[&str] = &["create", "update", "patch"];

impl<'s> Authorizer<'s> {
    /// Lists who can control an APIService, one holder per subject of each binding.
    pub fn holders(&self, service: &ApiService) -> Vec<Holder<'s>> {
        let mut found = vec![];
        for power in Power::ALL {
            let has = |binding: &RoleBinding, rule: &PolicyRule| match power {
                Power::Reach => is_about_group(rule, &service.group_version.group),
                _ => writes(power, service).iter().any(|write| {
                    let counts =
                        |space: &str| binding.namespace.is_empty() || binding.namespace == space;
                    counts(write.namespace()) && allows(rule, write)
                }),
            };
            for binding in self.index().all() {
                let rules = self.rules(binding).unwrap_or_default();
                let Some(rule) = rules.iter().find(|rule| has(binding, rule)) else { continue };
                let holder = |subject| Holder { power, grant: Grant { binding, subject, rule } };
                // Only accounts of the Service's namespace can be the extension server's.
                let counts = |subject: &&RbacSubject| {
                    let here = |to: &ServiceReference| {
                        is_account_of(subject, &binding.namespace, &to.namespace)
                    };
                    !power.is_of_server() || service.service.as_ref().is_some_and(here)
                };
                let subjects = binding.subjects.iter().filter(is_not_masters).filter(counts);
                found.extend(subjects.map(holder));
            }
        }
        found
    }
}

/// Whether a subject of a binding matches service accounts of a namespace.
pub fn is_account_of(subject: &RbacSubject, binding: &str, namespace: &str) -> bool {
    match subject.kind.as_str() {
        "ServiceAccount" => subject.namespace_in(binding) == namespace,
        "Group" => match subject.name.strip_prefix("system:serviceaccounts") {
            Some(of) => of.is_empty() || of.strip_prefix(':') == Some(namespace),
            None => subject.name == AUTHENTICATED,
        },
        _ => service_account(&subject.name).is_some_and(|(of, _)| of == namespace),
    }
}

/// The requests that a power consists of; a right to one of them is enough.
fn writes(power: Power, service: &ApiService) -> Vec<Attributes<'_>> {
    let behind = service.service.as_ref();
    let writes: (&[Write], &str, &str) = match (power, behind) {
        (Power::ChangeApiService, _) => (
            &[(AGGREGATOR_GROUP, "apiservices", &["update", "patch", "delete"])],
            "",
            &service.name,
        ),
        (Power::ChangeService, Some(to)) => (&[("", "services", CHANGE)], &to.namespace, &to.name),
        (Power::ChangeEndpoints, Some(to)) => (
            &[
                ("discovery.k8s.io", "endpointslices", CREATE_OR_CHANGE),
                ("", "endpoints", CREATE_OR_CHANGE),
            ],
            &to.namespace,
            "",
        ),
        (Power::RunPods, Some(to)) => (&[("", "pods", &["create"])], &to.namespace, ""),
        (power, Some(_)) if power.is_of_server() => {
            return power.own_request().into_iter().collect();
        }
        _ => (&[], "", ""),
    };
    let (kinds, namespace, name) = writes;
    let each = kinds.iter().flat_map(|(group, resource, verbs)| {
        verbs.iter().map(move |verb| {
            Attributes::Resource(ResourceAttributes {
                verb,
                group,
                resource,
                subresource: "",
                name: Cow::Borrowed(name),
                namespace,
            })
        })
    });
    each.collect()
}
