//! Converts an APIResourceList or a CRD to resources of the aggregated discovery document.

use crate::model::{
    AggregatedResource, AggregatedSubresource, ApiResource, Crd, CrdVersion, GroupVersion,
    GroupVersionKind, Verb, verb,
};

/// Converts an APIResourceList, with subresources nested in their parents.
///
/// Mirrors the aggregator's conversion for servers without aggregated discovery: a subresource
/// without a parent gets a parent without verbs.
pub fn resources_of_list(list: &[ApiResource]) -> Vec<AggregatedResource> {
    let parents = list.iter().filter(|entry| !entry.name.contains('/'));
    let mut resources: Vec<AggregatedResource> = Vec::with_capacity(parents.clone().count());
    for entry in parents {
        resources.push(AggregatedResource {
            resource: entry.name.clone(),
            response_kind: kind(entry),
            namespaced: entry.namespaced,
            singular: entry.singular.clone(),
            verbs: entry.verbs.clone(),
            short_names: entry.short_names.clone(),
            categories: entry.categories.clone(),
            subresources: vec![],
        });
    }
    for entry in list {
        let Some((parent, name)) = entry.name.split_once('/') else { continue };
        let subresource = AggregatedSubresource {
            subresource: name.to_owned(),
            response_kind: kind(entry),
            verbs: entry.verbs.clone(),
        };
        match resources.iter_mut().find(|r| r.resource == parent) {
            Some(resource) => resource.subresources.push(subresource),
            None => resources.push(AggregatedResource {
                resource: parent.to_owned(),
                namespaced: entry.namespaced,
                subresources: vec![subresource],
                ..AggregatedResource::default()
            }),
        }
    }
    resources
}

fn kind(entry: &ApiResource) -> GroupVersionKind {
    GroupVersionKind {
        group: entry.group.clone(),
        version: entry.version.clone(),
        kind: entry.kind.clone(),
    }
}

/// Returns the resource that a CRD adds to one of its versions, as the CRD discovery controller
/// does.
pub(super) fn resource_of_crd(crd: &Crd, version: &CrdVersion) -> AggregatedResource {
    let verbs: &[&str] = if crd.terminating {
        &["delete", "deletecollection", "get", "list", "watch"]
    } else {
        &["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]
    };
    let own = |kind: &str| GroupVersionKind {
        group: crd.group.clone(),
        version: version.name.clone(),
        kind: kind.to_owned(),
    };
    let subresource = |name: &str, response_kind| AggregatedSubresource {
        subresource: name.to_owned(),
        response_kind,
        verbs: ["get", "patch", "update"].map(verb).to_vec(),
    };
    let mut subresources = vec![];
    if version.status_subresource {
        subresources.push(subresource("status", own(&crd.kind)));
    }
    if version.scale_subresource {
        let scale = GroupVersionKind {
            group: "autoscaling".into(),
            version: "v1".into(),
            kind: "Scale".into(),
        };
        subresources.push(subresource("scale", scale));
    }
    AggregatedResource {
        resource: crd.plural.clone(),
        response_kind: own(&crd.kind),
        namespaced: crd.namespaced,
        singular: crd.singular.clone(),
        verbs: verbs.iter().copied().map(verb).collect(),
        short_names: crd.short_names.clone(),
        categories: crd.categories.clone(),
        subresources,
    }
}

/// Returns the APIResourceList of a group version that CRDs serve.
pub(super) fn list_of_resources<'c>(
    gv: &GroupVersion,
    crds: impl Iterator<Item = &'c Crd>,
) -> Vec<ApiResource> {
    let mut list = vec![];
    for crd in crds {
        let Some(version) = crd.served_version(&gv.version) else { continue };
        let resource = resource_of_crd(crd, version);
        let entry = |name: String, kind: GroupVersionKind, verbs: Vec<Verb>| ApiResource {
            name,
            namespaced: crd.namespaced,
            // A list entry has a group and version only if its kind belongs to another group.
            group: if kind.group == gv.group { String::new() } else { kind.group.clone() },
            version: if kind.group == gv.group { String::new() } else { kind.version },
            kind: kind.kind,
            verbs,
            ..ApiResource::default()
        };
        list.push(ApiResource {
            singular: resource.singular,
            short_names: resource.short_names,
            categories: resource.categories,
            ..entry(resource.resource.clone(), resource.response_kind, resource.verbs)
        });
        for sub in resource.subresources {
            let name = format!("{}/{}", resource.resource, sub.subresource);
            list.push(entry(name, sub.response_kind, sub.verbs));
        }
    }
    list
}
