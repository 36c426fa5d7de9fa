//! The one way to talk to a cluster: GET, bounded in time and size, and nothing else.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HOST, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use url::{Host, Url};

use super::budget::{Budget, size};
use super::connection::{Connection, Limits, address};
use super::credentials::{self, Credentials};
use super::etag_cache::{Asker, EtagCache};
use super::exec::{self, seconds};
use super::failure::{RequestFailure, describe};
use super::shared_connection::SharedConnection;
use super::{proxy, sni_override, tls};
use crate::error::Error;
use kube_aggregation::model::Cause;

mod build;
mod refusal;

use refusal::shortened;

/// What some answers are where others are JSON.
const TEXT: &str = "text/plain";

/// How often one request is sent again because the server asked for patience.
const MAX_ATTEMPTS: usize = 10;

/// A client for one API server. It can read, and has no method that could change anything.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    base: Url,
    host: Option<HeaderValue>,
    /// The address of the proxy on the way.
    via: Option<String>,
    pub(super) credentials: Credentials,
    pub(super) limits: Limits,
    deadline: Instant,
    log: RefCell<Vec<String>>,
    budget: Budget,
    /// What came before, for when the same is asked again.
    pub(super) memory: EtagCache,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Get {
    /// With a slash before it and escapes where they are needed.
    pub(crate) path: String,
    /// Without a question mark; may be empty.
    pub(super) query: String,
    pub(super) accept: &'static str,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) body: String,
    /// The server's name for this state of the document, if it has one.
    pub(super) tag: Option<HeaderValue>,
}

/// An attempt that brought no answer.
struct Failed {
    failure: RequestFailure,
    /// When the server wants us to come back, if it does.
    again: Option<Duration>,
}

impl From<RequestFailure> for Failed {
    fn from(failure: RequestFailure) -> Self {
        Self { failure, again: None }
    }
}

impl Client {
    /// Prepares everything; sends nothing but what an exec plugin may send.
    pub(super) async fn new(connection: &Connection) -> Result<Self, Error> {
        let Limits { whole, .. } = connection.limits;
        let started = Instant::now();
        let credentials = credentials::collect(connection, whole).await?;
        // Somebody who logs in takes their own time, not that of the requests.
        let deadline = started + whole + credentials.attended;
        Self::with(connection, credentials, deadline)
    }

    /// A client with what the exec plugin says now, if that is something else than before.
    pub(super) async fn renewed(&self, connection: &Connection) -> Result<Option<Self>, Error> {
        let before = &self.credentials;
        let Some((exec, said)) = &before.plugin else { return Ok(None) };
        exec::forget(exec, said);
        let credentials = credentials::collect(connection, self.left()).await?;
        if credentials.headers == before.headers && credentials.identity == before.identity {
            return Ok(None);
        }
        let deadline = self.deadline + credentials.attended;
        let client = Self::with(connection, credentials, deadline)?;
        client.log.replace(self.take_log());
        Ok(Some(client))
    }

    /// What was asked, and what came of it, for those who want details.
    pub(super) fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    /// Asks, and asks again where the server wants patience and the time allows.
    /// At most so many bytes are taken.
    pub(super) async fn get(&self, get: &Get, most: usize) -> Result<Answer, RequestFailure> {
        let mut attempts = 1;
        loop {
            let Failed { failure, again } = match self.once(get, self.send(get, most)).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let Some(wait) = again else { return Err(failure) };
            if attempts >= MAX_ATTEMPTS {
                let why = format!("{}, {attempts} times", failure.why);
                return Err(failure.saying(why));
            }
            if wait >= self.left() {
                let why = format!(
                    "{}, and asks to wait {}, longer than --timeout allows",
                    failure.why,
                    seconds(wait)
                );
                return Err(failure.saying(why));
            }
            attempts += 1;
            tokio::time::sleep(wait).await;
        }
    }

    /// Asks once for a text of at most so many bytes, and takes 500 for an answer too: how a health
    /// endpoint says that something fails.
    pub(super) async fn get_text(&self, get: &Get, most: usize) -> Result<String, RequestFailure> {
        let looking = async {
            let mut response = self.request(get, None).await?;
            let status = response.status();
            if !matches!(status, StatusCode::OK | StatusCode::INTERNAL_SERVER_ERROR) {
                return Err(self.refused(status, response).await);
            }
            let bytes = self.body(&mut response, most).await?;
            let body = self.scrub(&String::from_utf8_lossy(&bytes));
            Ok(Answer { body, tag: None })
        };
        let answer = self.once(get, looking).await;
        answer.map(|answer| answer.body).map_err(|failed| failed.failure)
    }

