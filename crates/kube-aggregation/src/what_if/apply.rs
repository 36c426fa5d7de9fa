//! What-if for manifests: applies them to the objects of a snapshot.
//!
//! Mirrors `kubectl apply` for kinds without a schema: a three-way JSON merge. A field that the
//! manifest omits stays, unless the object was last applied with it. A null field is removed. Lists
//! are replaced as a whole. `kubectl replace` keeps only the status of the object. If the server
//! rejects the result, the object stays unchanged.

use super::{Draft, by, items, service_key, slice_key, subsets};
use crate::model::{
    ApiService, Automanaged, Condition, Crd, CrdNames, Field, Merge, ObjectName, ServiceReference,
    Snapshot,
};
use crate::registry::Registry;

/// The default port of a Service reference.
const DEFAULT_PORT: i32 = 443;

impl Draft {
    /// Merges the manifests' objects into the existing ones by name, in manifest order.
    pub(super) fn apply(&mut self, registry: &Registry<'_>, manifests: &Snapshot, replace: bool) {
        let services = by(items(&manifests.api_services), |s| s.name.clone());
        let crds = by(items(&manifests.crds), |c| c.name.clone());
        let mut order = manifests.order.clone();
        if order.is_empty() {
            order.extend(services.keys().cloned().map(ObjectName::ApiService));
            order.extend(crds.keys().cloned().map(ObjectName::Crd));
        }
        for name in order {
            match name {
                ObjectName::ApiService(name) => {
                    if let Some(manifest) = services.get(&name) {
                        self.apply_api_service(registry, manifest, replace);
                    }
                }
                ObjectName::Crd(name) => {
                    if let Some(manifest) = crds.get(&name) {
                        self.apply_crd(manifest, replace);
                    }
                }
            }
        }
        self.services.extend(by(items(&manifests.services), service_key));
        self.endpoint_slices.extend(by(items(&manifests.endpoint_slices), slice_key));
        self.endpoints.extend(subsets(items(&manifests.endpoints)));
    }

    fn apply_api_service(&mut self, registry: &Registry<'_>, manifest: &ApiService, replace: bool) {
        let name = &manifest.name;
        if replace && !self.api_services.contains_key(name) {
            self.effects.push(format!("APIService {name} {ABSENT}"));
        }
        let gv = &manifest.group_version;
        let served = self.serves(gv);
        let mut old = self.api_services.get(name).cloned();
        // Before kubectl applies this one, the controllers have reacted to the earlier manifests.
        if old.as_ref().is_some_and(|old| self.is_spurious(registry, old)) {
            old = None;
        }
        if old.is_none() && served {
            old = Some(super::register::of_crd(gv));
        }
        let new = match &old {
            None => {
                ApiService { inferred: false, available: None, created: None, ..manifest.clone() }
            }
            Some(old) if replace => replaced(old, manifest),
            Some(old) => merged(old, manifest),
        };
        if let Some(why) = refused(&new) {
            self.effects.push(format!("APIService {name} does not change: {why}"));
            return;
        }
        if let Some(old) = &old
            && let Some(kept) = new.automanaged.filter(|_| old.automanaged == new.automanaged)
            && !same_spec(old, &new)
        {
            self.effects.push(kept_by_server(name, kept, served));
        }
        let left_out = if replace { vec![] } else { left_out(&new, manifest) };
        if !left_out.is_empty() {
            self.effects.push(format!(
                "APIService {name} keeps {}, which the manifest omits: `kubectl apply` removes only fields that it set",
                left_out.join(", ")
            ));
        }
        self.named.insert(name.clone());
        let released = is_released(&new.provenance.merge);
        self.api_services.insert(name.clone(), new);
        if released {
            self.effects.push(format!("APIService {name} is deleted: {RELEASED}"));
            self.delete_api_service(name);
        }
    }

