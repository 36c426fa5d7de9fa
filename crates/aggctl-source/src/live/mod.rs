//! Reads live clusters, with the same configuration as kubectl.
//!
//! [`ClusterOptions::find`] turns options, kubeconfig and service account into [`Connection`]s.
//! `collect` reads the documents that a command needs, in two rounds, and decodes each once. Only
//! GET requests are ever sent: the client has no other method. A document that cannot be read is
//! marked in the snapshot and in the notes. The async runtime and TLS are confined to this module.

mod assemble;
mod bounded;
mod budget;
mod client;
mod connection;
mod credentials;
mod document_request;
mod error;
mod etag_cache;
mod exec;
mod failure;
mod fetch;
mod health;
mod in_cluster;
mod kubeconfig;
mod limits;
mod options;
mod pace;
mod probes;
mod proxy;
mod request;
mod scrub;
mod secret;
mod settings;
mod shared_connection;
mod sni_override;
mod tls;
mod units;

pub use bounded::BoundedReadError;
pub use connection::{Connection, KubectlDefaults};
pub use credentials::CredentialError;
pub use error::{ClusterError, FailedRead};
pub use exec::{PluginError, PluginProblem};
pub use failure::{Advice, RequestFailure};
pub use kubeconfig::{KubeconfigError, MalformedKubeconfig};
pub use limits::{Limits, Sizes};
pub use options::{ClusterOptions, Found};
pub(crate) use probes::send;
pub use probes::{PlainGet, Rate};
pub use request::AnyAnswer;
pub use secret::Secret;
pub use settings::SettingsError;

use std::io;
use std::time::Duration;

use crate::needs::Needs;
use crate::progress::Watch;
use assemble::Assembly;
use client::Client;
use connection::address;
pub(crate) use fetch::Fetched;
use kube_aggregation::ingest::{Note, NoteLevel};
use kube_aggregation::model::{Origin, Snapshot, SourceKind};

/// The documents that a cluster returned, and the snapshot built from them.
#[derive(Debug)]
pub(crate) struct Collected {
    pub(crate) documents: Vec<Fetched>,
    pub(crate) snapshot: Snapshot,
    pub(crate) notes: Vec<Note>,
}

/// The slowest of the requests to a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowestRequest {
    /// The path.
    pub path: String,
    /// How long the response took.
    pub took: Duration,
}

/// Reads what is needed from a cluster, and returns its slowest request.
pub(crate) fn load(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<(Snapshot, Vec<Note>, Option<SlowestRequest>), ClusterError> {
    let Collected { documents, snapshot, notes } = collect_registered(connection, needs, watch)?;
    let slowest = documents.iter().max_by_key(|fetched| fetched.took);
    let slowest =
        slowest.map(|fetched| SlowestRequest { path: fetched.document.path(), took: fetched.took });
    Ok((snapshot, notes, slowest))
}

/// Like [`collect`], but fails if the server or the connection failed for the APIServices.
pub(crate) fn collect_registered(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<Collected, ClusterError> {
    let collected = collect(connection, needs, watch)?;
    match assemble::broken_registrations(&collected.documents) {
        Some(failure) => Err(failed(connection, "APIServices of cluster", failure.clone(), None)),
        None => Ok(collected),
    }
}

/// Reads what is needed from a cluster, and keeps the text of each document.
pub(crate) fn collect(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<Collected, ClusterError> {
    run(read(connection, needs, watch))
}

/// Runs a task on a runtime of its own.
fn run<T>(task: impl Future<Output = Result<T, ClusterError>>) -> Result<T, ClusterError> {
    check_resources().map_err(ClusterError::Runtime)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(ClusterError::Runtime)?;
    let result = runtime.block_on(task);
    // Name resolution may block a thread for a long time; do not wait for it.
    runtime.shutdown_background();
    result
}

/// How many file descriptors a connection needs: the runtime's own, and one socket.
#[cfg(unix)]
const DESCRIPTOR_PAIRS: usize = 6;

/// Checks that there are file descriptors and a thread to resolve a name with. tokio panics without
/// them.
pub fn check_resources() -> io::Result<()> {
    #[cfg(unix)]
    (0..DESCRIPTOR_PAIRS)
        .map(|_| std::os::unix::net::UnixStream::pair())
        .collect::<io::Result<Vec<_>>>()?;
    let thread = std::thread::Builder::new().spawn(|| ())?;
    let _ = thread.join();
    Ok(())
}

async fn read(
    connection: &Connection,
    needs: &Needs,
    watch: Watch<'_>,
) -> Result<Collected, ClusterError> {
    let mut client = Client::new(connection).await?;
    let first = needs.first_round();
    let mut documents = fetch::documents(&client, &first, 0, watch).await;
    // As in client-go: an exec plugin's credential may have been revoked before it expired.
    if documents.iter().any(Fetched::is_unauthorized)
        && let Some(renewed) = client.renewed(connection).await?
    {
        client = renewed;
        documents = fetch::documents(&client, &first, 0, watch).await;
    }
    if let Some(failure) = assemble::nothing(&documents) {
        let objects = failure.cause.is_breakdown() && assemble::lacks_only_objects(&documents);
        let what = if objects { "objects of cluster" } else { "cluster" };
        return Err(failed(connection, what, failure.clone(), unsent(&client)));
    }
    let mut assembly = Assembly::new(needs);
    let unread = |failure| failed(connection, "APIServices of cluster", failure, unsent(&client));
    assembly.add(&documents).map_err(unread)?;
    let second = needs.second_round(assembly.found());
    if !second.is_empty() {
        let more = fetch::documents(&client, &second, documents.len(), watch).await;
        assembly.add(&more).map_err(unread)?;
        documents.extend(more);
    }
    let origin = Origin { kind: SourceKind::Live, name: connection.name.clone() };
    let (snapshot, mut notes) = assembly.finish(origin);
    if let Some(text) = unsent(&client) {
        // Expected with `kubectl proxy` on this machine, but not if the user provided a token.
        let expected = proxy::is_loopback(&connection.server) && !connection.credential_given;
        let weight = if expected { NoteLevel::Detail } else { NoteLevel::Warning };
        notes.push(Note { weight, text });
    }
    let log = client.take_log().into_iter();
    notes.extend(log.map(|text| Note { weight: NoteLevel::Detail, text }));
    Ok(Collected { documents, snapshot, notes })
}

fn failed(
    connection: &Connection,
    what: &'static str,
    failure: RequestFailure,
    unsent: Option<String>,
) -> ClusterError {
    let cluster = connection.name.clone();
    let address = Some(address(&connection.server)).filter(|address| *address != cluster);
    ClusterError::Requests(Box::new(FailedRead { what, cluster, address, failure, unsent }))
}

/// Describes which credentials are not sent, and why.
fn unsent(client: &Client) -> Option<String> {
    let what = client.credentials.unsent.join(" and ");
    let is = if what.contains(" and ") { "are" } else { "is" };
    let why = format!("{what} {is} not sent: the server is http, not https");
    (!what.is_empty()).then_some(why)
}
