//! Watches: present objects, then changes when the source is read again, and bookmarks.

use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::message::{Body, Response, SeenObjects, Watch};
use super::object::{Item, ObjectRequest};
use super::server::Replay;

/// How long a watch lasts unless the client sets a timeout. Servers choose half an hour or more.
const LASTS: Duration = Duration::from_secs(30 * 60);

impl Replay<'_> {
    /// Returns the events since what the client has seen, and what later events are compared with.
    pub(super) fn watch(&self, asked: &ObjectRequest<'_>) -> Result<Response, Response> {
        let (items, _) = self.selected(asked)?;
        let request = asked.call.request;
        let is_set = |name| matches!(&*asked.parameter(name), "true" | "1");
        let initial = is_set("sendInitialEvents");
        let knows_all = !matches!(&*asked.parameter("resourceVersion"), "" | "0") && !initial;
        let mut events = String::new();
        let mut seen = SeenObjects::new();
        let tables = self.wanted_tables(asked);
        let mut headed = request.seen.is_none();
        let none = json!({});
        let mut shown = |item: &Item<'_>| match &tables {
            Some(tables) => {
                let headed = std::mem::take(&mut headed);
                tables.table(std::slice::from_ref(item), &none, headed).to_string()
            }
            None => item.json.clone().into_owned(),
        };
        for item in &items {
            let key = (item.namespace.to_owned(), item.name.to_owned());
            let fingerprint = fingerprint(&item.json);
            let kind = match request.seen.as_ref().map(|before| before.get(&key)) {
                Some(Some(before)) if *before == fingerprint => None,
                Some(Some(_)) => Some("MODIFIED"),
                None if knows_all => None,
                _ => Some("ADDED"),
            };
            if let Some(kind) = kind {
                push(&mut events, kind, &shown(item));
            }
            seen.insert(key, fingerprint);
        }
        let gone = request.seen.iter().flatten().filter(|(key, _)| !seen.contains_key(*key));
        for ((namespace, name), _) in gone {
            let mut metadata = json!({"name": name, "resourceVersion": self.revision.to_string()});
            if !namespace.is_empty() {
                metadata["namespace"] = json!(namespace);
            }
            let json = self.bare(asked, &metadata).to_string().into();
            push(&mut events, "DELETED", &shown(&Item { namespace, name, json }));
        }
        let mut metadata = json!({"resourceVersion": self.revision.to_string()});
        let bookmark = event("BOOKMARK", &self.bare(asked, &metadata).to_string());
        if initial && request.seen.is_none() {
            metadata["annotations"] = json!({"k8s.io/initial-events-end": "true"});
            push(&mut events, "BOOKMARK", &self.bare(asked, &metadata).to_string());
        }
        let lasts = asked.parameter("timeoutSeconds").parse().ok().filter(|seconds| *seconds > 0);
        let watch = Watch {
            events: events.into(),
            bookmark: is_set("allowWatchBookmarks").then(|| bookmark.into()),
            lasts: lasts.map_or(LASTS, |seconds| Duration::from_secs(seconds).min(LASTS)),
            seen,
        };
        let body = Body::Watch(Box::new(watch));
        Ok(Response { body, ..Response::json(200, Bytes::new()) })
    }

    /// Returns an object that has only metadata.
    fn bare(&self, asked: &ObjectRequest<'_>, metadata: &Value) -> Value {
        json!({"kind": asked.kind, "apiVersion": asked.api_version, "metadata": metadata})
    }
}

fn event(kind: &str, object: &str) -> String {
    format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n")
}

fn push(events: &mut String, kind: &str, object: &str) {
    events.push_str(&event(kind, object));
}

/// Returns a hash to detect that an object changed.
fn fingerprint(text: &str) -> u64 {
    use std::hash::BuildHasher;
    foldhash::fast::FixedState::default().hash_one(text)
}
