//! From needs to answers: concurrent, in pages, and with what did not come.

use std::collections::BTreeSet;
use std::pin::pin;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::{self, StreamExt};
use serde::Deserialize;

use super::budget::size;
use super::client::{Answer, Client, Get};
use super::document_request::DocumentRequest;
use super::failure::RequestFailure;
use super::health;
use super::needs::{Needs, Resources};
use kube_aggregation::ingest::Envelope;
use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::ingest::flagz_json;
use kube_aggregation::model::{
    AGGREGATOR_GROUP, ApiService, Automanaged, Cause, GroupVersion, Snapshot,
};

/// How many requests are under way at once. A server's fair share for one client is not large.
const AT_ONCE: usize = 16;

/// A list that is too old to be continued.
const EXPIRED: Cause = Cause::Status(410);

/// How many objects a page has.
const PAGE: usize = 500;

/// The largest answer of `/metrics` that is read: those of large clusters have some ten megabytes.
const MOST_METRICS: usize = 64 << 20;

/// How often somebody who watches is told that nothing has changed.
const TICK: Duration = Duration::from_millis(100);

/// How far a collection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Requests that are answered.
    pub done: usize,
    /// All that are known to be needed.
    pub all: usize,
}

/// Whoever is told how far it is.
pub type Watch<'a> = &'a mut dyn FnMut(Progress);

/// One document: the JSON of its pages, or why there is none.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) document: ServerDocument,
    pub(crate) result: Result<Vec<String>, RequestFailure>,
    /// The entity tag of what is no list, without quotes.
    pub(crate) tag: Option<String>,
    pub(crate) took: Duration,
}

impl Fetched {
    /// Whether the server does not know who asks.
    pub(super) fn is_unauthorized(&self) -> bool {
        matches!(&self.result, Err(failure) if failure.cause == Cause::Unauthorized)
    }
}

/// Asks for documents, and answers in their order.
pub(super) async fn documents(
    client: &Client,
    wanted: &BTreeSet<ServerDocument>,
    before: usize,
    watch: Watch<'_>,
) -> Vec<Fetched> {
    let all = before + wanted.len();
    let mut done = before;
    watch(Progress { done, all });
    let asking = stream::iter(wanted.iter().cloned()).map(|document| async {
        let started = Instant::now();
        let (result, tag) = match pages(client, &document).await {
            Ok((pages, tag)) => (Ok(pages), tag),
            Err(failure) => (Err(failure), None),
        };
        Fetched { document, result, tag, took: started.elapsed() }
    });
    let mut asking = pin!(asking.buffer_unordered(AT_ONCE));
    let mut found = vec![];
    let mut tick = tokio::time::interval(TICK);
    loop {
        let next = asking.next();
        let beat = tick.tick();
        match select(pin!(next), pin!(beat)).await {
            Either::Left((None, _)) => break,
            Either::Left((Some(fetched), _)) => {
                done += 1;
                found.push(fetched);
            }
            Either::Right(_) => {}
        }
        watch(Progress { done, all });
    }
    found.sort_by(|a, b| a.document.cmp(&b.document));
    found
}

/// The pages of a document, and its entity tag if it is no list.
async fn pages(
    client: &Client,
    document: &ServerDocument,
) -> Result<(Vec<String>, Option<String>), RequestFailure> {
    let get = document.get();
    let pages = match document {
        ServerDocument::Health(_) => vec![health::body(client, &get).await?],
        ServerDocument::Metrics => vec![client.get_text(&get, MOST_METRICS).await?],
        ServerDocument::OpenApiProtobuf => client.get_status(&get).await.map(|()| vec![])?,
        _ if document.is_list() => whole_list(client, document).await?,
        _ => {
            let Answer { body, tag } = page(client, document, &get).await?;
            let tag = tag.and_then(|tag| Some(tag.to_str().ok()?.trim_matches('"').to_owned()));
            return Ok((vec![body], tag));
        }
    };
    Ok((pages, None))
}

async fn whole_list(
    client: &Client,
    document: &ServerDocument,
) -> Result<Vec<String>, RequestFailure> {
    // A list that changes too fast is forgotten between two pages: begin again, and if that does
    // not help take it as a whole.
    for page_size in [PAGE, PAGE, 0] {
        match list(client, document, page_size).await {
            Err(failure) if failure.cause == EXPIRED && page_size > 0 => {}
            result => return result,
        }
    }
    Err(RequestFailure::new(EXPIRED, "the list expired while it was read"))
}

async fn list(
    client: &Client,
    document: &ServerDocument,
    page_size: usize,
) -> Result<Vec<String>, RequestFailure> {
    #[derive(Deserialize)]
    struct List {
        metadata: Option<Metadata>,
    }
    #[derive(Deserialize)]
    struct Metadata {
        r#continue: Option<String>,
    }
    let mut get = document.get();
    let limit = if page_size == 0 { String::new() } else { format!("limit={page_size}") };
    get.query.clone_from(&limit);
    let (mut found, mut bytes) = (vec![], 0);
    loop {
        let Answer { body, .. } = page(client, document, &get).await?;
        let more =
            serde_json::from_str::<List>(&body).ok().and_then(|list| list.metadata?.r#continue);
        bytes += body.len();
        let most = client.limits.sizes.list;
        if bytes > most {
            return Err(RequestFailure::too_large(format!(
                "the list is larger than {}",
                size(most)
            )));
        }
        found.push(body);
        let Some(more) = more.filter(|more| !more.is_empty()) else { return Ok(found) };
        let more: String = url::form_urlencoded::byte_serialize(more.as_bytes()).collect();
        get.query = format!("{limit}&continue={more}");
    }
}

/// One answer, if it is what was asked for.
async fn page(
    client: &Client,
    document: &ServerDocument,
    get: &Get,
) -> Result<Answer, RequestFailure> {
    let mut answer = client.get(get, document.most(&client.limits.sizes)).await?;
    if *document == ServerDocument::Flagz
        && let Some(body) = flagz_json(&answer.body)
    {
        answer.body = body;
    }
    let envelope: Envelope<'_> = serde_json::from_str(&answer.body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        RequestFailure::unusable(format!("the answer is broken JSON at {line}:{column}"))
    })?;
    if !document.recognises(&envelope) {
        let kind = if envelope.kind.is_empty() {
            "something else".to_owned()
        } else {
            client.quoted(format!("{} {}", envelope.api_version, envelope.kind).trim())
        };
        return Err(RequestFailure::unusable(format!("the answer is {kind}")));
    }
    // Only what is of use: the rest may be better next time.
    if !document.is_list() {
        client.memory.keep(get, &answer);
    }
    Ok(answer)
}

