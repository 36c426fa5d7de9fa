//! What a cluster answered, as files that the dump source reads back.
//!
//! The layout is that of `kubectl get … -o json` and `kubectl get --raw …` into one directory.
//! What offline commands never look at is left out: the schemas of CRDs (unless asked for), and
//! annotations, which is where people put things that should not travel.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::Note;
use crate::error::Error;
use crate::live::{self, Collected, Connection, Fetched, Needs, Resources, ServerDocument, Watch};
use kube_aggregation::ingest::manifest::{self, API_VERSION, Absent, LeftOut, Written};
use kube_aggregation::model::{Cause, LAST_WITH_ENDPOINTS, Snapshot};

/// The annotations that are kept: they tell who manages an object.
const KEPT_ANNOTATIONS: [&str; 3] =
    ["meta.helm.sh/", "app.kubernetes.io/", "api-approved.kubernetes.io"];

/// The files of a dump.
#[derive(Debug)]
pub struct Export {
    /// Name and contents of each, in the order of their names.
    pub files: Vec<(String, Vec<u8>)>,
    /// How many documents came.
    pub collected: usize,
    /// How many did not.
    pub missing: usize,
    /// When, in seconds since 1970.
    pub at: u64,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Collects what is needed from a cluster, for a dump.
///
/// # Errors
/// Where nothing can be read.
pub fn export(
    connection: &Connection,
    needs: &Needs,
    purpose: &str,
    full: bool,
    watch: Watch<'_>,
) -> Result<Export, Error> {
    let Collected { documents, loaded } = live::collect(connection, needs, watch)?;
    refuse_part(connection, &documents, &loaded.snapshot)?;
    let mut files = vec![];
    let mut collected = vec![];
    let mut missing = vec![];
    for Fetched { document, result, .. } in &documents {
        let (file, path) = (document.file_name(), document.path());
        let text = result
            .as_ref()
            .map_err(|failure| (failure.cause, failure.why.as_str()))
            .and_then(|pages| contents(document, pages, full).ok_or((Cause::Unusable, UNUSABLE)));
        match text {
            Ok(text) => {
                collected.push(manifest::Collected { file: file.clone(), path, bytes: text.len() });
                files.push((file, text.into_bytes()));
            }
            Err((cause, why)) => {
                let (what, cause, why) = (document.words(), cause.word(), why.to_owned());
                missing.push(Absent { file, path, what, cause, why });
            }
        }
    }
    let now = jiff::Timestamp::now();
    let (count, gone) = (collected.len(), missing.len());
    let manifest = Written {
        api_version: API_VERSION,
        kind: manifest::KIND,
        aggctl: env!("CARGO_PKG_VERSION"),
        cluster: &connection.name,
        collected_at: now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        r#for: purpose,
        schemas: if full { "full" } else { "trimmed" },
        collected,
        missing,
        left_out: left_out(needs, purpose, &documents, &loaded.snapshot),
    };
    files.push((manifest::FILE.to_owned(), pretty(&manifest).into_bytes()));
    files.sort();
    let at = u64::try_from(now.as_second()).unwrap_or_default();
    Ok(Export { files, collected: count, missing: gone, at, notes: loaded.notes })
}

/// Refuses to write what is only a part of the cluster because something broke down. What the
/// server refuses to show, or an extension server does not answer, is how the cluster is.
fn refuse_part(
    connection: &Connection,
    documents: &[Fetched],
    snapshot: &Snapshot,
) -> Result<(), Error> {
    let services: BTreeSet<_> = live::aggregated(snapshot).map(|s| &s.group_version).collect();
    let broken = |fetched: &&Fetched| {
        let Err(failure) = &fetched.result else { return false };
        let lost =
            matches!(failure.cause, Cause::Connection | Cause::OutOfTime | Cause::Unauthorized);
        match &fetched.document {
            // How the server is, is not what it has.
            ServerDocument::Health(_) => false,
            ServerDocument::Resources(gv) if services.contains(gv) => lost,
            // One server's document spoils it for all, or is not there: so is the cluster.
            document if document.is_openapi() => lost,
            _ => failure.cause.is_breakdown(),
        }
    };
    let mut all = documents.iter().filter(broken);
    let Some(Fetched { document, result: Err(failure), .. }) = all.next() else { return Ok(()) };
    let (what, more) = (document.words(), all.count());
    let more = if more == 0 { String::new() } else { format!(", nor {more} more documents") };
    let error = Error::source(format!(
        "cannot dump cluster {}: could not read {what}{more}: {}",
        connection.name, failure.why
    ));
    Err(match failure.cause {
        Cause::OutOfTime => error.with_hint("--timeout gives it longer"),
        _ => error.with_hint("a dump is written only as a whole; nothing was changed"),
    })
}

const UNUSABLE: &str = "it is nested too deeply, or has a page that is not a list";

/// What some command could use and was not asked for, with why.
fn left_out(
    needs: &Needs,
    purpose: &str,
    documents: &[Fetched],
    snapshot: &Snapshot,
) -> Vec<LeftOut> {
    let asked =
        |document: &ServerDocument| documents.iter().any(|fetched| fetched.document == *document);
    let everything = Needs::everything().with_openapi();
    let mut left_out: Vec<LeftOut> = (everything.documents.iter())
        .filter(|document| !asked(document))
        .map(|document| {
            let why = if needs.documents.contains(document) {
                format!("only servers up to {LAST_WITH_ENDPOINTS} look at it")
            } else {
                format!("--for {purpose} does not need it")
            };
            LeftOut { what: document.words(), path: document.path(), why }
        })
        .collect();
    let mut lists = |what: String, why: String| {
        left_out.push(LeftOut { what, path: "/apis/GROUP/VERSION".to_owned(), why });
    };
    let unavailable = live::unavailable(snapshot).len();
    if unavailable > 0 && needs.resources == Resources::All {
        let what = format!("the APIResourceLists of {unavailable} unavailable APIServices");
        lists(what, "the aggregator answers 503 for them".to_owned());
    }
    if needs.resources != everything.resources {
        let what = match needs.resources {
            Resources::None => "APIResourceLists",
            _ => "other APIResourceLists",
        };
        lists(what.to_owned(), format!("--for {purpose} does not need them"));
    }
    left_out
}

fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A document's file; none where that would lose something of it.
fn contents(document: &ServerDocument, pages: &[String], full: bool) -> Option<String> {
    if *document == ServerDocument::ApiServerPods {
        return pages.first().and_then(|page| commands_only(page));
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
    }
    Some(pretty(&whole))
}

/// Pods with nothing but what their containers run: what else they have may be secret.
fn commands_only(page: &str) -> Option<String> {
    let list: Value = serde_json::from_str(page).ok()?;
    let part = |from: &Value, names: &[&str]| -> Value {
        let kept =
            names.iter().filter_map(|name| Some(((*name).to_owned(), from.get(name)?.clone())));
        Value::Object(kept.collect())
    };
    let pod = |pod: &Value| {
        let containers = pod.pointer("/spec/containers").and_then(Value::as_array);
        let containers = containers.into_iter().flatten();
        let containers: Vec<Value> =
            containers.map(|one| part(one, &["name", "command", "args"])).collect();
        json!({
            "metadata": part(&pod["metadata"], &["namespace", "name"]),
            "spec": {"containers": containers},
        })
    };
    let items: Vec<Value> = list["items"].as_array()?.iter().map(pod).collect();
    Some(pretty(&json!({"kind": "PodList", "apiVersion": "v1", "items": items})))
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
        let text = contents(&ServerDocument::Crds, &pages, false).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list["metadata"], json!({"resourceVersion": "7"}));
        let items = list["items"].as_array().unwrap();
        let names: Vec<_> = items.iter().map(|item| &item["metadata"]["name"]).collect();
        assert_eq!(names, ["a", "b"]);
        let annotations = &items[1]["metadata"]["annotations"];
        assert_eq!(*annotations, json!({"meta.helm.sh/release-name": "r"}));
        assert!(items[0]["metadata"]["managedFields"].is_array());
        assert!(!text.contains("schema"));
        let full = contents(&ServerDocument::Crds, &pages, true).unwrap();
        assert!(full.contains("openAPIV3Schema"));
    }

    #[test]
    fn of_pods_only_commands_are_kept() {
        let pods = json!({"kind": "PodList", "items": [{
            "metadata": {"namespace": "kube-system", "name": "a", "annotations": {"x": "hunter2"}},
            "spec": {"containers": [{"name": "c", "command": ["kube-apiserver"], "env": [{"value": "hunter2"}]}]},
        }]});
        let text = contents(&ServerDocument::ApiServerPods, &[pods.to_string()], true).unwrap();
        assert!(text.contains("kube-apiserver") && !text.contains("hunter2"), "{text}");
    }

    #[test]
    fn no_page_is_lost_in_silence() {
        let page = |item: &str| format!(r#"{{"kind":"ServiceList","items":[{item}]}}"#);
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let check = |pages: &[String], kept: bool| {
            assert_eq!(
                contents(&ServerDocument::Services, pages, false).is_some(),
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
