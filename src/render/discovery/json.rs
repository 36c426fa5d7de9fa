//! Discovery documents, as tables and as the server writes them.

use serde_json::{Value, json};

use crate::discovery::Document;
use crate::model::{
    AggregatedGroup, AggregatedResource, ApiResource, Freshness, GroupVersion, GroupVersionKind,
    LegacyGroup,
};
use crate::registry::{Backing, Registry};
use crate::render::Page;
use crate::render::json::Basis;
use crate::render::table::{Table, Tone};

/// A document as JSON of the server's own form, with what it rests on beside it.
pub fn discovery_json(document: &Document, basis: Basis<'_>) -> Value {
    let mut value = servers_form(document);
    basis.put_into(&mut value);
    value
}

/// The groups of a document that lists groups, a line each; any other document as it is.
pub fn discovery_lines(document: &Document, basis: Basis<'_>) -> Vec<Value> {
    let of_kind = |mut value: Value, kind: &str, api_version: &str| {
        if let Value::Object(map) = &mut value {
            map.insert("kind".into(), kind.into());
            map.insert("apiVersion".into(), api_version.into());
        }
        basis.put_into(&mut value);
        value
    };
    match document {
        Document::Groups(groups) => {
            groups.iter().map(|group| of_kind(legacy_group(group), "APIGroup", "v1")).collect()
        }
        Document::Aggregated(groups) => (groups.iter())
            .map(|g| of_kind(aggregated_group(g), "APIGroupDiscovery", AGGREGATED_VERSION))
            .collect(),
        _ => vec![discovery_json(document, basis)],
    }
}

/// The API version of the aggregated document.
const AGGREGATED_VERSION: &str = "apidiscovery.k8s.io/v2";

fn servers_form(document: &Document) -> Value {
    match document {
        Document::Groups(groups) => {
            let groups: Vec<Value> = groups.iter().map(legacy_group).collect();
            json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
        }
        Document::Group(group) => {
            let mut value = legacy_group(group);
            if let Value::Object(map) = &mut value {
                map.insert("kind".into(), "APIGroup".into());
                map.insert("apiVersion".into(), "v1".into());
            }
            value
        }
        Document::Aggregated(groups) => {
            let items: Vec<Value> = groups.iter().map(aggregated_group).collect();
            json!({"kind": "APIGroupDiscoveryList", "apiVersion": AGGREGATED_VERSION, "metadata": {}, "items": items})
        }
        Document::Resources(gv, list) => {
            let resources: Vec<Value> = list.iter().map(resource).collect();
            json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": gv.to_string(), "resources": resources})
        }
        Document::Versions(versions) => json!({"kind": "APIVersions", "versions": versions}),
    }
}

fn legacy_group(group: &LegacyGroup) -> Value {
    let version = |v: &String| json!({"groupVersion": format!("{}/{v}", group.name), "version": v});
    let versions: Vec<Value> = group.versions.iter().map(version).collect();
    json!({"name": group.name, "versions": versions, "preferredVersion": version(&group.preferred)})
}

fn aggregated_group(group: &AggregatedGroup) -> Value {
    let versions: Vec<Value> = (group.versions.iter())
        .map(|v| {
            let mut value = json!({"version": v.version, "freshness": v.freshness.as_str()});
            put(&mut value, "resources", v.resources.iter().map(aggregated_resource).collect());
            value
        })
        .collect();
    let metadata = if group.name.is_empty() { json!({}) } else { json!({"name": group.name}) };
    json!({"metadata": metadata, "versions": versions})
}

fn aggregated_resource(r: &AggregatedResource) -> Value {
    let mut value = json!({
        "resource": r.resource,
        "responseKind": kind(&r.response_kind),
        "scope": if r.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": r.singular,
        "verbs": r.verbs,
    });
    let words = |all: &[String]| all.iter().map(|w| Value::from(w.as_str())).collect();
    put(&mut value, "shortNames", words(&r.short_names));
    put(&mut value, "categories", words(&r.categories));
    let subresources = r.subresources.iter().map(|s| {
        json!({"subresource": s.subresource, "responseKind": kind(&s.response_kind), "verbs": s.verbs})
    });
    put(&mut value, "subresources", subresources.collect());
    value
}

fn kind(kind: &GroupVersionKind) -> Value {
    json!({"group": kind.group, "version": kind.version, "kind": kind.kind})
}

