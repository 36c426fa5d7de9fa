//! Converts the documents of a cluster to the files of a dump.
//!
//! The layout is that of `kubectl get … -o json` and `kubectl get --raw …` in one directory.
//! Schemas of CRDs are omitted unless requested, because offline commands do not need them. Most
//! annotations and flags are omitted, because they may contain secrets.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::error::DumpError;
use crate::needs::{Needs, Resources, ServerDocument, served_by_services, unavailable};
use kube_aggregation::flags;
use kube_aggregation::ingest::Note;
use kube_aggregation::ingest::manifest::{self, API_VERSION, Absent, LeftOut, Written};
use kube_aggregation::model::{
    ApiService, Cause, LAST_WITH_ENDPOINTS, ServerFlags, Snapshot, Unread,
};

/// Annotations to keep, because they show what manages an object.
const KEPT_ANNOTATIONS: [&str; 3] =
    ["meta.helm.sh/", "app.kubernetes.io/", "api-approved.kubernetes.io"];

/// The purpose of a dump, which determines its content.
#[derive(Debug, Clone, Copy)]
pub struct DumpPurpose<'a> {
    /// A word for the manifest of the dump.
    pub name: &'a str,
    /// The option that chose it, for the reasons in the manifest.
    pub option: &'a str,
    /// Whether to keep the schemas of CRDs.
    pub full: bool,
}

/// A document that was requested for a dump.
#[derive(Debug)]
pub(crate) struct DumpDocument {
    pub(crate) document: ServerDocument,
    /// Its pages, or why it could not be read.
    pub(crate) pages: Result<Vec<String>, Unread>,
    /// Whether some objects of the list are missing.
    pub(crate) is_partial: bool,
}

