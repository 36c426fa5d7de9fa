//! The context that rules check APIServices in: the whole input and the cluster, indexed for
//! lookup.

use super::accounts::{Workload, same_namespace};
use super::api_service::ApiService;
use super::found::Found;
use super::groups::{Group, Groups};
use super::input::LintInput;
use super::objects::{Objects, ServiceManifest};
use super::options::LintOptions;
use super::rbac::Rbac;
use super::together::Together;
use aggctl_diagnose::access::Attributes;
use kube_aggregation::availability::{
    self, AvailabilityCheck, Controller, EndpointKind, Endpoints, Flaw,
};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, Automanaged, Crd, EXTENSIONS_GROUP, EndpointSlice, Gap, GroupVersion, Lack,
    Service, ServiceReference, SnapshotPart, SourceKind,
};
use kube_aggregation::registry::{Anomaly, Backend, Code, Detail, Registry, duplicated_path};
use std::collections::{BTreeMap, HashMap, HashSet};

/// All APIServices of the input, with everything that rules compare them with.
///
/// Lookups use tables that are built once, because there may be a hundred thousand APIServices.
#[derive(Debug)]
pub struct LintContext<'a> {
    /// The APIServices of the input, in order.
    pub api_services: &'a [ApiService<'a>],
    /// The input files.
    pub inputs: &'a [LintInput],
    /// The cluster that they would be applied to, or a baseline.
    pub registry: &'a Registry<'a>,
    /// The options of the run.
    pub options: &'a LintOptions,
    controller: Controller<'a>,
    objects: &'a Objects,
    together: &'a Together,
    /// The Services of each unit of files, by name.
    services: ByUnit<'a, usize>,
    /// The first Service with a name, and with a name in a namespace.
    services_anywhere: HashMap<(Option<&'a str>, &'a str), usize>,
    /// The names of Services of each unit of files, by namespace.
    namespaces: ByUnit<'a, &'a str>,
    slices: HashMap<&'a str, Vec<&'a EndpointSlice>>,
    /// The CRDs of each unit of files, by group.
    crds: ByUnit<'a, usize>,
    workloads: HashMap<(&'a str, &'a str), Vec<usize>>,
    rbac: Rbac<'a>,
    groups: Groups<'a>,
    /// Built-in groups by priority.
    ranks: BTreeMap<i32, Vec<&'a str>>,
    /// The units of files with templates. Not all of their objects are known.
    unrendered: HashSet<usize>,
}

/// The input of a run, sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct LintParts<'a> {
    pub(super) inputs: &'a [LintInput],
    pub(super) objects: &'a Objects,
    pub(super) together: &'a Together,
    /// The files with templates.
    pub(super) unrendered: &'a HashSet<usize>,
}

/// What is known about a Service that an APIService names.
#[derive(Debug, Clone, Copy)]
pub enum ServiceFinding<'a> {
    /// It exists.
    Found {
        /// The Service.
        service: &'a Service,
        /// Whether it is in the cluster rather than in the input.
        in_cluster: bool,
    },
    /// It does not exist, and all Services of the cluster are known.
    Missing,
    /// The input has Services in that namespace, but not this one.
    NotInInput,
    /// Unknown: there is no data about it.
    Unknown,
}

