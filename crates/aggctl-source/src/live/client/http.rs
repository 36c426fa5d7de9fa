//! Sends GET requests to a cluster, with limits on time and size.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HOST, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use reqwest::{Response, StatusCode};
use url::Url;

use super::refusal::{Failed, message, refusal, shortened};
use crate::live::budget::Budget;
use crate::live::connection::address;
use crate::live::credentials::Credentials;
use crate::live::etag_cache::EtagCache;
use crate::live::failure::{RequestFailure, describe};
use crate::live::limits::Limits;
use crate::live::request::{Answer, AnyAnswer, Get, NOT_COLLECTED_HEADER};
use crate::live::scrub;
use crate::live::units::{seconds, size};
use kube_aggregation::model::Cause;

/// The media type of responses that are not JSON.
const TEXT: &str = "text/plain";

/// How many times a request is sent if the server asks to retry.
const MAX_ATTEMPTS: usize = 10;

/// The maximum number of bytes read from an error response.
const MAX_ERROR: usize = 64 << 10;

/// A client for one API server. It has no method that could change anything.
#[derive(Debug)]
pub(in crate::live) struct Client {
    pub(super) http: reqwest::Client,
    pub(super) base: Url,
    pub(super) host: Option<HeaderValue>,
    /// The address of the proxy, if there is one.
    pub(super) via: Option<String>,
    pub(in crate::live) credentials: Credentials,
    pub(in crate::live) limits: Limits,
    pub(super) deadline: Instant,
    pub(super) log: RefCell<Vec<String>>,
    pub(super) budget: Budget,
    /// The part of it for discovery documents.
    pub(in crate::live) discovery: Budget,
    pub(in crate::live) cache: EtagCache,
}

impl Client {
    /// Returns one line per request, with its result.
    pub(in crate::live) fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    /// Sends a request for at most `max` bytes. Retries if the server asks for it and time is left.
    pub(in crate::live) async fn get(
        &self,
        get: &Get,
        max: usize,
    ) -> Result<Answer, RequestFailure> {
        self.retrying(async || self.once(get, self.send(get, max)).await).await
    }

    /// Sends a request whose answer is to be judged, whatever its status. Reads the body unless the
    /// request succeeds and `reads_success` is false. `turn` waits until it may be sent.
    pub(in crate::live) async fn get_any(
        &self,
        get: &Get,
        reads_success: bool,
        turn: impl AsyncFn(),
    ) -> Result<AnyAnswer, RequestFailure> {
        let attempt = async || {
            turn().await;
            let asking = async {
                let mut response = self.request(get, None).await?;
                let status = response.status();
                if status == StatusCode::TOO_MANY_REQUESTS {
                    return Err(self.refused(status, response).await);
                }
                let body = match reads_success || !status.is_success() {
                    true => Some(self.body(&mut response, self.limits.sizes.answer).await?),
                    false => None,
                };
                let body = body.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                let body = body.map(|text| scrub::document(text, &self.credentials.secrets));
                Ok(AnyAnswer { status: status.as_u16(), body })
            };
            self.within_limits(asking).await
        };
        self.retrying(attempt).await
    }

