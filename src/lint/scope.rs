//! What a rule can see.

use super::api_service::{ApiService, ServiceReference};
use super::facts::{EndpointSlice, Facts, Service, Sourced, same_namespace};
use super::options::Options;
use std::collections::HashMap;

/// All APIServices of the input, and what is known around them.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The APIServices of the input, in order.
    pub api_services: &'a [ApiService<'a>],
    /// The rest of the input, and the cluster.
    pub facts: &'a Facts,
    /// How the run is set up.
    pub options: &'a Options,
    services: HashMap<&'a str, Vec<usize>>,
    slices: HashMap<&'a str, Vec<usize>>,
    by_group: HashMap<&'a str, Vec<usize>>,
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
    pub fn new(
        api_services: &'a [ApiService<'a>],
        facts: &'a Facts,
        options: &'a Options,
    ) -> Self {
        let mut services: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, service) in facts.services.iter().enumerate() {
            services.entry(&service.fact.name).or_default().push(index);
        }
        let mut slices: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, slice) in facts.slices.iter().enumerate() {
            slices.entry(&slice.fact.service).or_default().push(index);
        }
        let mut by_group: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, service) in api_services.iter().enumerate() {
            by_group.entry(service.group).or_default().push(index);
        }
        Self { api_services, facts, options, services, slices, by_group }
    }

    /// The Service that a reference means.
    pub fn service(&self, reference: &ServiceReference<'_>) -> Lookup<'a> {
        let named = self.services.get(reference.name).map_or(&[][..], Vec::as_slice);
        let found = named.iter().map(|i| &self.facts.services[*i]).find(|s| {
            same_namespace(s.fact.namespace.as_deref(), Some(reference.namespace))
        });
        match found {
            Some(service) => Lookup::Found(service),
            None if self.facts.complete.services => Lookup::Missing,
            None if self.input_has_services_of(reference.namespace) => Lookup::NotInInput,
            None => Lookup::Unknown,
        }
    }

    fn input_has_services_of(&self, namespace: &str) -> bool {
        self.facts.services.iter().any(|s| s.fact.namespace.as_deref() == Some(namespace))
    }

    /// The slices of a Service.
    pub fn slices(&self, reference: &ServiceReference<'_>) -> Vec<&'a EndpointSlice> {
        let named = self.slices.get(reference.name).map_or(&[][..], Vec::as_slice);
        named
            .iter()
            .map(|i| &self.facts.slices[*i].fact)
            .filter(|s| same_namespace(s.namespace.as_deref(), Some(reference.namespace)))
            .collect()
    }

    /// The APIServices of the input in a group.
    pub fn group(&self, group: &str) -> impl Iterator<Item = &'a ApiService<'a>> {
        let members = self.by_group.get(group).map_or(&[][..], Vec::as_slice);
        members.iter().map(|i| &self.api_services[*i])
    }

    /// The groups of the input, sorted.
    pub fn groups(&self) -> Vec<&'a str> {
        let mut groups: Vec<&str> = self.by_group.keys().copied().collect();
        groups.sort_unstable();
        groups
    }
}
