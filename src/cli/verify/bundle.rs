//! Writes what a bug report needs: the result, and what is registered, without anything else.

use std::path::Path;

use super::super::terminal::Terminal;
use super::round::Verified;
use crate::error::Error;
use crate::render::{Answer, ResponseMeta, SourceFlags, VerificationAnswer, pretty, sanitize};
use crate::replay::{Body, Faults, Replay, Request};
use aggctl_source::{Export, write as write_export};
use kube_aggregation::model::{
    ApiService, Automanaged, Condition, Crd, Input, Merge, Origin, OwnershipMetadata, Snapshot,
    SourceKind,
};
use kube_aggregation::registry::Registry;

/// The documents of a bundle, each with the file that a dump has for it.
const DOCUMENTS: [(&str, &str, bool); 7] = [
    ("apiservices.json", "/apis/apiregistration.k8s.io/v1/apiservices", false),
    ("crds.json", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", false),
    ("version.json", "/version", false),
    ("root.json", "/", false),
    ("apis.json", "/apis", false),
    ("apis-aggregated.json", "/apis", true),
    ("api-aggregated.json", "/api", true),
];

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// Writes the bundle of all servers: one folder per server if there are several.
pub(super) fn write<'a>(
    target: &Path,
    servers: impl Iterator<Item = (&'a String, &'a Verified)>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    let mut files = vec![];
    for (name, verified) in servers {
        // The name of a host is a safe name of a file, and so is an address without colons.
        let folder = name.replace([':', '/', '\\'], "-");
        let place = |file: &str| match folder.as_str() {
            "" => file.to_owned(),
            folder => format!("{folder}-{file}"),
        };
        let answer = VerificationAnswer {
            server: name,
            verification: &verified.verification,
            same: SourceFlags::default(),
            meta: ResponseMeta::none(),
        };
        files.push((place("verification.json"), pretty(&answer.json())?.into_bytes()));
        let snapshot = reduced(&verified.source.snapshot);
        let registry = Registry::new(&snapshot);
        let replay = Replay::new(&registry, Faults::default(), 0);
        for (file, path, aggregated) in DOCUMENTS {
            let accept = if aggregated { AGGREGATED } else { "application/json" };
            let request = Request {
                method: "GET".to_owned(),
                target: path.to_owned(),
                accept: accept.to_owned(),
                ..Request::default()
            };
            let response = replay.respond(&request);
            if let (200, Body::Whole(bytes)) = (response.status, response.body) {
                files.push((place(file), bytes.to_vec()));
            }
        }
    }
    let collected = files.len();
    let export =
        Export { cluster: String::new(), files, collected, missing: 0, at: 0, notes: vec![] };
    write_export(target, &export, false, &|| false)
        .map_err(|error| Error::cannot_write(target.display(), &error))?;
    let text = format!("wrote {}: {collected} files", sanitize(&target.display().to_string()));
    Ok(terminal.note(&text)?)
}

/// Returns only what decides routes. Names what to keep, so that nothing new slips in.
fn reduced(snapshot: &Snapshot) -> Snapshot {
    let origin = Origin { kind: SourceKind::Dump, name: String::new() };
    Snapshot {
        version: snapshot.version.clone(),
        root_paths: snapshot.root_paths.clone(),
        api_services: mapped(&snapshot.api_services, api_service),
        crds: mapped(&snapshot.crds, crd),
        crds_complete: snapshot.crds_complete,
        resource_lists: snapshot.resource_lists.clone(),
        legacy_groups: snapshot.legacy_groups.clone(),
        aggregated_groups: snapshot.aggregated_groups.clone(),
        own_groups: snapshot.own_groups.clone(),
        aggregated_core: snapshot.aggregated_core.clone(),
        ..Snapshot::empty(origin)
    }
}

fn mapped<T>(input: &Input<Vec<T>>, reduce: fn(&T) -> T) -> Input<Vec<T>> {
    match input {
        Input::Loaded(all) => Input::Loaded(all.iter().map(reduce).collect()),
        _ => Input::default(),
    }
}

fn api_service(service: &ApiService) -> ApiService {
    let labels = service.provenance.labels.iter().filter(|(key, _)| *key == Automanaged::LABEL);
    let labels = labels.map(|(key, value)| (key.clone(), value.clone())).collect();
    let condition = service.available.as_ref().map(|condition| Condition {
        status: condition.status.clone(),
        reason: condition.reason.clone(),
        ..Condition::default()
    });
    ApiService {
        ca_bundle: None,
        available: condition,
        created: None,
        provenance: OwnershipMetadata { labels, ..OwnershipMetadata::default() }.into(),
        ..service.clone()
    }
}

fn crd(crd: &Crd) -> Crd {
    Crd { refusal: None, merge: Merge::default(), ..crd.clone() }
}
