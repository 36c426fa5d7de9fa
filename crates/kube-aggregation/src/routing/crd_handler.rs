//! The handler of apiextensions-apiserver for all paths below `/apis/`.
//!
//! Mirrors its CRD handler: the documents of custom groups and versions, and the checks that a
//! request passes before a custom resource is served. A failed check is a plain 404.

use std::collections::HashMap;

use super::outcome::{CrdLookupFailure, Decision, Outcome};
use super::request::RequestInfo;
use super::statuses::{End, statuses};
use crate::model::Crd;
use crate::registry::{Backend, Registry};

#[derive(Debug)]
pub(super) struct CrdHandler<'s> {
    /// By group, then by plural, because the server looks up the CRD `<resource>.<group>`.
    crds: HashMap<&'s str, HashMap<&'s str, &'s Crd>>,
    /// Group versions with unknown resources, or that may not be custom at all, with the possible
    /// statuses.
    unknown: HashMap<(&'s str, &'s str), &'static [u16]>,
}

impl<'s> CrdHandler<'s> {
    pub(super) fn new(registry: &'s Registry<'s>) -> Self {
        let mut handler = Self { crds: HashMap::new(), unknown: HashMap::new() };
        for crd in registry.crds.iter() {
            let plural =
                crd.name.strip_suffix(crd.group.as_str()).and_then(|p| p.strip_suffix('.'));
            let group = handler.crds.entry(&crd.group).or_default();
            group.insert(plural.unwrap_or(&crd.plural), crd);
        }
        for (service, backing) in registry.api_services() {
            let gv = &service.group_version;
            let known = registry.custom_resources(gv).next().is_some();
            let statuses: &[u16] = match backing {
                Backend::Crd => &[200, 404],
                // Its backend may be a Service that does not answer.
                Backend::Unknown => &[200, 404, 503],
                _ => continue,
            };
            if !known {
                handler.unknown.insert((&gv.group, &gv.version), statuses);
            }
        }
        handler
    }

    pub(super) fn handle<'a>(
        &'a self,
        segments: &[&'a str],
        info: Option<&RequestInfo<'a>>,
    ) -> (Decision<'a>, End) {
        let miss = |why| (Decision::NoCustom(why), Some((Outcome::NotFound, &[404u16][..])));
        let unknown = |group, version| {
            let statuses = self.unknown.get(&(group, version))?;
            Some((Decision::CustomUnknown, Some((Outcome::Unknown, *statuses))))
        };
        let Some(info) = info.filter(|info| info.resource_request) else {
            return match segments {
                ["apis", group] if self.has_group(group) => document(),
                ["apis", _] => miss(CrdLookupFailure::NoGroup),
                ["apis", group, version] if self.serves(group, version) => document(),
                ["apis", group, version] => unknown(group, version)
                    .unwrap_or_else(|| miss(CrdLookupFailure::NoGroupVersion)),
                _ => miss(CrdLookupFailure::NotAResource),
            };
        };
        if let Some(unknown) = unknown(info.group, info.version) {
            return unknown;
        }
        let crd = self.crds.get(info.group).and_then(|group| group.get(info.resource)).copied();
        let Some(crd) = crd else {
            let any = self.crds.contains_key(info.group);
            return miss(if any {
                CrdLookupFailure::NoCrd
            } else {
                CrdLookupFailure::NoGroupVersion
            });
        };
        if !crd.names_accepted && !crd.established {
            return miss(CrdLookupFailure::NotAccepted(crd));
        }
        let in_namespace = !info.namespace.is_empty();
        if !crd.namespaced && in_namespace {
            return miss(CrdLookupFailure::ClusterScoped(crd));
        }
        if crd.namespaced && !in_namespace && !matches!(info.verb, "list" | "watch") {
            return miss(CrdLookupFailure::Namespaced(crd));
        }
        let Some(version) = crd.served_version(info.version) else {
            return miss(CrdLookupFailure::NotServed(crd));
        };
        let has_verb = match info.subresource {
            "" if info.verb == "create" => !crd.terminating,
            "" => matches!(
                info.verb,
                "get" | "list" | "watch" | "update" | "patch" | "delete" | "deletecollection"
            ),
            "status" if version.status_subresource => is_of_subresource(info.verb),
            "scale" if version.scale_subresource => is_of_subresource(info.verb),
            // The CRD has no such subresource; the handler itself answers 404.
            _ => return (Decision::Custom(crd), Some((Outcome::Served, &[404]))),
        };
        if has_verb {
            (Decision::Custom(crd), Some((Outcome::Served, custom_statuses(info))))
        } else {
            (Decision::CustomVerb(crd), Some((Outcome::MethodNotAllowed, &[405])))
        }
    }

    fn serves(&self, group: &str, version: &str) -> bool {
        let crds = self.crds.get(group).into_iter().flat_map(HashMap::values);
        crds.into_iter().any(|crd| crd.established && crd.served_version(version).is_some())
    }

    fn has_group(&self, group: &str) -> bool {
        let crds = self.crds.get(group).into_iter().flat_map(HashMap::values);
        crds.into_iter().any(|crd| crd.established && crd.versions.iter().any(|v| v.served))
    }
}

fn is_of_subresource(verb: &str) -> bool {
    matches!(verb, "get" | "update" | "patch")
}

fn document<'a>() -> (Decision<'a>, End) {
    (Decision::CustomDocument, Some((Outcome::Served, &[200])))
}

/// Returns the statuses of a custom resource request. They match built-in resources, except that a
/// missing name is only detected after routing: 400.
fn custom_statuses(info: &RequestInfo<'_>) -> &'static [u16] {
    match info.verb {
        "update" | "patch" if info.name.is_empty() => &[400, 415],
        _ => statuses(info.verb, Some(&info.name)),
    }
}
