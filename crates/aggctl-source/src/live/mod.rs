//! A live cluster, reached as kubectl reaches it.
//!
//! Flags, kubeconfig and service account lead to [`Connection`]s ([`Options::find`]); `load`
//! turns one of them into a snapshot, asking only for what a command [`Needs`]. Only GET is ever
//! sent: the client has no other method. What could not be read is in the snapshot as forbidden
//! or failed, and in the notes. The runtime and TLS start here and nowhere else.

mod assemble;
mod bounded;
mod budget;
mod client;
mod connection;
mod credentials;
mod sni_override;

mod document_request;
mod etag_cache;
mod exec;
mod failure;
mod fetch;
mod flags;
mod health;
mod in_cluster;
mod kubeconfig;
mod needs;
mod parallel;
mod proxy;
mod secret;
mod shared_connection;
mod tls;

use super::{Loaded, Note, NoteLevel};
use crate::error::Error;
use client::Client;
use connection::address;
use failure::RequestFailure;
pub(super) use fetch::{Fetched, aggregated, unavailable};
use kube_aggregation::model::{LAST_WITH_ENDPOINTS, Origin, SourceKind};

pub use budget::Sizes;
pub use connection::{Connection, Found, Limits, Options};
pub use fetch::{Progress, Watch};
pub use kube_aggregation::ingest::ServerDocument;
pub use needs::{Needs, Resources};
pub use parallel::ParallelLoader;
pub use secret::Secret;

/// What a cluster answered, document by document, and the snapshot that follows.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) documents: Vec<Fetched>,
    pub(super) loaded: Loaded,
}

/// Reads what is needed from a cluster.
pub(super) fn load(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<Loaded, Error> {
    let Collected { documents, loaded } = collect(connection, needs, watch)?;
    match assemble::broken_registrations(&documents) {
        Some(failure) => Err(unreadable(connection, "APIServices of cluster", failure)),
        None => Ok(loaded),
    }
}

/// As [`load`], and keeps what came over the wire.
pub(super) fn collect(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<Collected, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::source(format!("cannot talk to a cluster: {}", error.kind())))?;
    let result = runtime.block_on(ask(connection, needs, watch));
    // A name that does not resolve may keep a thread for long; nobody waits for it.
    runtime.shutdown_background();
    result
}

async fn ask(connection: &Connection, needs: &Needs, watch: Watch<'_>) -> Result<Collected, Error> {
    let mut client = Client::new(connection).await?;
    let origin = Origin { kind: SourceKind::Live, name: connection.name.clone() };
    let mut first = needs.documents.clone();
    let endpoints = first.remove(&ServerDocument::Endpoints);
    let mut documents = fetch::documents(&client, &first, 0, watch).await;
    // As client-go does: a plugin's credential that is not accepted may have been revoked.
    if documents.iter().any(Fetched::is_unauthorized)
        && let Some(renewed) = client.renewed(connection).await?
    {
        client = renewed;
        documents = fetch::documents(&client, &first, 0, watch).await;
    }
    let mut loaded = assemble::snapshot(origin.clone(), &documents, needs);
    if let Some(failure) = assemble::nothing(&documents) {
        let error = unreadable(connection, "cluster", failure);
        return Err(match unsent(&client) {
            Some(unsent) => error.with_hint(unsent),
            None => error,
        });
    }
    let mut lists = fetch::resource_lists(needs, &loaded.snapshot);
    lists.extend(fetch::openapi_documents(needs, &loaded.snapshot));
    if endpoints && loaded.snapshot.minor().is_none_or(|minor| minor <= LAST_WITH_ENDPOINTS) {
        lists.insert(ServerDocument::Endpoints);
    }
    if !lists.is_empty() {
        documents.extend(fetch::documents(&client, &lists, documents.len(), watch).await);
        loaded = assemble::snapshot(origin, &documents, needs);
    }
    if let Some(text) = unsent(&client) {
        // Who asks kubectl's proxy on their own machine knows that; who gave a token does not.
        let quiet = proxy::is_loopback(&connection.server) && !connection.credential_given;
        let weight = if quiet { NoteLevel::Detail } else { NoteLevel::Warning };
        loaded.notes.push(Note { weight, text });
    }
    let log = client.take_log().into_iter();
    loaded.notes.extend(log.map(|text| Note { weight: NoteLevel::Detail, text }));
    Ok(Collected { documents, loaded })
}

fn unreadable(connection: &Connection, what: &str, failure: &RequestFailure) -> Error {
    let at = address(&connection.server);
    let at = if at == connection.name { String::new() } else { format!(" ({at})") };
    let message = format!("cannot read {what} {}{at}: {}", connection.name, failure.why);
    let error = Error::source(message);
    match failure.hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// What is not sent, and why.
fn unsent(client: &Client) -> Option<String> {
    let what = client.credentials.unsent.join(" and ");
    let is = if what.contains(" and ") { "are" } else { "is" };
    let why = format!("{what} {is} not sent: the server is http, not https");
    (!what.is_empty()).then_some(why)
}
