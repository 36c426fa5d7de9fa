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
    /// Something that a subject can do to an APIService or its backend.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Power {
        /// Call some of its resources.
        Reach = "reach",
        /// Change its backend, or delete it.
        ChangeApiService = "change-apiservice",
        /// Change its Service.
        ChangeService = "change-service",
        /// Write EndpointSlices or Endpoints of its Service.
        ChangeEndpoints = "change-endpoints",
        /// Run Pods, possibly with labels that the Service selects.
        RunPods = "run-pods",
        /// Create SubjectAccessReviews, as an extension server must to check what a user may do.
        AskBack = "ask-back",
        /// Read the front-proxy CA, as an extension server must to recognize the API server.
        ReadFrontProxy = "read-front-proxy",
    }
}

impl Power {
    /// Returns whether the extension server itself needs this power.
    pub fn is_of_server(self) -> bool {
        matches!(self, Self::AskBack | Self::ReadFrontProxy)
    }

    /// Returns the request for which an extension server needs this power.
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

    /// Returns whether a holder of this power can answer instead of the extension server.
    pub fn redirects(self) -> bool {
        matches!(self, Self::ChangeService | Self::ChangeEndpoints | Self::RunPods)
    }
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reach => "send requests to it",
            Self::ChangeApiService => "change the APIService",
            Self::ChangeService => "change the Service",
            Self::ChangeEndpoints => "change its endpoints",
            Self::RunPods => "run Pods of the Service",
            Self::AskBack => "check permissions (auth-delegator)",
            Self::ReadFrontProxy => "read the front-proxy CA",
        })
    }
}

/// A subject with a power, and what grants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder<'s> {
    /// What the subject can do.
    pub power: Power,
    /// The subject, and the binding and rule that grant the power.
    pub grant: Grant<'s>,
}

/// A group, a resource, and the verbs that write its objects.
type Write = (&'static str, &'static str, &'static [&'static str]);

const CHANGE: &[&str] = &["update", "patch"];
const CREATE_OR_CHANGE: &[&str] = &["create", "update", "patch"];

impl<'s> Authorizer<'s> {
    /// Returns who can control an APIService, one holder per subject of each binding.
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
                // The extension server runs with an account of its Service's namespace.
                let counts = |subject: &&RbacSubject| {
                    let here =
                        |to: &ServiceReference| match matched_accounts(subject, &binding.namespace)
                        {
                            Some(MatchedAccounts::Of(namespace)) => namespace == to.namespace,
                            all => all.is_some(),
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

/// The service accounts that a subject matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchedAccounts<'s> {
    /// Those of every namespace.
    All,
    /// One or more of a namespace.
    Of(&'s str),
}

/// Returns the service accounts that a subject of a binding matches. `binding` is the binding's
/// namespace.
pub fn matched_accounts<'s>(
    subject: &'s RbacSubject,
    binding: &'s str,
) -> Option<MatchedAccounts<'s>> {
    use MatchedAccounts::{All, Of};
    match subject.kind.as_str() {
        "ServiceAccount" => Some(Of(subject.namespace_in(binding))),
        "Group" => match subject.name.strip_prefix("system:serviceaccounts") {
            Some("") => Some(All),
            Some(of) => of.strip_prefix(':').map(Of),
            None => (subject.name == AUTHENTICATED).then_some(All),
        },
        _ => service_account(&subject.name).map(|(of, _)| Of(of)),
    }
}

/// Returns the requests that a power consists of. Permission for one of them is enough.
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
