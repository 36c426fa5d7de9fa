//! Fetches documents concurrently, and lists in pages.

use std::collections::BTreeSet;
use std::pin::pin;
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use futures_util::stream::{self, StreamExt};
use serde::Deserialize;

use super::client::Client;
use super::document_request::DocumentRequest;
use super::failure::RequestFailure;
use super::health;
use super::request::{Answer, Get};
use super::units::size;
use crate::needs::ServerDocument;
use crate::progress::{Progress, Watch};
use kube_aggregation::ingest::{Envelope, flagz_json};
use kube_aggregation::model::Cause;

/// The maximum number of concurrent requests. A server grants one client only a small share.
const MAX_CONCURRENT: usize = 16;

/// The status of a list that expired before all pages were read.
const EXPIRED: Cause = Cause::Status(410);

/// The number of objects per page.
const PAGE: usize = 500;

/// The maximum size of `/metrics`. A large cluster has about ten megabytes.
const MAX_METRICS: usize = 64 << 20;

/// How often progress is reported while nothing changes.
const TICK: Duration = Duration::from_millis(100);

/// A requested document.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) document: ServerDocument,
    /// The text of each page, or why it could not be read.
    pub(crate) result: Result<Vec<String>, RequestFailure>,
    /// The entity tag without quotes, if the document is not a list.
    pub(super) tag: Option<String>,
    /// Whether some objects of the list are missing at its source.
    pub(crate) is_partial: bool,
    pub(super) took: Duration,
}

impl Fetched {
    /// Returns whether the server rejected the credentials.
    pub(super) fn is_unauthorized(&self) -> bool {
        matches!(&self.result, Err(failure) if failure.cause == Cause::Unauthorized)
    }
}

/// Requests documents, and returns them in order. `before` requests were answered earlier.
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
        let read = pages(client, &document).await;
        let (result, tag, is_partial) = match read {
            Ok(Pages { texts, tag, is_partial }) => (Ok(texts), tag, is_partial),
            Err(failure) => (Err(failure), None, false),
        };
        Fetched { document, result, tag, is_partial, took: started.elapsed() }
    });
    let mut asking = pin!(asking.buffer_unordered(MAX_CONCURRENT));
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

/// The pages of a document.
#[derive(Default)]
struct Pages {
    texts: Vec<String>,
    /// The entity tag, if it is not a list.
    tag: Option<String>,
    is_partial: bool,
}

/// Reads the pages of a document.
async fn pages(client: &Client, document: &ServerDocument) -> Result<Pages, RequestFailure> {
    let get = document.get();
    let texts = match document {
        ServerDocument::Health(_) => vec![health::body(client, &get).await?],
        ServerDocument::Metrics => vec![client.get_text(&get, MAX_METRICS).await?],
        ServerDocument::OpenApiProtobuf => client.get_status(&get).await.map(|()| vec![])?,
        _ if document.is_list() => return whole_list(client, document).await,
        _ => {
            let Answer { body, tag, .. } = page(client, document, &get).await?.answer;
            let tag = tag.as_ref().and_then(|tag| tag.to_str().ok());
            let tag = tag.map(|tag| client.quoted(tag.trim_matches('"')));
            return Ok(Pages { texts: vec![body], tag, is_partial: false });
        }
    };
    Ok(Pages { texts, ..Pages::default() })
}

async fn whole_list(client: &Client, document: &ServerDocument) -> Result<Pages, RequestFailure> {
    // A list may expire between two pages. Then start again, and at last request it without paging.
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
) -> Result<Pages, RequestFailure> {
    let mut get = document.get();
    let limit = if page_size == 0 { String::new() } else { format!("limit={page_size}") };
    get.query.clone_from(&limit);
    let (mut found, mut bytes) = (Pages::default(), 0);
    loop {
        let Page { answer, next } = page(client, document, &get).await?;
        bytes += answer.body.len();
        let max = client.limits.sizes.list;
        if bytes > max {
            let why = format!("the list is larger than {}", size(max));
            return Err(RequestFailure::too_large(why));
        }
        found.is_partial |= answer.is_partial;
        found.texts.push(answer.body);
        let Some(next) = next else { return Ok(found) };
        let more: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
        get.query = format!("{limit}&continue={more}");
    }
}

/// One page of a list, or a whole document.
struct Page {
    answer: Answer,
    /// The continue token of the next page.
    next: Option<String>,
}

/// Requests one page, and checks that it is the requested document. Reads only the outermost
/// fields; the content is decoded once, when the document is added to a snapshot.
async fn page(
    client: &Client,
    document: &ServerDocument,
    get: &Get,
) -> Result<Page, RequestFailure> {
    #[derive(Deserialize)]
    struct ListMetadata {
        r#continue: Option<String>,
    }
    let mut answer = client.get(get, document.max_size(&client.limits.sizes)).await?;
    if document.is_discovery() {
        client.discovery.spend(answer.body.len())?;
    }
    if *document == ServerDocument::Flagz
        && let Some(body) = flagz_json(&answer.body)
    {
        answer.body = body;
    }
    let envelope: Envelope<'_> = serde_json::from_str(&answer.body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        RequestFailure::unusable(format!("the response is invalid JSON at {line}:{column}"))
    })?;
    if !document.recognizes(&envelope) {
        let kind = if envelope.kind.is_empty() {
            "something else".to_owned()
        } else {
            client.quoted(format!("{} {}", envelope.api_version, envelope.kind).trim())
        };
        return Err(RequestFailure::unusable(format!("the response is {kind}")));
    }
    let metadata = envelope.metadata.filter(|_| document.is_list());
    let metadata: Option<ListMetadata> =
        metadata.and_then(|raw| serde_json::from_str(raw.get()).ok());
    let next = metadata.and_then(|list| list.r#continue).filter(|next| !next.is_empty());
    if !document.is_list() {
        client.cache.keep(get, &answer);
    }
    Ok(Page { answer, next })
}