    /// Repeats an attempt as often as the server asks for it, while time is left.
    async fn retrying<T>(
        &self,
        attempt: impl AsyncFn() -> Result<T, Failed>,
    ) -> Result<T, RequestFailure> {
        let mut attempts = 1;
        loop {
            let Failed { failure, again } = match attempt().await {
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
                    "{}, and asks to wait {}, longer than the timeout allows",
                    failure.why,
                    seconds(wait)
                );
                return Err(failure.saying(why));
            }
            attempts += 1;
            tokio::time::sleep(wait).await;
        }
    }

    /// Sends a request for a text of at most `max` bytes. Accepts status 500, which health
    /// endpoints return if a check fails.
    pub(in crate::live) async fn get_text(
        &self,
        get: &Get,
        max: usize,
    ) -> Result<String, RequestFailure> {
        let looking = async {
            let mut response = self.request(get, None).await?;
            let is_partial = is_partial(&response)?;
            let status = response.status();
            if !matches!(status, StatusCode::OK | StatusCode::INTERNAL_SERVER_ERROR) {
                return Err(self.refused(status, response).await);
            }
            let bytes = self.body(&mut response, max).await?;
            let body = String::from_utf8_lossy(&bytes).into_owned();
            let body = scrub::document(body, &self.credentials.secrets);
            Ok(Answer { body, tag: None, is_partial })
        };
        let answer = self.once(get, looking).await;
        answer.map(|answer| answer.body).map_err(|failed| failed.failure)
    }

    /// Sends a request and ignores the body. The status must be 200.
    pub(in crate::live) async fn get_status(&self, get: &Get) -> Result<(), RequestFailure> {
        let status = async {
            let response = self.request(get, None).await?;
            let is_partial = is_partial(&response)?;
            match response.status() {
                StatusCode::OK => Ok(Answer { body: String::new(), tag: None, is_partial }),
                status => Err(self.refused(status, response).await),
            }
        };
        self.within_limits(status).await.map(drop).map_err(|failed| failed.failure)
    }

    /// Returns how much time is left for all requests.
    pub(in crate::live) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Waits for a response within the limits, and logs the result.
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
                format!("{}; retrying in {}", failure.why, seconds(*wait))
            }
        };
        let took = started.elapsed().as_millis();
        self.log.borrow_mut().push(format!("GET {}: {what}, {took} ms", get.path));
        result
    }

    /// Waits for a response within the limits.
    async fn within_limits<T>(
        &self,
        asking: impl Future<Output = Result<T, Failed>>,
    ) -> Result<T, Failed> {
        self.budget.spend(0)?;
        let limit = self.limits.request.min(self.left());
        let answer = tokio::time::timeout(limit, asking).await;
        answer.unwrap_or_else(|_| {
            let whole = self.limits.whole;
            if !self.left().is_zero() {
                let limit = seconds(self.limits.request);
                let why = format!("no response within {limit} (request timeout)");
                return Err(RequestFailure::new(Cause::Silence, why).into());
            }
            let mut why = format!("no response within {} (timeout)", seconds(whole));
            let took = self.credentials.took;
            if took > whole / 2 {
                let took = Duration::from_secs(took.as_secs());
                why += &format!(", including {} for the exec plugin", seconds(took));
            }
            Err(RequestFailure::new(Cause::OutOfTime, why).into())
        })
    }

    async fn send(&self, get: &Get, max: usize) -> Result<Answer, Failed> {
        let known = self.cache.recall(get);
        let tag = known.as_ref().and_then(|known| known.tag.as_ref());
        let response = self.request(get, tag).await?;
        // Before the status, because a refusal may stand in, too.
        let is_partial = is_partial(&response)?;
        let status = response.status();
        match (status, known) {
            (StatusCode::OK, _) => {
                let answer = self.read(response, get, max).await?;
                Ok(Answer { is_partial, ..answer })
            }
            (StatusCode::NOT_MODIFIED, Some(known)) => self.unchanged(get, &response, known),
            _ => Err(self.refused(status, response).await),
        }
    }

    /// Sends one request. `tag` is the entity tag of the cached response.
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
            let failure = self.described(error, self.via.as_deref());
            match self.credentials.identity {
                Some(_) => failure.suspect_certificate(),
                None => failure,
            }
        });
        Ok(response?)
    }

    /// Returns the cached response after status 304, if its entity tag matches.
    fn unchanged(&self, get: &Get, response: &Response, known: Answer) -> Result<Answer, Failed> {
        let tag = response.headers().get(ETAG);
        if tag.is_none() || tag == known.tag.as_ref() {
            return Ok(known);
        }
        // The server refers to another state, so send the request again without a tag.
        self.cache.forget(get);
        let why = "the server answered 304 (not modified) for a document that changed";
        Err(Failed { failure: RequestFailure::unusable(why), again: Some(Duration::ZERO) })
    }

    async fn read(
        &self,
        mut response: Response,
        get: &Get,
        max: usize,
    ) -> Result<Answer, RequestFailure> {
        let tag = response.headers().get(ETAG).cloned();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
        let is_text = |kind: &str| kind.starts_with(TEXT) && get.accept.contains(TEXT);
        let kind = kind.filter(|kind| !kind.starts_with("application/json") && !is_text(kind));
        let kind = kind.map(|kind| self.quoted(kind.split(';').next().unwrap_or_default()));
        let bytes = self.body(&mut response, max).await?;
        let body = String::from_utf8(bytes)
            .map_err(|_| RequestFailure::unusable("the response is not text"))?;
        let body = scrub::document(body, &self.credentials.secrets);
        // The body decides, because servers send the index /openapi/v3 as plain text.
        match kind.filter(|_| !body.trim_ascii_start().starts_with('{')) {
            Some(kind) => {
                Err(RequestFailure::unusable(format!("the response is {kind}, not JSON")))
            }
            None => Ok(Answer { body, tag, is_partial: false }),
        }
    }

    /// Prepares a server's text for printing. Secrets are removed before it is shortened, because a
    /// truncated secret would not be found.
    pub(in crate::live) fn quoted(&self, text: &str) -> String {
        shortened(&scrub::message(text, &self.credentials.secrets))
    }

    /// Describes an error of the connection, which may quote the server: the text of a GOAWAY frame,
    /// or a name in its certificate.
    fn described(&self, error: reqwest::Error, via: Option<&str>) -> RequestFailure {
        describe(error, via).scrubbed(|text| scrub::message(text, &self.credentials.secrets))
    }

    async fn body(&self, response: &mut Response, max: usize) -> Result<Vec<u8>, RequestFailure> {
        let mut bytes = vec![];
        while let Some(chunk) =
            response.chunk().await.map_err(|error| self.described(error, None))?
        {
            if bytes.len() + chunk.len() > max {
                let why = format!("the response is larger than {}", size(max));
                return Err(RequestFailure::too_large(why));
            }
            self.budget.spend(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    /// Describes a response with a status other than 200.
    async fn refused(&self, status: StatusCode, mut response: Response) -> Failed {
        if status == StatusCode::NOT_MODIFIED {
            let why = "the server answered 304 (not modified) to an unconditional request";
            return RequestFailure::unusable(why).into();
        }
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|v| v.to_str().ok());
            let to = to.and_then(|to| self.base.join(to).ok()).map(|url| address(&url));
            let to = to.map_or_else(|| "somewhere".to_owned(), |to| self.quoted(&to));
            let why = format!("the server redirects to {to}; aggctl does not follow redirects");
            return RequestFailure::unusable(why).into();
        }
        let wait =
            response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
        // The status suffices if the body cannot be read.
        let said = self.body(&mut response, MAX_ERROR).await.ok();
        let said = said.and_then(|bytes| message(&bytes)).map(|said| self.quoted(&said));
        refusal(status, said, wait)
    }
}

/// Returns whether the source of `aggctl serve` has only some objects of a list. Refuses what stands
/// in for data that it does not have.
fn is_partial(response: &Response) -> Result<bool, RequestFailure> {
    match response.headers().get(NOT_COLLECTED_HEADER) {
        None => Ok(false),
        Some(lack) if lack == "some" => Ok(true),
        Some(_) => Err(RequestFailure::unusable("not in the source of `aggctl serve`")),
    }
}