    fn apply_crd(&mut self, manifest: &Crd, replace: bool) {
        let name = &manifest.name;
        if replace && !self.crds.contains_key(name) {
            self.effects.push(format!("CRD {name} {ABSENT}"));
        }
        let crd = match self.crds.get(name) {
            None => Crd {
                accepted: CrdNames::default(),
                established: false,
                names_accepted: false,
                refusal: None,
                terminating: false,
                ..manifest.clone()
            },
            Some(old) => {
                let why = if old.established && old.namespaced != manifest.namespaced {
                    Some("its scope cannot change".to_owned())
                } else {
                    let kept = |v: &&String| manifest.versions.iter().any(|m| m.name == **v);
                    let lost = old.stored_versions.iter().find(|v| !kept(v));
                    lost.map(|v| {
                        format!("objects are stored as {v}, so that version cannot be removed")
                    })
                };
                if let Some(why) = why {
                    self.effects.push(format!("CRD {name} does not change: {why}"));
                    return;
                }
                let mut given = Given::new((manifest, &manifest.merge), (old, &old.merge));
                given.replaces = replace;
                Crd {
                    requested: CrdNames {
                        singular: given.pick(Field::Singular, |crd| &crd.requested.singular),
                        list_kind: given.pick(Field::ListKind, |crd| &crd.requested.list_kind),
                        short_names: given
                            .pick(Field::ShortNames, |crd| &crd.requested.short_names),
                        categories: given.pick(Field::Categories, |crd| &crd.requested.categories),
                        ..manifest.requested.clone()
                    },
                    versions: manifest.versions.clone(),
                    merge: Merge {
                        finalizers: given.pick(Field::Finalizers, |crd| &crd.merge.finalizers),
                        ..old.merge.clone()
                    },
                    ..old.clone()
                }
            }
        };
        self.renamed.push(name.clone());
        let released = is_released(&crd.merge);
        self.put_crd(crd);
        if released {
            self.effects.push(format!("CRD {name} is deleted: {RELEASED}"));
            self.remove_crd(name);
        }
    }
}

/// Note about an object that does not exist and so cannot be replaced.
const ABSENT: &str =
    "does not exist: `kubectl replace` rejects it, `kubectl create` adds it as shown";

/// Why an object disappears when a manifest leaves it without finalizers.
const RELEASED: &str = "it was being deleted, and its last finalizer is removed";

/// Returns whether an object is being deleted and has no finalizers left.
fn is_released(merge: &Merge) -> bool {
    merge.deleted.is_some() && merge.finalizers.is_empty()
}

/// A manifest and the existing object that it is merged into.
struct Given<'m, T> {
    manifest: &'m T,
    old: &'m T,
    stated: &'m [Field],
    /// The fields that the object was last applied with.
    last: &'m [Field],
    /// Whether the manifest determines every field.
    replaces: bool,
}

impl<'m, T> Given<'m, T> {
    fn new((manifest, new): (&'m T, &'m Merge), (old, merge): (&'m T, &'m Merge)) -> Self {
        let last = merge.last_applied.as_ref().map(|(fields, _)| fields.as_slice());
        Self { manifest, old, stated: &new.stated, last: last.unwrap_or_default(), replaces: false }
    }

    /// Returns the manifest's value if it sets or removes the field, or else the object's value.
    fn pick<V: Clone>(&self, field: Field, value: impl Fn(&T) -> &V) -> V {
        let taken = self.replaces || self.stated.contains(&field) || self.last.contains(&field);
        value(if taken { self.manifest } else { self.old }).clone()
    }
}

/// Returns the object after `kubectl replace`: the manifest, with the status and age of the old
/// one.
fn replaced(old: &ApiService, manifest: &ApiService) -> ApiService {
    let mut ownership = manifest.provenance.clone();
    ownership.merge.deleted.clone_from(&old.provenance.merge.deleted);
    let available = if super::same_backend(old, manifest) {
        old.available.clone()
    } else {
        manifest.service.is_none().then(Condition::local)
    };
    ApiService {
        available,
        created: old.created.clone(),
        provenance: ownership,
        inferred: false,
        ..manifest.clone()
    }
}