impl<'a> LintContext<'a> {
    /// Builds the lookup tables.
    pub(super) fn new(
        parts: LintParts<'a>,
        api_services: &'a [ApiService<'a>],
        registry: &'a Registry<'a>,
        options: &'a LintOptions,
    ) -> Self {
        let LintParts { inputs, objects, together, unrendered } = parts;
        let mut workloads: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, workload) in objects.workloads.iter().enumerate() {
            for (key, value) in &workload.object.labels {
                workloads.entry((key.as_str(), value.as_str())).or_default().push(index);
            }
        }
        let mut namespaces = ByUnit::default();
        let mut services = ByUnit::default();
        let mut services_anywhere = HashMap::new();
        for (index, ServiceManifest { object, file, .. }) in objects.services.iter().enumerate() {
            let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
            services_anywhere.entry((None, name)).or_insert(index);
            services_anywhere.entry((Some(namespace), name)).or_insert(index);
            let unit = together.unit(*file);
            namespaces.push(unit, namespace, name);
            services.push(unit, name, index);
        }
        let mut crds = ByUnit::default();
        for (index, Found { object, file }) in objects.crds.iter().enumerate() {
            crds.push(together.unit(*file), &object.group, index);
        }
        let cluster = registry.snapshot;
        let mut slices: HashMap<_, Vec<&EndpointSlice>> = HashMap::new();
        let of_cluster = cluster.endpoint_slices.loaded().into_iter().flatten();
        for slice in objects.endpoint_slices.iter().map(|s| &s.object).chain(of_cluster) {
            slices.entry(slice.service.as_deref().unwrap_or_default()).or_default().push(slice);
        }
        let mut ranks: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
        let mut ranked = HashSet::new();
        for (service, backing) in registry.api_services() {
            let group = service.group_version.group.as_str();
            // The core group is under `/api` and has no place among the others.
            let built_in = matches!(backing, Backend::BuiltIn | Backend::Extensions);
            // The priorities of some groups of old versions are not known.
            let known = service.group_priority > 0;
            if built_in && known && !group.is_empty() && ranked.insert(group) {
                ranks.entry(service.group_priority).or_default().push(group);
            }
        }
        Self {
            api_services,
            inputs,
            registry,
            options,
            controller: Controller::new(registry.snapshot),
            objects,
            together,
            services,
            services_anywhere,
            namespaces,
            slices,
            crds,
            workloads,
            rbac: Rbac::new(&objects.roles, &objects.bindings, together),
            groups: Groups::new(api_services, together, &registry.api_services),
            ranks,
            unrendered: unrendered.iter().map(|file| together.unit(*file)).collect(),
        }
    }

    /// Returns whether the registry is from a cluster. A baseline shows what is built in, not what
    /// a cluster lacks.
    fn has_cluster(&self) -> bool {
        self.registry.snapshot.origin.kind != SourceKind::Builtin
    }

    /// Returns whether all CRDs of the cluster are known.
    pub fn knows_crds(&self) -> bool {
        let snapshot = self.registry.snapshot;
        self.has_cluster() && snapshot.crds.is_loaded() && snapshot.crds_complete
    }

    /// Returns the APIServices, those of files that are only context first, so that findings about
    /// two of them are placed in a file that is checked.
    pub fn in_order(&self) -> impl Iterator<Item = &'a ApiService<'a>> {
        let context = |service: &&ApiService<'_>| self.inputs[service.object.file].is_context();
        let services = self.api_services.iter();
        services.clone().filter(context).chain(services.filter(move |s| !context(s)))
    }

    /// Returns whether two files are applied together.
    pub fn together(&self, a: usize, b: usize) -> bool {
        self.together.same(a, b)
    }

    /// Finds the Service that a reference in a file names. Among several variants, prefers the
    /// nearest.
    pub fn service(&self, reference: &ServiceReference, file: usize) -> ServiceFinding<'a> {
        if let Some(found) = self.in_input(reference, file) {
            return ServiceFinding::Found { service: &found.object, in_cluster: false };
        }
        match self.controller.check(reference).service {
            availability::ServiceLookup::Found(service) => {
                ServiceFinding::Found { service, in_cluster: true }
            }
            availability::ServiceLookup::Missing { .. } if self.has_cluster() => {
                ServiceFinding::Missing
            }
            _ if !self.services_beside(&reference.namespace, file).is_empty() => {
                ServiceFinding::NotInInput
            }
            _ => ServiceFinding::Unknown,
        }
    }

    /// Finds the Service in the input that a reference in a file names.
    pub(super) fn in_input(
        &self,
        reference: &ServiceReference,
        file: usize,
    ) -> Option<&'a ServiceManifest> {
        let (namespace, name) = (reference.namespace.as_str(), reference.name.as_str());
        let beside = self.services.get(self.together.unit(file), name).iter();
        let beside = beside
            .filter(|i| same_namespace(&self.objects.services[**i].object.namespace, namespace))
            .min_by_key(|i| self.objects.services[**i].file != file);
        let elsewhere = || {
            let keys = match namespace {
                "" => [None, None],
                _ => [Some(namespace), Some("")],
            };
            keys.into_iter().find_map(|key| self.services_anywhere.get(&(key, name)))
        };
        beside.or_else(elsewhere).map(|i| &self.objects.services[*i])
    }

    /// Returns the names of the Services in a namespace that are applied together with a file.
    pub fn services_beside(&self, namespace: &str, file: usize) -> &[&'a str] {
        self.namespaces.get(self.together.unit(file), namespace)
    }

    /// Runs the availability check for the Service of an APIService, as if the input were applied.
    pub fn steps(&self, service: &ApiService<'_>) -> Option<AvailabilityCheck<'a>> {
        let target = service.service.as_ref()?;
        let found = match self.service(target, service.object.file) {
            ServiceFinding::Found { service, in_cluster: false } => service,
            _ => return Some(self.controller.check(target)),
        };
        // Endpoints are created once Pods run, so manifests do not need to contain them.
        let gap = Gap { part: SnapshotPart::EndpointSlices, lack: Lack::Incomplete };
        Some(AvailabilityCheck {
            reference: target.clone(),
            service: availability::ServiceLookup::Found(found),
            port: found.ports.iter().find(|port| port.port == target.port),
            endpoints: Endpoints {
                kind: EndpointKind::EndpointSlices,
                slices: self.slices(target),
                gap: Some(gap),
            },
        })
    }

    /// Returns the flaws of its Service.
    pub fn flaws<'s>(&self, service: &'s ApiService<'_>) -> &'s [Flaw] {
        let find = || self.steps(service).map(|steps| steps.flaws()).unwrap_or_default();
        service.flaws.get_or_init(find)
    }

    /// Returns the EndpointSlices of a Service.
    fn slices(&self, reference: &ServiceReference) -> Vec<&'a EndpointSlice> {
        let slices = self.slices.get(reference.name.as_str()).into_iter().flatten().copied();
        slices.filter(|s| same_namespace(&s.namespace, &reference.namespace)).collect()
    }

    /// Returns the CRDs of a group that are applied together with a file.
    pub fn crds(&self, group: &str, file: usize) -> Vec<&'a Crd> {
        let crds = self.crds.get(self.together.unit(file), group).iter();
        crds.map(|i| &self.objects.crds[*i].object).collect()
    }

    /// Returns a CRD of the input that serves a group version but is not applied together with a
    /// file, and its file.
    pub fn crd_elsewhere(&self, gv: &GroupVersion, file: usize) -> Option<(&'a Crd, usize)> {
        let unit = self.together.unit(file);
        let serves = |i: &&usize| {
            let Found { object, file } = &self.objects.crds[**i];
            object.served_version(&gv.version).is_some() && self.together.unit(*file) != unit
        };
        let first = self.crds.everywhere(&gv.group).filter(serves).min()?;
        let Found { object, file } = &self.objects.crds[*first];
        Some((object, *file))
    }

    /// Returns the group of an APIService, including the cluster's versions.
    pub fn group(&self, service: &ApiService<'_>) -> Option<&Group<'a>> {
        self.groups.get(self.together.unit(service.object.file), service.group())
    }

    /// Returns the groups of the input, sorted by unit and name.
    pub fn groups(&self) -> Vec<(usize, &Group<'a>)> {
        self.groups.sorted()
    }

    /// Returns the anomalies that an APIService would have once it and its files are applied.
    pub fn anomalies<'s>(&'s self, service: &'s ApiService<'_>) -> Vec<Anomaly<'s>> {
        let (gv, own_group) = (&service.group_version, self.is_built_in_group(service.group()));
        let of_group = self.crds(&gv.group, service.object.file);
        let mut crds: Vec<&Crd> =
            of_group.iter().copied().filter(|c| c.served_version(&gv.version).is_some()).collect();
        crds.extend(self.registry.custom_resources(gv));
        let backing = match &service.service {
            Some(_) => Backend::Service,
            None if self.is_built_in(gv) => Backend::BuiltIn,
            None if !crds.is_empty() => Backend::Crd,
            None if own_group || self.knows_crds() || !of_group.is_empty() => Backend::Unserved,
            None => Backend::Unknown,
        };
        if !service.has_group_version() && gv.group != AGGREGATOR_GROUP {
            return vec![];
        }
        let mut anomalies = self.registry.anomalies(service, backing);
        // In these groups requests never reach the backend, so it does not matter.
        let ghost = !own_group && gv.group != AGGREGATOR_GROUP;
        anomalies.retain(|o| match o.code {
            Code::Ghost => ghost,
            code => code != Code::ShadowsCrd,
        });
        if backing == Backend::Service && !crds.is_empty() {
            anomalies.extend(duplicated_path(self.registry.minor, service, crds.clone()));
            let anomaly = Anomaly::of(Code::ShadowsCrd, service).with("crds", Detail::Crds(crds));
            anomalies.push(anomaly);
        }
        if let Some(reference) = service.service.as_ref().filter(|_| self.is_given_up(service))
            && matches!(
                self.service(reference, service.object.file),
                ServiceFinding::Missing | ServiceFinding::NotInInput
            )
        {
            let anomaly = Anomaly::of(Code::StuckBuiltInApiservice, service);
            anomalies.push(anomaly.with("service", Detail::Service(reference)));
        }
        anomalies
    }

    /// Returns whether an APIService shadows a built-in group version and the server does not
    /// restore it, because the manifest removes its label or the cluster's has none.
    fn is_given_up(&self, service: &ApiService<'_>) -> bool {
        let managed = match service.node(&["metadata", "labels", Automanaged::LABEL]) {
            Some(label) => matches!(label.as_str(), Some("onstart" | "true")),
            None => (self.registry.api_service(&service.name))
                .is_some_and(|(registered, _)| registered.automanaged.is_some()),
        };
        !managed && self.registry.shadows_built_in(service)
    }

    /// Returns whether the API server itself serves a version of a group.
    pub fn is_built_in_group(&self, group: &str) -> bool {
        self.registry.is_built_in_group(group) || group == EXTENSIONS_GROUP
    }

    /// Returns whether the API server itself serves a group version.
    pub fn is_built_in(&self, gv: &GroupVersion) -> bool {
        let registered = self.registry.api_service(&gv.api_service_name());
        let backing = registered.map(|(_, backing)| backing);
        gv.group != AGGREGATOR_GROUP
            && (matches!(backing, Some(Backend::BuiltIn | Backend::Extensions))
                || self.registry.plain(gv).is_some())
    }

    /// Returns the built-in groups with a lower priority, highest first.
    pub fn built_in_groups_below(&self, priority: i32) -> Vec<&'a str> {
        self.ranks.range(..priority).rev().flat_map(|(_, groups)| groups.iter().copied()).collect()
    }

    /// Returns the workload that runs the Pods of an APIService's Service, if both are in the
    /// input.
    pub(super) fn workload_behind(&self, service: &ApiService<'_>) -> Option<&'a Found<Workload>> {
        let target = service.service.as_ref()?;
        let ServiceFinding::Found { service: found, .. } =
            self.service(target, service.object.file)
        else {
            return None;
        };
        self.selected(found).next()
    }

    /// Returns the workloads of the input that a Service selects.
    pub(super) fn selected<'s>(
        &'s self,
        service: &'s Service,
    ) -> impl Iterator<Item = &'a Found<Workload>> + use<'a, 's> {
        let first = service.selector.iter().next();
        let candidates = first.and_then(|(key, value)| self.workloads.get(&(&**key, &**value)));
        let candidates = candidates.into_iter().flatten().map(|i| &self.objects.workloads[*i]);
        candidates.filter(|Found { object, .. }| {
            let mut labels = service.selector.iter();
            same_namespace(&object.namespace, &service.namespace)
                && labels.all(|(key, value)| object.labels.get(key) == Some(value))
        })
    }

    /// Returns a workload that is applied together with a Service, in its namespace. `None` if there
    /// is none, or if the Pods of the Service may come from what was not read.
    pub(super) fn workload_beside(&self, service: &ServiceManifest) -> Option<&'a Workload> {
        let unit = self.together.unit(service.file);
        if self.unrendered.contains(&unit) || self.together.relabels(service.file) {
            return None;
        }
        let beside = |found: &&Found<Workload>| {
            self.together.unit(found.file) == unit
                && same_namespace(&found.object.namespace, &service.object.namespace)
        };
        self.objects.workloads.iter().find(beside).map(|found| &found.object)
    }

    /// Returns whether a workload may do something; `None` if the input does not show it.
    pub(super) fn allows(
        &self,
        workload: &Found<Workload>,
        request: &Attributes<'_>,
    ) -> Option<bool> {
        self.rbac.allows(workload, request)
    }

    /// Returns whether an account in the Service's namespace may write its own caBundle, as far as
    /// the files that are applied together show.
    pub fn registers_itself(&self, target: &ServiceReference, file: usize) -> bool {
        self.rbac.registers_itself(&target.namespace, file)
    }
}

/// Values by name and unit of files.
#[derive(Debug)]
struct ByUnit<'a, T> {
    table: HashMap<&'a str, HashMap<usize, Vec<T>>>,
}

impl<T> Default for ByUnit<'_, T> {
    fn default() -> Self {
        Self { table: HashMap::new() }
    }
}

impl<'a, T> ByUnit<'a, T> {
    fn push(&mut self, unit: usize, name: &'a str, thing: T) {
        self.table.entry(name).or_default().entry(unit).or_default().push(thing);
    }

    fn everywhere(&self, name: &str) -> impl Iterator<Item = &T> {
        self.table.get(name).into_iter().flat_map(HashMap::values).flatten()
    }

    fn get(&self, unit: usize, name: &str) -> &[T] {
        self.table.get(name).and_then(|units| units.get(&unit)).map_or(&[], Vec::as_slice)
    }
}