/// The files of a dump.
#[derive(Debug)]
pub struct Export {
    /// The cluster.
    pub cluster: String,
    /// The name and content of each file, sorted by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// The number of documents read.
    pub collected: usize,
    /// The number of documents that could not be read.
    pub missing: usize,
    /// When the cluster was read, in seconds since 1970.
    pub at: u64,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

/// Converts documents to files. `snapshot` is the data decoded from them.
pub(crate) fn export(
    snapshot: &Snapshot,
    documents: &[DumpDocument],
    needs: &Needs,
    purpose: DumpPurpose<'_>,
) -> Export {
    let cluster = snapshot.origin.name.clone();
    let services: Vec<&ApiService> = snapshot.api_services.loaded().into_iter().flatten().collect();
    let mut files = vec![];
    let mut collected = vec![];
    let mut missing = vec![];
    for DumpDocument { document, pages, is_partial } in documents {
        // It only matters whether the document is also served in this form.
        let tells_nothing = pages.is_ok() || !snapshot.openapi.v2.is_loaded();
        if *document == ServerDocument::OpenApiProtobuf && tells_nothing {
            continue;
        }
        let (file, path) = (document.file_name(), document.path());
        let text = pages.as_ref().map_err(|unread| (unread.cause, unread.why.as_str())).and_then(
            |pages| {
                let text = contents(document, pages, snapshot, purpose.full, *is_partial);
                text.ok_or((Cause::Unusable, UNUSABLE))
            },
        );
        match text {
            Ok(text) => {
                let (bytes, etag) = (text.len(), etag(document, snapshot));
                files.push((file.clone(), text.into_bytes()));
                collected.push(manifest::Collected { file, path, bytes, etag });
            }
            Err((cause, why)) => {
                let (what, cause, why) = (document.words(), cause.word(), why.to_owned());
                missing.push(Absent { file, path, what, cause, why });
            }
        }
    }
    let now = crate::clock::now();
    let (count, gone) = (collected.len(), missing.len());
    let manifest = Written {
        api_version: API_VERSION,
        kind: manifest::KIND,
        aggctl: env!("CARGO_PKG_VERSION"),
        cluster: &cluster,
        collected_at: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        r#for: purpose.name,
        schemas: if purpose.full { "full" } else { "trimmed" },
        collected,
        missing,
        left_out: left_out(needs, purpose.option, documents, &services),
        openapi_protobuf: snapshot.openapi.protobuf.is_loaded(),
    };
    files.push((manifest::FILE.to_owned(), pretty(&manifest).into_bytes()));
    files.sort();
    let at = u64::try_from(now.as_second()).unwrap_or_default();
    Export { cluster, files, collected: count, missing: gone, at, notes: vec![] }
}

/// Returns the ETag of an OpenAPI document, which shows whether an extension server's document
/// changes without need.
fn etag(document: &ServerDocument, snapshot: &Snapshot) -> Option<String> {
    let ServerDocument::OpenApiDocument(key) = document else { return None };
    snapshot.openapi.documents.get(key)?.loaded()?.etag.clone()
}

/// Refuses an incomplete dump if the server or the connection failed. It is not a failure if the
/// server denies a document, or if an extension server does not answer: that is a property of the
/// cluster.
pub(crate) fn refuse_part(
    snapshot: &Snapshot,
    documents: &[DumpDocument],
) -> Result<(), DumpError> {
    let services: Vec<&ApiService> = snapshot.api_services.loaded().into_iter().flatten().collect();
    let aggregated: BTreeSet<_> =
        served_by_services(&services).map(|service| &service.group_version).collect();
    let any_may_be_aggregated = !snapshot.api_services.is_loaded();
    let broken = |requested: &&DumpDocument| {
        let Err(unread) = &requested.pages else { return false };
        let lost =
            matches!(unread.cause, Cause::Connection | Cause::OutOfTime | Cause::Unauthorized);
        match &requested.document {
            ServerDocument::Health(_) => false,
            // Without APIServices, any group version may be that of an extension server.
            ServerDocument::Resources(gv) if any_may_be_aggregated || aggregated.contains(gv) => {
                lost
            }
            // A single extension server can break these documents for all.
            document if document.is_openapi() => lost,
            _ => unread.cause.is_breakdown(),
        }
    };
    let mut all = documents.iter().filter(broken);
    let Some(DumpDocument { document, pages: Err(unread), .. }) = all.next() else { return Ok(()) };
    Err(DumpError::Incomplete {
        cluster: snapshot.origin.name.clone(),
        document: document.words(),
        more: all.count(),
        unread: unread.clone(),
    })
}

const UNUSABLE: &str = "it is nested too deeply, or has a page that is not a list";

/// Lists documents that some command could use but that were not requested, with the reason.
fn left_out(
    needs: &Needs,
    option: &str,
    documents: &[DumpDocument],
    services: &[&ApiService],
) -> Vec<LeftOut> {
    let requested =
        |document: &ServerDocument| documents.iter().any(|one| one.document == *document);
    let everything = Needs::everything().with_openapi();
    let mut left_out: Vec<LeftOut> = (everything.documents.iter())
        .filter(|document| !requested(document))
        .map(|document| {
            let why = if needs.documents.contains(document) {
                format!("only servers up to {LAST_WITH_ENDPOINTS} look at it")
            } else {
                format!("{option} does not need it")
            };
            LeftOut { what: document.words(), path: document.path(), why }
        })
        .collect();
    let mut lists = |what: String, why: String| {
        left_out.push(LeftOut { what, path: "/apis/GROUP/VERSION".to_owned(), why });
    };
    let unavailable = unavailable(services).len();
    if unavailable > 0 && needs.resources == Resources::All {
        let what = format!("the APIResourceLists of {unavailable} unavailable APIServices");
        lists(what, "the aggregator answers 503 for them".to_owned());
    }
    if needs.resources != everything.resources {
        let what = match needs.resources {
            Resources::None => "APIResourceLists",
            _ => "other APIResourceLists",
        };
        lists(what.to_owned(), format!("{option} does not need them"));
    }
    left_out
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Returns the content of a document's file, or `None` if one of its pages is unusable.
fn contents(
    document: &ServerDocument,
    pages: &[String],
    snapshot: &Snapshot,
    full: bool,
    is_partial: bool,
) -> Option<String> {
    let object = || -> Option<Value> { serde_json::from_str(pages.first()?).ok() };
    match document {
        ServerDocument::ApiServerPods => return commands_only(&object()?, snapshot),
        ServerDocument::Flagz => return flags_only(object()?),
        ServerDocument::FrontProxy => return front_proxy_only(&object()?),
        _ => {}
    }
    if !document.is_list() {
        return Some(pages.concat() + "\n");
    }
    let mut lists = pages.iter().map(|page| serde_json::from_str::<Value>(page).ok());
    let mut whole = lists.next()??;
    let items = whole.get_mut("items")?.as_array_mut()?;
    for page in lists {
        let Value::Array(more) = page?.get_mut("items")?.take() else { return None };
        items.extend(more);
    }
    for item in items {
        trim(document, item, full);
    }
    if let Some(Value::Object(metadata)) = whole.get_mut("metadata") {
        metadata.remove("continue");
        metadata.remove("remainingItemCount");
        if is_partial {
            // So that the list does not count as complete.
            metadata.insert("continue".to_owned(), "not-collected".into());
        }
    }
    Some(pretty(&whole))
}

/// Returns these fields of an object.
fn part(from: &Value, names: &[&str]) -> Value {
    let kept = names.iter().filter_map(|name| Some(((*name).to_owned(), from.get(name)?.clone())));
    Value::Object(kept.collect())
}

/// Keeps only the names of Pods and the flags of kube-apiserver that matter. Other fields and flags
/// may contain secrets, such as the password in `--etcd-servers`.
fn commands_only(list: &Value, snapshot: &Snapshot) -> Option<String> {
    let servers = snapshot.flags.loaded().into_iter().flatten();
    let flags: BTreeMap<&str, &ServerFlags> =
        servers.map(|server| (server.from.as_str(), server)).collect();
    let pod = |pod: &Value| {
        let metadata = part(&pod["metadata"], &["namespace", "name"]);
        let word = |name: &str| metadata[name].as_str().unwrap_or_default();
        let from = format!("Pod {}/{}", word("namespace"), word("name"));
        let containers: Vec<Value> = (flags.get(&*from).into_iter())
            .map(|server| {
                let set = server.values.iter().filter(|(name, _)| flags::matters(name));
                let set = set.map(|(name, value)| format!("--{name}={value}"));
                let command: Vec<String> =
                    std::iter::once("kube-apiserver".to_owned()).chain(set).collect();
                json!({"name": "kube-apiserver", "command": command})
            })
            .collect();
        json!({"metadata": metadata, "spec": {"containers": containers}})
    };
    let items: Vec<Value> = list["items"].as_array()?.iter().map(pod).collect();
    Some(pretty(&json!({"kind": "PodList", "apiVersion": "v1", "items": items})))
}

/// Keeps only the flags that matter.
fn flags_only(mut flagz: Value) -> Option<String> {
    flagz.get_mut("flags")?.as_object_mut()?.retain(|name, _| flags::matters(name));
    let kept = part(&flagz, &["kind", "apiVersion", "flags"]);
    Some(pretty(&kept))
}

/// Keeps only what extension servers know the API server by.
fn front_proxy_only(map: &Value) -> Option<String> {
    const KEYS: [&str; 4] = [
        "requestheader-client-ca-file",
        "requestheader-allowed-names",
        "requestheader-username-headers",
        "requestheader-group-headers",
    ];
    let mut kept = part(map, &["kind", "apiVersion"]);
    let object = kept.as_object_mut()?;
    let metadata = part(&map["metadata"], &["namespace", "name", "resourceVersion"]);
    object.insert("metadata".to_owned(), metadata);
    object.insert("data".to_owned(), part(&map["data"], &KEYS));
    Some(pretty(&kept))
}

fn trim(document: &ServerDocument, item: &mut Value, full: bool) {
    if let Some(Value::Object(metadata)) = item.get_mut("metadata") {
        trim_annotations(metadata);
    }
    if *document == ServerDocument::Crds
        && !full
        && let Some(Value::Array(versions)) = item.pointer_mut("/spec/versions")
    {
        for version in versions.iter_mut().filter_map(Value::as_object_mut) {
            version.remove("schema");
            version.remove("additionalPrinterColumns");
        }
    }
}

fn trim_annotations(metadata: &mut Map<String, Value>) {
    let Some(Value::Object(annotations)) = metadata.get_mut("annotations") else { return };
    annotations.retain(|name, _| KEPT_ANNOTATIONS.iter().any(|kept| name.starts_with(kept)));
    if annotations.is_empty() {
        metadata.remove("annotations");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::ingest::SnapshotBuilder;
    use kube_aggregation::model::{Origin, SourceKind};
    use serde_json::json;

    #[test]
    fn pages_become_one_trimmed_list() {
        let page = |name: &str, token: &str| {
            json!({
                "kind": "CustomResourceDefinitionList",
                "metadata": {"resourceVersion": "7", "continue": token, "remainingItemCount": 1},
                "items": [{
                    "metadata": {"name": name, "annotations": {"x": "hunter2", "meta.helm.sh/release-name": "r"}, "managedFields": []},
                    "spec": {"versions": [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": {}}}]},
                }],
            })
            .to_string()
        };
        let pages = [page("a", "more"), page("b", "")];
        let text = contents(&ServerDocument::Crds, &pages, &nothing(), false, false).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list["metadata"], json!({"resourceVersion": "7"}));
        let items = list["items"].as_array().unwrap();
        let names: Vec<_> = items.iter().map(|item| &item["metadata"]["name"]).collect();
        assert_eq!(names, ["a", "b"]);
        let annotations = &items[1]["metadata"]["annotations"];
        assert_eq!(*annotations, json!({"meta.helm.sh/release-name": "r"}));
        assert!(items[0]["metadata"]["managedFields"].is_array());
        assert!(!text.contains("schema"));
        let full = contents(&ServerDocument::Crds, &pages, &nothing(), true, false).unwrap();
        assert!(full.contains("openAPIV3Schema"));
    }

    fn nothing() -> Snapshot {
        Snapshot::empty(Origin { kind: SourceKind::Live, name: "c".to_owned() })
    }

    #[test]
    fn only_what_is_used_of_the_control_plane_is_kept() {
        let pods = json!({"kind": "PodList", "items": [{
            "metadata": {"namespace": "kube-system", "name": "a", "annotations": {"x": "hunter2"}},
            "spec": {"containers": [{
                "name": "c",
                "command": ["sh", "-c", "PASSWORD=hunter2 kube-apiserver --profiling=false \
                    --etcd-servers=https://root:hunter2@e --anonymous-auth false --x hunter2"],
                "env": [{"value": "hunter2"}],
            }, {"name": "sidecar", "command": ["hunter2"]}]},
        }]});
        let mut builder = SnapshotBuilder::default();
        builder.add_selection("p", &pods.to_string()).unwrap();
        let (snapshot, _) = builder.build_from(nothing().origin);
        let kept = |document, value: Value| {
            let text = contents(&document, &[value.to_string()], &snapshot, true, false).unwrap();
            assert!(!text.contains("hunter2"), "{text}");
            serde_json::from_str::<Value>(&text).unwrap()
        };
        let command = json!(["kube-apiserver", "--anonymous-auth=false", "--profiling=false"]);
        let pods = kept(ServerDocument::ApiServerPods, pods);
        assert_eq!(pods["items"][0]["spec"]["containers"][0]["command"], command);
        let flagz = json!({"kind": "Flagz", "apiVersion": "config.k8s.io/v1beta1", "flags": {
            "etcd-servers": "https://root:hunter2@e", "profiling": "false"}});
        assert_eq!(kept(ServerDocument::Flagz, flagz)["flags"], json!({"profiling": "false"}));
        let map = json!({"kind": "ConfigMap", "apiVersion": "v1",
            "metadata": {"name": "m", "annotations": {"last": "hunter2"}, "labels": {"a": "hunter2"}},
            "data": {"requestheader-allowed-names": "[]", "client-ca-file": "hunter2", "x": "hunter2"},
            "binaryData": {"x": "hunter2"}});
        let want = json!({"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "m"},
            "data": {"requestheader-allowed-names": "[]"}});
        assert_eq!(kept(ServerDocument::FrontProxy, map), want);
    }

    #[test]
    fn a_document_with_a_broken_page_is_missing() {
        let page = |item: &str| format!(r#"{{"kind":"ServiceList","items":[{item}]}}"#);
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let check = |pages: &[String], kept: bool| {
            assert_eq!(
                contents(&ServerDocument::Services, pages, &nothing(), false, false).is_some(),
                kept,
                "{pages:?}"
            );
        };
        check(&[page("{}"), page("{}")], true);
        check(&[page(&deep)], false);
        check(&[page("{}"), page(&deep)], false);
        check(&[page("{}"), r#"{"kind":"ServiceList","items":{}}"#.to_owned()], false);
    }
}
