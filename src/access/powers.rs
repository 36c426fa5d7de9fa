//! Who can do what about an APIService: reach it, change it, or take over what is behind it.

use std::borrow::Cow;
use std::fmt;

use super::attributes::{Attributes, ResourceAttributes};
use super::authorizer::{Authorizer, is_not_masters};
use super::decision::Grant;
use super::rule::{allows, is_about_group};
use crate::model::{AGGREGATOR_GROUP, ApiService, PolicyRule, RoleBinding};

/// Something that a subject can do about an APIService. Whoever has one of the last three can
/// answer its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Power {
    /// Ask for its resources, some of them at least.
    Reach,
    /// Change where it leads, or delete it.
    ChangeApiService,
    /// Change the Service that it leads to.
    ChangeService,
    /// Write EndpointSlices or Endpoints of that Service.
    ChangeEndpoints,
    /// Run Pods, which may have the labels that the Service looks for.
    RunPods,
}

impl Power {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Reach,
        Self::ChangeApiService,
        Self::ChangeService,
        Self::ChangeEndpoints,
        Self::RunPods,
    ];

    /// The word of the JSON contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reach => "reach",
            Self::ChangeApiService => "change-apiservice",
            Self::ChangeService => "change-service",
            Self::ChangeEndpoints => "change-endpoints",
            Self::RunPods => "run-pods",
        }
    }

    /// Whether it lets somebody answer in the place of the extension server.
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
        })
    }
}

/// A subject with a power, and what gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder<'s> {
    /// What it can do.
    pub power: Power,
    /// Who, by which binding and rule.
    pub grant: Grant<'s>,
}

/// `group/resource` and the verbs that change one that exists, or bring a new one.
type Write = (&'static str, &'static str, &'static [&'static str]);

const CHANGE: &[&str] = &["update", "patch"];
const APPEAR: &[&str] = &["create", "update", "patch"];

impl<'s> Authorizer<'s> {
    /// Who has power over an APIService, one entry for each subject of each binding.
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
                found.extend(binding.subjects.iter().filter(is_not_masters).map(holder));
            }
        }
        found
    }
}

/// The requests that a power is made of: one of them is enough.
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
            &[("discovery.k8s.io", "endpointslices", APPEAR), ("", "endpoints", APPEAR)],
            &to.namespace,
            "",
        ),
        (Power::RunPods, Some(to)) => (&[("", "pods", &["create"])], &to.namespace, ""),
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
