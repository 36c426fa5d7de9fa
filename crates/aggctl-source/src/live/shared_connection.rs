//! One connection where one is enough.
//!
//! Requests that start together would each open a connection, and all but one of them would be
//! thrown away once the server turns out to speak HTTP/2. Here the first connects and the others
//! wait: for HTTP/2 their requests ride along on its connection, for HTTP/1.1 they are let go.

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
    /// Nobody has tried yet, or whoever did gave up.
    Unknown,
    /// Somebody is connecting.
    Connecting,
    /// One connection carries all requests.
    One,
    /// Every request needs its own.
    Many,
}

/// How long somebody who comes late waits for the shared connection before taking it for lost.
const GRACE: Duration = Duration::from_millis(200);

/// The layer around the client's connector.
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

/// A connector behind the gate.
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
        // The one that is ready goes; its clone may not be, and stays.
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
    /// Waits until it makes sense to connect.
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
                // The request is on its way on the shared connection, and this future forgotten.
                State::One if waited => std::future::pending().await,
                State::One => {
                    tokio::time::sleep(GRACE).await;
                    return None;
                }
                State::Unknown => {}
                State::Connecting => {
                    waited = true;
                    // The sender lives as long as the gate.
                    let _ = states.changed().await;
                }
            }
        }
    }
}

/// Whoever connects first. All know what it has learned when it is dropped; if that is nothing,
/// another one tries.
struct First {
    gate: SharedConnection,
    learned: State,
}

impl Drop for First {
    fn drop(&mut self) {
        self.gate.0.send_replace(self.learned);
    }
}
