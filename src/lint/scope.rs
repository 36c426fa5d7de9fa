//! What a rule can see.

use super::api_service::{ApiService, ServiceReference};
use super::builtin::Builtin;
use super::facts::{Crd, EndpointSlice, Facts, Grant, Service, Sourced, Workload, same_namespace};
use super::groups::{Group, Groups};
use super::options::Options;
use std::collections::{HashMap, HashSet};

/// All APIServices of the input, and what is known around them.
///
/// Every lookup is by a table that is made once: rules run for each of what may
/// be a hundred thousand APIServices.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The APIServices of the input, in order.
    pub api_services: &'a [ApiService<'a>],
    /// The rest of the input, and the cluster.
    pub facts: &'a Facts,
    /// How the run is set up.
    pub options: &'a Options,
    services: HashMap<&'a str, Vec<usize>>,
    /// The namespaces of which the input has Services.
    namespaces: HashSet<&'a str>,
    slices: HashMap<&'a str, Vec<usize>>,
    crds: HashMap<&'a str, Vec<usize>>,
    workloads: HashMap<(&'a str, &'a str), Vec<usize>>,
    grants: HashMap<&'a str, Vec<usize>>,
    groups: Groups<'a>,
    builtin: Builtin<'a>,
}

/// What is known about a Service that an APIService names.
#[derive(Debug, Clone, Copy)]
pub enum Lookup<'a> {
    /// It is there.
    Found(&'a Sourced<Service>),
    /// It is not there, and all Services of the cluster are known.
    Missing,
    /// The input has Services of that namespace, but not this one.
    NotInInput,
    /// Nothing is known that would tell.
    Unknown,
}

impl<'a> Scope<'a> {
    /// Prepares the lookups.
    pub fn new(api_services: &'a [ApiService<'a>], facts: &'a Facts, options: &'a Options) -> Self {
        let mut workloads: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, workload) in facts.workloads.iter().enumerate() {
            for (key, value) in &workload.fact.labels {
                workloads.entry((key.as_str(), value.as_str())).or_default().push(index);
            }
        }
        let mut grants: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, grant) in facts.grants.iter().enumerate() {
            for (_, _, name) in &grant.fact.subjects {
                grants.entry(name.as_str()).or_default().push(index);
            }
        }
        let of_input = facts.services.iter().filter(|s| s.place.is_some());
        Self {
            api_services,
            facts,
            options,
            services: index(facts.services.iter().map(|s| s.fact.name.as_str())),
            namespaces: of_input.filter_map(|s| s.fact.namespace.as_deref()).collect(),
            slices: index(facts.slices.iter().map(|s| s.fact.service.as_str())),
            crds: index(facts.crds.iter().map(|c| c.fact.group.as_str())),
            workloads,
            grants,
            groups: Groups::new(api_services, &facts.registered),
            builtin: Builtin::new(&facts.registered),
        }
    }

    /// The Service that a reference means.
    pub fn service(&self, reference: &ServiceReference<'_>) -> Lookup<'a> {
        let found = at(&self.services, reference.name)
            .map(|i| &self.facts.services[i])
            .find(|s| same_namespace(s.fact.namespace.as_deref(), Some(reference.namespace)));
        match found {
            Some(service) => Lookup::Found(service),
            None if self.facts.complete.services => Lookup::Missing,
            None if self.namespaces.contains(reference.namespace) => Lookup::NotInInput,
            None => Lookup::Unknown,
        }
    }

    /// The slices of a Service.
    pub fn slices(&self, reference: &ServiceReference<'_>) -> Vec<&'a EndpointSlice> {
        at(&self.slices, reference.name)
            .map(|i| &self.facts.slices[i].fact)
            .filter(|s| same_namespace(s.namespace.as_deref(), Some(reference.namespace)))
            .collect()
    }

    /// The CRDs of a group.
    pub fn crds(&self, group: &str) -> impl Iterator<Item = &'a Crd> {
        at(&self.crds, group).map(|i| &self.facts.crds[i].fact)
    }

    /// The group and its versions, those of the cluster included.
    pub fn group(&self, group: &str) -> Option<&Group<'a>> {
        self.groups.get(group)
    }

    /// The groups of the input, sorted by name.
    pub fn groups(&self) -> Vec<&Group<'a>> {
        self.groups.sorted()
    }

    /// What is built into the API server.
    pub fn builtin(&self) -> &Builtin<'a> {
        &self.builtin
    }

    /// What runs the pods of the Service behind an APIService, if both are in
    /// the input.
    pub fn workload_behind(&self, service: &ApiService<'_>) -> Option<&'a Workload> {
        let Lookup::Found(found) = self.service(&service.service?) else { return None };
        let selector = &found.fact.selector;
        let (key, value) = selector.first()?;
        let candidates = self.workloads.get(&(key.as_str(), value.as_str()))?;
        candidates.iter().map(|i| &self.facts.workloads[*i].fact).find(|workload| {
            same_namespace(workload.namespace.as_deref(), found.fact.namespace.as_deref())
                && selector.iter().all(|pair| workload.labels.contains(pair))
        })
    }

    /// Whether a role binding that fits is given to the service account of a
    /// workload, by its name or by a group that it belongs to.
    pub fn granted(&self, workload: &Workload, fits: impl Fn(&Grant) -> bool) -> bool {
        let account = workload.service_account.as_str();
        let of_namespace = workload.namespace.as_deref().unwrap_or_default();
        let group = format!("system:serviceaccounts:{of_namespace}");
        [account, group.as_str(), "system:serviceaccounts", "system:authenticated"]
            .into_iter()
            .flat_map(|name| at(&self.grants, name).map(move |i| (name, i)))
            .map(|(name, i)| (name, &self.facts.grants[i].fact))
            .any(|(name, grant)| {
                fits(grant)
                    && grant.subjects.iter().any(|(kind, namespace, subject)| {
                        subject == name
                            && match kind.as_str() {
                                "ServiceAccount" => same_namespace(
                                    namespace.as_deref(),
                                    workload.namespace.as_deref(),
                                ),
                                kind => kind == "Group" && name != account,
                            }
                    })
            })
    }
}

fn index<'a>(keys: impl Iterator<Item = &'a str>) -> HashMap<&'a str, Vec<usize>> {
    let mut index: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, key) in keys.enumerate() {
        index.entry(key).or_default().push(number);
    }
    index
}

fn at<'s>(
    index: &'s HashMap<&str, Vec<usize>>,
    key: &str,
) -> impl Iterator<Item = usize> + use<'s> {
    index.get(key).map_or(&[][..], Vec::as_slice).iter().copied()
}
