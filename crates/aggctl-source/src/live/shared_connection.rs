//! Opens one connection for all requests if the server speaks HTTP/2.
//!
//! Requests that start together would each open a connection, and all but one would be discarded
//! once HTTP/2 is negotiated. Here the first request connects and the others wait. With HTTP/2 they
//! share its connection; with HTTP/1.1 each opens its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::Connection;
use tokio::sync::watch;
use tower_layer::Layer;
use tower_service::Service;

use super::tls;

/// What is known about the server so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No attempt was made, or the last one failed.
    Unknown,
    /// The first request is connecting.
    Connecting,
    /// One connection carries all requests.
    One,
    /// Every request needs its own connection.
    Many,
}

/// How long a late request waits for the shared connection before opening its own.
const GRACE: Duration = Duration::from_millis(200);

/// A layer around the client's connector.
#[derive(Debug, Clone)]
pub(super) struct SharedConnection(Arc<watch::Sender<State>>);

impl SharedConnection {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(State::Unknown)))
    }
}

impl<S> Layer<S> for SharedConnection {
    type Service = Gated<S>;

    fn layer(&self, inner: S) -> Gated<S> {
        Gated { inner, gate: self.clone() }
    }
}

/// A connector that waits for the shared connection.
#[derive(Debug, Clone)]
pub(super) struct Gated<S> {
    inner: S,
    gate: SharedConnection,
}

impl<S, R> Service<R> for Gated<S>
where
    S: Service<R> + Clone + Send + 'static,
    S::Response: Connection,
    S::Future: Send,
    R: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        // `poll_ready` was called on `self.inner`, so use that one. Its clone may not be ready.
        let ready = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, ready);
        let gate = self.gate.clone();
        Box::pin(async move {
            let first = gate.pass().await;
            let result = tls::connecting(inner.call(request)).await;
            if let (Some(mut first), Ok(made)) = (first, &result) {
                let shared = made.connected().is_negotiated_h2();
                first.learned = if shared { State::One } else { State::Many };
            }
            result
        })
    }
}

impl SharedConnection {
    /// Waits until a request may connect; returns a guard if it is the first.
    async fn pass(&self) -> Option<First> {
        let mut states = self.0.subscribe();
        let mut waited = false;
        loop {
            let mut first = false;
            self.0.send_if_modified(|state| {
                first = *state == State::Unknown;
                if first {
                    *state = State::Connecting;
                }
                first
            });
            if first {
                return Some(First { gate: self.clone(), learned: State::Unknown });
            }
            let state = *states.borrow_and_update();
            match state {
                State::Many => return None,
                // The request was sent on the shared connection, and this future will be dropped.
                State::One if waited => std::future::pending().await,
                State::One => {
                    tokio::time::sleep(GRACE).await;
                    return None;
                }
                State::Unknown => {}
                State::Connecting => {
                    waited = true;
                    // Cannot fail, because the sender lives as long as `self`.
                    let _ = states.changed().await;
                }
            }
        }
    }
}

/// The first request that connects. When dropped, it publishes what it learned. If it learned
/// nothing, another request tries.
struct First {
    gate: SharedConnection,
    learned: State,
}

impl Drop for First {
    fn drop(&mut self) {
        self.gate.0.send_replace(self.learned);
    }
}
