//! What a cluster answered, as files that the dump source reads back.
//!
//! The layout is that of `kubectl get … -o json` and `kubectl get --raw …` into one directory.
//! What offline commands never look at is left out: the schemas of CRDs (unless asked for), and
//! annotations, which is where people put things that should not travel.

use serde_json::{Map, Value, json};

use super::assemble::missing;
use super::failure::Failure;
use super::fetch::Fetched;
use super::needs::{Document, Resources};
use super::{Collected, Connection, Needs, Progress};
use crate::error::Error;
use crate::model::LAST_WITH_ENDPOINTS;
use crate::source::Note;
use crate::source::facts::recognise::{API_VERSION, MANIFEST};

/// The file that says what was and was not collected.
pub const MANIFEST_FILE: &str = "aggctl-dump.json";

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
    watch: &mut dyn FnMut(Progress),
) -> Result<Export, Error> {
    let Collected { documents, loaded } = super::collect(connection, needs, watch)?;
    let mut files = vec![];
    let mut collected = vec![];
    let mut absent = vec![];
    for fetched in &documents {
        let Fetched { document, result } = fetched;
        let (file, path) = (document.file_name(), document.get().path);
        let text = result.as_ref().map_err(Clone::clone).and_then(|pages| {
            contents(document, pages, full).ok_or_else(|| {
                Failure::unusable("it is nested too deeply, or has a page that is no list")
            })
        });
        match text {
            Ok(text) => {
                collected.push(json!({"file": file, "path": path, "bytes": text.len()}));
                files.push((file, text.into_bytes()));
            }
            Err(failure) => {
                let missing = missing(document, &failure);
                let state = missing.state.as_str();
                absent.push(json!({"file": file, "path": path, "what": document.words(), "state": state, "why": missing.why}));
            }
        }
    }
    let (count, gone) = (collected.len(), absent.len());
    let now = jiff::Timestamp::now();
    let manifest = json!({
        "apiVersion": API_VERSION,
        "kind": MANIFEST,
        "aggctl": env!("CARGO_PKG_VERSION"),
        "cluster": connection.name,
        "collectedAt": now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        "for": purpose,
        "schemas": if full { "full" } else { "trimmed" },
        "collected": collected,
        "missing": absent,
        "leftOut": left_out(needs, purpose, &documents),
    });
    files.push((MANIFEST_FILE.to_owned(), pretty(&manifest).into_bytes()));
    files.sort();
    let at = u64::try_from(now.as_second()).unwrap_or_default();
    Ok(Export { files, collected: count, missing: gone, at, notes: loaded.notes })
}

/// What some command could use and was not asked for, with why.
fn left_out(needs: &Needs, purpose: &str, documents: &[Fetched]) -> Vec<Value> {
    let asked = |document: &Document| documents.iter().any(|fetched| fetched.document == *document);
    let entry =
        |what: String, path: &str, why: String| json!({"what": what, "path": path, "why": why});
    let everything = Needs::everything();
    let mut left_out: Vec<Value> = (everything.documents.iter())
        .filter(|document| !asked(document))
        .map(|document| {
            let why = if needs.documents.contains(document) {
                format!("only servers up to {LAST_WITH_ENDPOINTS} look at it")
            } else {
                format!("--for {purpose} does not need it")
            };
            entry(document.words(), &document.get().path, why)
        })
        .collect();
    if needs.resources != everything.resources {
        let why = format!("--for {purpose} does not need them");
        let which = match needs.resources {
            Resources::None => "APIResourceLists",
            _ => "other APIResourceLists",
        };
        left_out.push(entry(which.to_owned(), "/apis/GROUP/VERSION", why));
    }
    left_out
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// A document's file; none where that would lose something of it.
fn contents(document: &Document, pages: &[String], full: bool) -> Option<String> {
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

fn trim(document: &Document, item: &mut Value, full: bool) {
    if let Some(Value::Object(metadata)) = item.get_mut("metadata") {
        trim_annotations(metadata);
    }
    if *document == Document::Crds
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
        let text = contents(&Document::Crds, &pages, false).unwrap();
        let list: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(list["metadata"], json!({"resourceVersion": "7"}));
        let names: Vec<_> = list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|i| i["metadata"]["name"].clone())
            .collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(
            list["items"][1]["metadata"]["annotations"],
            json!({"meta.helm.sh/release-name": "r"})
        );
        assert!(list["items"][0]["metadata"]["managedFields"].is_array());
        assert!(
            !text.contains("schema")
                && contents(&Document::Crds, &pages, true).unwrap().contains("openAPIV3Schema")
        );
    }

    #[test]
    fn no_page_is_lost_in_silence() {
        let page = |item: &str| format!(r#"{{"kind":"ServiceList","items":[{item}]}}"#);
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let check = |pages: &[String], kept: bool| {
            assert_eq!(contents(&Document::Services, pages, false).is_some(), kept, "{pages:?}");
        };
        check(&[page("{}"), page("{}")], true);
        check(&[page(&deep)], false);
        check(&[page("{}"), page(&deep)], false);
        check(&[page("{}"), r#"{"kind":"ServiceList","items":{}}"#.to_owned()], false);
    }
}
