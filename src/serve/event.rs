//! The events and requests that connections send to the owner of the listener.

use std::convert::Infallible;
use std::time::Duration;

use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Bytes;
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot, watch as changes};

use super::token::Token;
use crate::replay::{Request, Response};

/// The maximum number of connections. Each has one request at a time, so this also limits requests.
pub const MAX_CONNECTIONS: usize = 256;

/// An event for the owner of the listener.
#[derive(Debug)]
pub enum Event {
    /// A client sent a request.
    Question(Question),
    /// It is time to check whether the source has changed.
    Look,
    /// It is time to stop.
    Stop,
}

/// A request that waits for its response.
#[derive(Debug)]
pub struct Question {
    pub request: Request,
    reply: oneshot::Sender<Response>,
}

impl Question {
    /// Sends the response. A client that hung up does not receive it.
    pub fn answer(self, response: Response) {
        let _ = self.reply.send(response);
    }
}

pub(super) type BoxBody = UnsyncBoxBody<Bytes, Infallible>;

/// The state that all connections share.
#[derive(Debug, Clone)]
pub(super) struct Shared {
    pub(super) questions: mpsc::Sender<Event>,
    pub(super) changed: changes::Receiver<u64>,
    pub(super) patience: Duration,
    pub(super) token: Option<Token>,
    pub(super) now: fn() -> Timestamp,
}

impl Shared {
    /// Asks the owner for a response; `None` if it has stopped.
    pub(super) async fn ask(&self, request: Request) -> Option<Response> {
        let (reply, answer) = oneshot::channel();
        let question = Event::Question(Question { request, reply });
        self.questions.send(question).await.ok()?;
        answer.await.ok()
    }
}