fn merged(old: &ApiService, manifest: &ApiService) -> ApiService {
    let (asked, had) = (&manifest.provenance.merge, &old.provenance.merge);
    let given = Given::new((manifest, asked), (old, had));
    let mut service = given.pick(Field::Service, |s| &s.service);
    if let (Some(service), Some(old)) = (&mut service, &old.service)
        && given.stated.contains(&Field::Service)
        && !given.stated.contains(&Field::Port)
    {
        let taken_back = given.last.contains(&Field::Port);
        service.port = if taken_back { DEFAULT_PORT } else { old.port };
    }
    let mut provenance = old.provenance.clone();
    let last = provenance.merge.last_applied.as_ref().map(|(_, labels)| labels.clone());
    let last = last.unwrap_or_default();
    provenance.labels.retain(|label, _| !last.contains(label));
    provenance.labels.extend(manifest.provenance.labels.clone());
    provenance.labels.retain(|label, _| !asked.removed_labels.contains(label));
    provenance.merge.finalizers = given.pick(Field::Finalizers, |s| &s.provenance.merge.finalizers);
    // An inferred APIService has a known manager, but no labels.
    let states_label = |labels: &[String]| labels.iter().any(|label| label == Automanaged::LABEL);
    let automanaged = if provenance.labels.contains_key(Automanaged::LABEL)
        || states_label(&last)
        || states_label(&asked.removed_labels)
    {
        Automanaged::of(&provenance.labels)
    } else {
        old.automanaged
    };
    let mut new = ApiService {
        service,
        group_priority: given.pick(Field::GroupPriority, |s| &s.group_priority),
        version_priority: given.pick(Field::VersionPriority, |s| &s.version_priority),
        ca_bundle: given.pick(Field::CaBundle, |s| &s.ca_bundle),
        insecure_skip_tls_verify: given
            .pick(Field::InsecureSkipTlsVerify, |s| &s.insecure_skip_tls_verify),
        automanaged,
        provenance,
        inferred: false,
        ..old.clone()
    };
    if !super::same_backend(old, &new) {
        new.available = new.service.is_none().then(Condition::local);
    }
    new
}

/// Returns the fields that an APIService keeps although its manifest omits them.
fn left_out(new: &ApiService, manifest: &ApiService) -> Vec<&'static str> {
    [
        ("spec.service", new.service.is_some() && manifest.service.is_none()),
        ("spec.caBundle", new.ca_bundle.is_some() && manifest.ca_bundle.is_none()),
        (
            "spec.insecureSkipTLSVerify",
            new.insecure_skip_tls_verify && !manifest.insecure_skip_tls_verify,
        ),
    ]
    .into_iter()
    .filter(|(_, kept)| *kept)
    .map(|(field, _)| field)
    .collect()
}

/// Returns why the server rejects an APIService.
fn refused(service: &ApiService) -> Option<&'static str> {
    let bundle = service.ca_bundle.is_some();
    match (&service.service, bundle, service.insecure_skip_tls_verify) {
        (Some(_), true, true) => {
            Some("the server rejects spec.caBundle with spec.insecureSkipTLSVerify")
        }
        (None, true, _) => Some("the server rejects spec.caBundle without spec.service"),
        (None, _, true) => {
            Some("the server rejects spec.insecureSkipTLSVerify without spec.service")
        }
        (Some(ServiceReference { port, .. }), ..) if !(1..=65_535).contains(port) => {
            Some("the server rejects its port")
        }
        _ => None,
    }
}

/// Returns the note about applying over an APIService that a controller manages.
fn kept_by_server(name: &str, kept: Automanaged, served: bool) -> String {
    let then = match kept {
        Automanaged::OnStart => "so the server restores it at its next start",
        Automanaged::CrdController if served => "so the server restores it immediately",
        Automanaged::CrdController => "so the server deletes it: no CRD serves it",
    };
    format!(
        "APIService {name} is the API server's own: `kubectl apply` leaves its automanaged label, {then}; `kubectl replace` would drop the label"
    )
}

fn same_spec(a: &ApiService, b: &ApiService) -> bool {
    super::same_backend(a, b)
        && (a.group_priority, a.version_priority) == (b.group_priority, b.version_priority)
}