    /// Asks once, and looks at the status alone, which must be 200.
    pub(super) async fn get_status(&self, get: &Get) -> Result<(), RequestFailure> {
        let status = async {
            let response = self.request(get, None).await?;
            match response.status() {
                StatusCode::OK => Ok(Answer { body: String::new(), tag: None }),
                status => Err(self.refused(status, response).await),
            }
        };
        self.within_limits(status).await.map(drop).map_err(|failed| failed.failure)
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Asks within the limits, and notes what came of it.
    async fn once(
        &self,
        get: &Get,
        asking: impl Future<Output = Result<Answer, Failed>>,
    ) -> Result<Answer, Failed> {
        let started = Instant::now();
        let result = self.within_limits(asking).await;
        let what = match &result {
            Ok(answer) => format!("{} bytes", answer.body.len()),
            Err(Failed { failure, again: None }) => failure.why.clone(),
            Err(Failed { failure, again: Some(wait) }) => {
                format!("{}, again in {}", failure.why, seconds(*wait))
            }
        };
        let took = started.elapsed().as_millis();
        self.log.borrow_mut().push(format!("GET {}: {what}, {took} ms", get.path));
        result
    }

    /// An answer in the time that is left, or why there is none.
    async fn within_limits(
        &self,
        asking: impl Future<Output = Result<Answer, Failed>>,
    ) -> Result<Answer, Failed> {
        self.budget.spend(0)?;
        let limit = self.limits.request.min(self.left());
        let answer = tokio::time::timeout(limit, asking).await;
        answer.unwrap_or_else(|_| {
            let whole = self.limits.whole;
            if !self.left().is_zero() {
                let limit = seconds(self.limits.request);
                let why = format!("no answer within {limit} (--request-timeout)");
                return Err(RequestFailure::new(Cause::Silence, why).into());
            }
            let mut why = format!("no answer within {} (--timeout)", seconds(whole));
            let took = self.credentials.took;
            if took > whole / 2 {
                let took = Duration::from_secs(took.as_secs());
                why += &format!(", of which the exec plugin took {}", seconds(took));
            }
            Err(RequestFailure::new(Cause::OutOfTime, why).into())
        })
    }

    async fn send(&self, get: &Get, most: usize) -> Result<Answer, Failed> {
        let known = self.memory.recall(get);
        let tag = known.as_ref().and_then(|known| known.tag.as_ref());
        let response = self.request(get, tag).await?;
        let status = response.status();
        match (status, known) {
            (StatusCode::OK, _) => self.read(response, get, most).await.map_err(Into::into),
            (StatusCode::NOT_MODIFIED, Some(known)) => self.unchanged(get, &response, known),
            _ => Err(self.refused(status, response).await),
        }
    }

    /// Sends one request; `tag` is the state of the document that is known already.
    async fn request(&self, get: &Get, tag: Option<&HeaderValue>) -> Result<Response, Failed> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path().trim_end_matches('/'), get.path));
        url.set_query(Some(&get.query).filter(|q| !q.is_empty()).map(String::as_str));
        let headers = self.credentials.headers.clone();
        let mut request = self.http.get(url).headers(headers).header(ACCEPT, get.accept);
        if let Some(host) = &self.host {
            request = request.header(HOST, host);
        }
        if let Some(tag) = tag {
            request = request.header(IF_NONE_MATCH, tag);
        }
        let response = request.send().await.map_err(|error| {
            let failure = describe(&error, self.via.as_deref());
            match self.credentials.identity {
                Some(_) => failure.suspect_certificate(),
                None => failure,
            }
        });
        Ok(response?)
    }

    /// What is known already, if that is what the server means.
    fn unchanged(&self, get: &Get, response: &Response, known: Answer) -> Result<Answer, Failed> {
        let tag = response.headers().get(ETAG);
        if tag.is_none() || tag == known.tag.as_ref() {
            return Ok(known);
        }
        // It speaks of another state than ours. Ask anew, without a condition.
        self.memory.forget(get);
        let why = "the server calls unchanged what it has changed";
        Err(Failed { failure: RequestFailure::unusable(why), again: Some(Duration::ZERO) })
    }

    async fn read(
        &self,
        mut response: Response,
        get: &Get,
        most: usize,
    ) -> Result<Answer, RequestFailure> {
        let tag = response.headers().get(ETAG).cloned();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
        let is_text = |kind: &str| kind.starts_with(TEXT) && get.accept.contains(TEXT);
        let kind = kind.filter(|kind| !kind.starts_with("application/json") && !is_text(kind));
        let kind = kind.map(|kind| self.quoted(kind.split(';').next().unwrap_or_default()));
        let bytes = self.body(&mut response, most).await?;
        let body = String::from_utf8(bytes)
            .map_err(|_| RequestFailure::unusable("the answer is not text"))?;
        // The body decides: every server sends the index of /openapi/v3 as plain text.
        match kind.filter(|_| !body.trim_ascii_start().starts_with('{')) {
            Some(kind) => Err(RequestFailure::unusable(format!("the answer is {kind}, not JSON"))),
            None => Ok(Answer { body, tag }),
        }
    }

    /// A text of the server's, fit to be shown. Secrets go first: what was cut is not found.
    pub(super) fn quoted(&self, text: &str) -> String {
        shortened(&self.scrub(text))
    }

    /// A server may repeat what it was sent; the user's screen is no place for that.
    fn scrub(&self, text: &str) -> String {
        let secrets = self.credentials.secrets.iter();
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret.expose(), "[secret]"))
    }

    async fn body(&self, response: &mut Response, most: usize) -> Result<Vec<u8>, RequestFailure> {
        let mut bytes = vec![];
        while let Some(chunk) = response.chunk().await.map_err(|error| describe(&error, None))? {
            if bytes.len() + chunk.len() > most {
                let why = format!("the answer is larger than {}", size(most));
                return Err(RequestFailure::too_large(why));
            }
            self.budget.spend(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}
