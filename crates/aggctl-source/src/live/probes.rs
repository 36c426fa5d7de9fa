//! Sends requests whose answers are to be judged, at a bounded rate.

use std::cell::RefCell;
use std::pin::pin;
use std::time::Instant;

use futures_util::stream::{self, StreamExt};

use super::client::Client;
use super::connection::Connection;
use super::document_request::{AGGREGATED, JSON};
use super::error::ClusterError;
use super::failure::RequestFailure;
use super::pace::Pace;
use super::request::{AnyAnswer, Get};
use super::run;
use crate::progress::{Progress, Watch};
use kube_aggregation::model::Cause;

/// A GET request for any path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainGet {
    /// The escaped path, starting with a slash.
    pub path: String,
    /// Whether to ask for aggregated discovery.
    pub aggregated: bool,
    /// Whether to read the body of a successful answer. Others are always read.
    pub reads_success: bool,
}

/// The maximum number of concurrent requests.
const MAX_CONCURRENT: usize = 4;

/// How fast requests are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rate {
    /// At most 20 in any second.
    Bounded,
    /// As fast as the server answers.
    Unbounded,
}

/// Sends requests, and returns an answer or a failure for each, in order.
pub(crate) fn send(
    connection: &Connection,
    requests: &[PlainGet],
    rate: Rate,
    watch: Watch<'_>,
) -> Result<Vec<Result<AnyAnswer, RequestFailure>>, ClusterError> {
    run(send_all(connection, requests, rate, watch))
}

async fn send_all(
    connection: &Connection,
    requests: &[PlainGet],
    rate: Rate,
    watch: Watch<'_>,
) -> Result<Vec<Result<AnyAnswer, RequestFailure>>, ClusterError> {
    let client = &Client::new(connection).await?;
    let (pace, started) = (&RefCell::new(Pace::default()), Instant::now());
    let turn = &async || {
        if rate == Rate::Unbounded {
            return;
        }
        let wait = pace.borrow_mut().wait(started.elapsed());
        tokio::time::sleep(wait.min(client.left())).await;
    };
    let sending = requests.iter().enumerate().map(|(index, request)| async move {
        if client.left().is_zero() {
            let late =
                RequestFailure::new(Cause::OutOfTime, "the timeout was reached before it was sent");
            return (index, Err(late));
        }
        let accept = if request.aggregated { AGGREGATED } else { JSON };
        let get = Get { path: request.path.clone(), query: String::new(), accept };
        (index, client.get_any(&get, request.reads_success, turn).await)
    });
    let mut sending = pin!(stream::iter(sending).buffer_unordered(MAX_CONCURRENT));
    let mut found = vec![];
    watch(Progress { done: 0, all: requests.len() });
    while let Some(answer) = sending.next().await {
        found.push(answer);
        watch(Progress { done: found.len(), all: requests.len() });
    }
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, answer)| answer).collect())
}