fn resource(r: &ApiResource) -> Value {
    let mut value = json!({"name": r.name, "singularName": r.singular, "namespaced": r.namespaced, "kind": r.kind, "verbs": r.verbs});
    if let Value::Object(map) = &mut value {
        for (key, text) in [("group", &r.group), ("version", &r.version)] {
            if !text.is_empty() {
                map.insert(key.into(), text.as_str().into());
            }
        }
    }
    let words = |all: &[String]| all.iter().map(|w| Value::from(w.as_str())).collect();
    put(&mut value, "shortNames", words(&r.short_names));
    put(&mut value, "categories", words(&r.categories));
    value
}

/// Sets a list, unless it is empty: the server leaves those out.
fn put(value: &mut Value, key: &str, list: Vec<Value>) {
    if let (Value::Object(map), false) = (value, list.is_empty()) {
        map.insert(key.into(), list.into());
    }
}

/// A document as a table.
pub fn discovery_table(registry: &Registry<'_>, document: &Document, page: Page) -> String {
    match document {
        Document::Groups(groups) => groups_table(registry, groups, page),
        Document::Group(group) => groups_table(registry, std::slice::from_ref(group), page),
        Document::Aggregated(groups) => aggregated_table(registry, groups, page),
        Document::Resources(_, list) => resources_table(list, page),
        Document::Versions(versions) => {
            let mut table = Table::new(&["GROUP", "VERSION"], page);
            for version in versions {
                table.row(["(core)", version]);
            }
            table.render()
        }
    }
}

fn groups_table(registry: &Registry<'_>, groups: &[LegacyGroup], page: Page) -> String {
    let mut table = Table::new(&["GROUP", "VERSION", "PREFERRED", "FROM"], page);
    for group in groups {
        for version in &group.versions {
            let preferred = if *version == group.preferred { "yes" } else { "" };
            let from = origin(registry, &group.name, version);
            table.row([group.name.as_str(), version, preferred, &from]);
        }
    }
    table.render()
}

fn aggregated_table(registry: &Registry<'_>, groups: &[AggregatedGroup], page: Page) -> String {
    let mut table = Table::new(&["GROUP", "VERSION", "FRESHNESS", "RESOURCES", "FROM"], page);
    for group in groups {
        for version in &group.versions {
            let fresh = match version.freshness {
                Freshness::Current => ("Current", Tone::Good),
                Freshness::Stale => ("Stale", Tone::Bad),
            };
            let names: Vec<&str> = version.resources.iter().map(|r| r.resource.as_str()).collect();
            let resources = if page.wide { names.join(",") } else { names.len().to_string() };
            let from = origin(registry, &group.name, &version.version);
            let name = if group.name.is_empty() { "(core)" } else { &group.name };
            table.toned([
                (name, Tone::Plain),
                (&version.version, Tone::Plain),
                fresh,
                (&resources, Tone::Plain),
                (&from, Tone::Plain),
            ]);
        }
    }
    table.render()
}

fn resources_table(list: &[ApiResource], page: Page) -> String {
    let mut headers = vec!["NAME", "SHORTNAMES", "NAMESPACED", "KIND"];
    if page.wide {
        headers.extend(["VERBS", "CATEGORIES"]);
    }
    let mut table = Table::new(&headers, page);
    for r in list {
        let mut cells =
            vec![r.name.clone(), r.short_names.join(","), r.namespaced.to_string(), r.kind.clone()];
        if page.wide {
            cells.extend([r.verbs.join(","), r.categories.join(",")]);
        }
        table.row(cells);
    }
    table.render()
}

/// Who a group version comes from: `built-in`, `crd`, a Service, or what else is known.
fn origin(registry: &Registry<'_>, group: &str, version: &str) -> String {
    let name = GroupVersion::new(group, version).api_service_name();
    match registry.api_service(&name) {
        Some((service, Backing::Service)) => match &service.service {
            Some(reference) => reference.id(),
            None => "some Service".to_owned(),
        },
        Some((_, Backing::BuiltIn | Backing::Extensions)) => "built-in".to_owned(),
        Some((_, Backing::Crd)) => "crd".to_owned(),
        Some((_, Backing::Nobody)) => "nobody (ghost)".to_owned(),
        Some((_, Backing::Unknown)) => "unknown".to_owned(),
        None => "built-in".to_owned(),
    }
}