/// The APIResourceLists that are still needed, now that the rest is there.
pub(super) fn resource_lists(needs: &Needs, snapshot: &Snapshot) -> BTreeSet<ServerDocument> {
    let known = group_versions(snapshot);
    let listed = snapshot.aggregated_groups.is_loaded();
    let services: BTreeSet<_> = aggregated(snapshot).map(|s| &s.group_version).collect();
    let local = known.iter().filter(|gv| !services.contains(gv));
    let mut wanted: Vec<GroupVersion> = match &needs.resources {
        Resources::None => vec![],
        Resources::Unlisted(_) | Resources::AllUnlisted | Resources::EveryUnlisted if listed => {
            vec![]
        }
        Resources::Unlisted(some) => known.iter().filter(|gv| some.contains(gv)).cloned().collect(),
        Resources::AllUnlisted => local.cloned().collect(),
        Resources::OfServices if listed => services.into_iter().cloned().collect(),
        Resources::OfAvailable => {
            let available = asked(snapshot).filter(|s| s.is_available());
            available.map(|s| s.group_version.clone()).collect()
        }
        Resources::EveryUnlisted | Resources::OfServices | Resources::All => {
            known.iter().cloned().collect()
        }
    };
    // CRDs that may not be read can be told from what they serve.
    if needs.documents.contains(&ServerDocument::Crds) && !snapshot.crds.is_loaded() {
        let services = snapshot.api_services.loaded().into_iter().flatten();
        let custom = services.filter(|s| s.automanaged == Some(Automanaged::CrdController));
        wanted.extend(custom.map(|s| s.group_version.clone()));
    }
    let unavailable = unavailable(snapshot);
    let wanted = wanted
        .into_iter()
        .filter(|gv| !snapshot.resource_lists.contains_key(gv) && !unavailable.contains(gv));
    wanted.map(ServerDocument::Resources).collect()
}

/// The documents of the index that Services may have: of their group versions, and of what the
/// index names otherwise each time.
pub(super) fn openapi_documents(needs: &Needs, snapshot: &Snapshot) -> BTreeSet<ServerDocument> {
    if !needs.openapi_documents {
        return BTreeSet::new();
    }
    let keys = aggregated(snapshot)
        .map(|s| s.group_version.root_path().trim_start_matches('/').to_owned())
        .filter(|key| snapshot.openapi.address(key).is_some());
    keys.map(ServerDocument::OpenApiDocument).collect()
}

/// The APIServices that lead to Services.
pub(crate) fn aggregated(snapshot: &Snapshot) -> impl Iterator<Item = &ApiService> {
    let all = snapshot.api_services.loaded().into_iter().flatten();
    all.filter(|service| service.service.is_some())
}

/// Those of them that the aggregator asks: it answers for its own group itself, whatever its
/// APIServices say.
fn asked(snapshot: &Snapshot) -> impl Iterator<Item = &ApiService> {
    aggregated(snapshot).filter(|service| service.group_version.group != AGGREGATOR_GROUP)
}

/// The group versions that the aggregator answers with 503 for sure: their APIServices are not
/// available. There may be thousands, and nothing is learned by asking.
pub(crate) fn unavailable(snapshot: &Snapshot) -> BTreeSet<&GroupVersion> {
    asked(snapshot)
        .filter(|s| s.available.as_ref().is_some_and(|condition| condition.status == "False"))
        .map(|s| &s.group_version)
        .collect()
}

/// Every group version that something in the snapshot names.
fn group_versions(snapshot: &Snapshot) -> BTreeSet<GroupVersion> {
    let mut all =
        BTreeSet::from([GroupVersion::new("", "v1"), GroupVersion::new(AGGREGATOR_GROUP, "v1")]);
    let paths = snapshot.root_paths.loaded().into_iter().flatten();
    let listed = paths
        .filter_map(|path| GroupVersion::parse(path.strip_prefix("/apis/")?))
        .filter(|gv| !gv.group.is_empty());
    if let Some(services) = snapshot.api_services.loaded() {
        all.extend(services.iter().map(|s| s.group_version.clone()));
        // The aggregator's own group has no APIServices; before 1.22 it had a second version.
        all.extend(listed.filter(|gv| gv.group == AGGREGATOR_GROUP));
        return all;
    }
    for group in snapshot.legacy_groups.loaded().into_iter().flatten() {
        all.extend(group.versions.iter().map(|version| GroupVersion::new(&*group.name, version)));
    }
    for group in snapshot.aggregated_groups.loaded().into_iter().flatten() {
        all.extend(group.versions.iter().map(|v| GroupVersion::new(&*group.name, &*v.version)));
    }
    all.extend(listed);
    all
}
