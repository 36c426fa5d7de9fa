//! The one way to talk to a cluster: GET, bounded in time and size, and nothing else.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, ETAG, HOST, HeaderMap, HeaderValue, IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use url::{Host, Url};

use super::budget::{Budget, Sizes, size};
use super::connection::{Connection, Limits, address};
use super::credentials::{self, Credentials};
use super::exec::{self, Credential, seconds};
use super::failure::{Failure, Kind, describe};
use super::gate::Gate;
use super::kubeconfig::Exec;
use super::memory::{Asker, Memory};
use super::secret::Secret;
use super::tls::Identity;
use super::{dialled, proxy, tls};
use crate::error::Error;

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
    headers: HeaderMap,
    secrets: Vec<Secret>,
    /// The certificate that we show.
    identity: Option<Identity>,
    /// What told us who we are and can be asked again, and what it said.
    plugin: Option<(Exec, Credential)>,
    unsent: Vec<&'static str>,
    /// How long the plugin took of the time that there is.
    took: Duration,
    limits: Limits,
    deadline: Instant,
    log: RefCell<Vec<String>>,
    budget: Budget,
    memory: Memory,
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Get {
    /// With a slash before it and escapes where they are needed.
    pub(super) path: String,
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

enum Attempt {
    Failed(Failure),
    /// The server wants us to come back.
    Later(Duration, Failure),
}

impl From<Failure> for Attempt {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Client {
    /// Prepares everything; sends nothing but what an exec plugin may send.
    pub(super) async fn new(connection: &Connection) -> Result<Self, Error> {
        let Limits { whole, .. } = connection.limits;
        let started = Instant::now();
        let credentials = credentials::collect(connection, whole).await?;
        // Somebody who logs in takes his own time, not that of the requests.
        let deadline = started + whole + credentials.attended;
        Self::with(connection, credentials, deadline)
    }

    /// A client with what the exec plugin says now, if that is something else than before.
    pub(super) async fn renewed(&self, connection: &Connection) -> Result<Option<Self>, Error> {
        let Some((exec, said)) = self.plugin.as_ref() else { return Ok(None) };
        exec::forget(exec, said);
        let credentials = credentials::collect(connection, self.left()).await?;
        if credentials.headers == self.headers && credentials.identity == self.identity {
            return Ok(None);
        }
        let deadline = self.deadline + credentials.attended;
        let client = Self::with(connection, credentials, deadline)?;
        client.log.replace(self.take_log());
        Ok(Some(client))
    }

    /// What proves who we are and is not sent, in words: the server is http.
    pub(super) fn unsent(&self) -> &[&'static str] {
        &self.unsent
    }

    fn with(
        connection: &Connection,
        credentials: Credentials,
        deadline: Instant,
    ) -> Result<Self, Error> {
        let Credentials { identity, headers, mut secrets, plugin, unsent, took, .. } = credentials;
        let trouble =
            |why: String| Error::source(format!("cannot use cluster {}: {why}", connection.name));
        let proxy =
            proxy::choose(&connection.server, connection.cluster.proxy_url.as_ref(), |name| {
                std::env::var(name).ok()
            })
            .map_err(trouble)?;
        secrets.extend(proxy.iter().flat_map(proxy::secrets));
        let mut base = connection.server.clone();
        // The HTTP client takes the brackets of such an address for a part of the server's name.
        if proxy.is_some() && base.scheme() == "https" && matches!(base.host(), Some(Host::Ipv6(_)))
        {
            let why = "a server with an IPv6 address cannot be reached through a proxy";
            return Err(
                trouble(why.to_owned()).with_hint("give it a name, or put it into NO_PROXY")
            );
        }
        let server_name =
            connection.cluster.tls_server_name.clone().filter(|name| !name.is_empty());
        let dialled = dialled::rename(&mut base, server_name.as_deref(), proxy.is_some());
        let mut builder = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .user_agent(concat!("aggctl/", env!("CARGO_PKG_VERSION")))
            .retry(reqwest::retry::never())
            .gzip(!connection.cluster.disable_compression)
            .connector_layer(Gate::new());
        // A Host header of one's own goes only with HTTP/1.1: HTTP/2 takes it from the URL.
        let protocols: &[&[u8]] =
            if dialled.is_some() { &[b"http/1.1"] } else { &[b"h2", b"http/1.1"] };
        // Without TLS on the way there is nobody to verify, but the client wants its settings.
        let encrypted = base.scheme() == "https"
            || proxy.as_ref().is_some_and(|proxy| proxy.scheme() == "https");
        let memory = connection.memory.clone();
        memory.belong_to(Asker {
            server: connection.server.clone(),
            headers: headers.clone(),
            certificates: identity.as_ref().map(|identity| identity.certificates.clone()),
        });
        let settings = tls::Settings {
            trust: if encrypted {
                credentials::trust(&connection.cluster, connection.limits.whole)?
            } else {
                tls::Trust::Anybody
            },
            server_name,
            identity: identity.clone(),
            proxied: proxy.as_ref().is_some_and(|proxy| proxy.scheme() == "https"),
            protocols: protocols.iter().map(|p| p.to_vec()).collect(),
        };
        builder = builder.tls_backend_preconfigured(tls::config(&settings).map_err(trouble)?);
        let mut host = None;
        let via = proxy.as_ref().map(address);
        if let Some(dialled) = dialled {
            host = HeaderValue::from_str(&dialled.authority).ok();
            builder = builder.dns_resolver(Arc::new(dialled)).http1_only();
        }
        if let Some(proxy) = proxy {
            let proxy = reqwest::Proxy::all(proxy)
                .map_err(|_| trouble("the proxy's URL cannot be used".to_owned()))?;
            builder = builder.proxy(proxy);
        }
        let http = builder.build().map_err(|error| trouble(describe(&error, None).why))?;
        let (limits, log) = (connection.limits, RefCell::default());
        let budget = Budget::new(limits.sizes.all);
        Ok(Self {
            http,
            base,
            host,
            via,
            headers,
            secrets,
            identity,
            plugin,
            unsent,
            took,
            limits,
            deadline,
            log,
            budget,
            memory,
        })
    }

    /// How large answers may be.
    pub(super) fn sizes(&self) -> &Sizes {
        &self.limits.sizes
    }

    /// Keeps an answer for when the same is asked again.
    pub(super) fn remember(&self, get: &Get, answer: &Answer) {
        self.memory.keep(get, answer);
    }

    /// What was asked, and what came of it, for those who want details.
    pub(super) fn take_log(&self) -> Vec<String> {
        self.log.take()
    }

    /// Asks, and asks again where the server wants patience and the time allows.
    /// At most so many bytes are taken.
    pub(super) async fn get(&self, get: &Get, most: usize) -> Result<Answer, Failure> {
        let mut attempts = 1;
        loop {
            let started = Instant::now();
            let result = self.once(get, most).await;
            self.note(get, started, &result);
            match result {
                Ok(answer) => return Ok(answer),
                Err(Attempt::Failed(failure)) => return Err(failure),
                Err(Attempt::Later(wait, failure)) => {
                    if attempts >= MAX_ATTEMPTS {
                        return Err(Failure {
                            why: format!("{}, {attempts} times", failure.why),
                            ..failure
                        });
                    }
                    if wait >= self.left() {
                        let why = format!(
                            "{}, and asks to wait {}, longer than --timeout allows",
                            failure.why,
                            seconds(wait)
                        );
                        return Err(Failure { why, ..failure });
                    }
                    attempts += 1;
                    tokio::time::sleep(wait).await;
                }
            }
        }
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn note(&self, get: &Get, started: Instant, result: &Result<Answer, Attempt>) {
        let what = match result {
            Ok(answer) => format!("{} bytes", answer.body.len()),
            Err(Attempt::Failed(failure)) => failure.why.clone(),
            Err(Attempt::Later(wait, failure)) => {
                format!("{}, again in {}", failure.why, seconds(*wait))
            }
        };
        let took = started.elapsed().as_millis();
        self.log.borrow_mut().push(format!("GET {}: {what}, {took} ms", get.path));
    }

    async fn once(&self, get: &Get, most: usize) -> Result<Answer, Attempt> {
        self.budget.spend(0)?;
        let limit = self.limits.request.min(self.left());
        let answer = tokio::time::timeout(limit, self.send(get, most)).await;
        answer.unwrap_or_else(|_| {
            let whole = self.limits.whole;
            let why = if self.left().is_zero() && self.took > whole / 2 {
                let took = Duration::from_secs(self.took.as_secs());
                format!(
                    "no answer within {} (--timeout), of which the exec plugin took {}",
                    seconds(whole),
                    seconds(took)
                )
            } else if self.left().is_zero() {
                format!("no answer within {} (--timeout)", seconds(whole))
            } else {
                format!("no answer within {} (--request-timeout)", seconds(self.limits.request))
            };
            Err(Failure::new(Kind::Unreachable, why).into())
        })
    }

    async fn send(&self, get: &Get, most: usize) -> Result<Answer, Attempt> {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{}", self.base.path().trim_end_matches('/'), get.path));
        url.set_query(Some(&get.query).filter(|q| !q.is_empty()).map(String::as_str));
        let mut request =
            self.http.get(url).headers(self.headers.clone()).header(ACCEPT, get.accept);
        if let Some(host) = &self.host {
            request = request.header(HOST, host);
        }
        let known = self.memory.recall(get);
        if let Some(tag) = known.as_ref().and_then(|known| known.tag.as_ref()) {
            request = request.header(IF_NONE_MATCH, tag);
        }
        let response = request.send().await.map_err(|error| {
            let mut failure = describe(&error, self.via.as_deref());
            if self.identity.is_some() {
                failure.suspect_certificate();
            }
            failure
        })?;
        let status = response.status();
        match (status, known) {
            (StatusCode::OK, _) => self.read(response, most).await.map_err(Into::into),
            (StatusCode::NOT_MODIFIED, Some(known)) => self.unchanged(get, &response, known),
            _ => Err(self.refused(status, response).await),
        }
    }

    /// What is known already, if that is what the server means.
    fn unchanged(&self, get: &Get, response: &Response, known: Answer) -> Result<Answer, Attempt> {
        let tag = response.headers().get(ETAG);
        if tag.is_none() || tag == known.tag.as_ref() {
            return Ok(known);
        }
        // It speaks of another state than ours. Ask anew, without a condition.
        self.memory.forget(get);
        let why = "the server calls unchanged what it has changed";
        Err(Attempt::Later(Duration::ZERO, Failure::unusable(why)))
    }

    async fn read(&self, mut response: Response, most: usize) -> Result<Answer, Failure> {
        let tag = response.headers().get(ETAG).cloned();
        let kind = response.headers().get(CONTENT_TYPE).and_then(|v| v.to_str().ok());
        if let Some(kind) = kind
            && !kind.starts_with("application/json")
        {
            let kind = self.scrub(kind);
            let kind = shortened(kind.split(';').next().unwrap_or_default());
            return Err(Failure::unusable(format!("the answer is {kind}, not JSON")));
        }
        let bytes = self.body(&mut response, most).await?;
        let body =
            String::from_utf8(bytes).map_err(|_| Failure::unusable("the answer is no text"))?;
        Ok(Answer { body, tag })
    }

    async fn refused(&self, status: StatusCode, mut response: Response) -> Attempt {
        if status == StatusCode::NOT_MODIFIED {
            let why = "the server answers 304 (not modified), though it was not asked for changes";
            return Failure::unusable(why).into();
        }
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|v| v.to_str().ok());
            let to = to.and_then(|to| self.base.join(to).ok()).map(|url| address(&url));
            let to = to.map_or_else(|| "somewhere".to_owned(), |to| self.quoted(&to));
            return Failure::unusable(format!(
                "the server redirects to {to}, which is not followed"
            ))
            .into();
        }
        let wait =
            response.headers().get(RETRY_AFTER).and_then(|v| v.to_str().ok()?.trim().parse().ok());
        // The reason is good to have, but not worth an error of its own.
        let said = self.body(&mut response, 64 << 10).await.ok();
        let said = said.and_then(|bytes| message(&bytes)).map(|said| self.quoted(&said));
        let words = match status {
            StatusCode::UNAUTHORIZED => {
                "the server does not accept the credentials (401)".to_owned()
            }
            StatusCode::FORBIDDEN => "forbidden (403)".to_owned(),
            StatusCode::NOT_FOUND => "not found (404)".to_owned(),
            StatusCode::TOO_MANY_REQUESTS => "the server asks for fewer requests (429)".to_owned(),
            _ => format!("the server answers {}", status.as_u16()),
        };
        let why = match said {
            Some(said) if !said.is_empty() => format!("{words}: {said}"),
            _ => words,
        };
        let kind = match status {
            StatusCode::UNAUTHORIZED => Kind::Unauthorized,
            StatusCode::FORBIDDEN => Kind::Forbidden,
            StatusCode::NOT_FOUND => Kind::Missing,
            StatusCode::GONE => Kind::Gone,
            _ => Kind::Unusable,
        };
        let failure = Failure::new(kind, why);
        match wait {
            // As in client-go: a server error is worth another try only if the server says so.
            Some(wait) if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                Attempt::Later(Duration::from_secs(wait), failure)
            }
            None if status == StatusCode::TOO_MANY_REQUESTS => {
                Attempt::Later(Duration::from_secs(1), failure)
            }
            _ => failure.into(),
        }
    }

    /// A text of the server's, fit to be shown. Secrets go first: what was cut is not found.
    pub(super) fn quoted(&self, text: &str) -> String {
        shortened(&self.scrub(text))
    }

    /// A server may repeat what it was sent; the user's screen is no place for that.
    fn scrub(&self, text: &str) -> String {
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.expose(), "[secret]"))
    }

    async fn body(&self, response: &mut Response, most: usize) -> Result<Vec<u8>, Failure> {
        let mut bytes = vec![];
        while let Some(chunk) = response.chunk().await.map_err(|error| describe(&error, None))? {
            if bytes.len() + chunk.len() > most {
                let why = format!("the answer is larger than {}", size(most));
                return Err(Failure::unusable(why));
            }
            self.budget.spend(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// The sentence in a Status object, or in a short plain text.
fn message(bytes: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Status {
        message: String,
    }
    if let Ok(Status { message }) = serde_json::from_slice(bytes) {
        return Some(message).filter(|message| !message.is_empty());
    }
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let plain = !text.is_empty()
        && text.len() < 1000
        && !text.starts_with(['<', '{', '['])
        && !text.contains('\n');
    plain.then(|| text.to_owned())
}

/// Enough of a text from outside to understand it.
fn shortened(text: &str) -> String {
    const MOST: usize = 300;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_sentence_in_an_error() {
        assert_eq!(message(br#"{"kind":"Status","message":"no way"}"#).as_deref(), Some("no way"));
        assert_eq!(message(b"service unavailable\n").as_deref(), Some("service unavailable"));
        assert_eq!(message(b"<html>"), None);
        assert_eq!(message(b""), None);
        assert_eq!(message(&[b'a'; 5000]), None);
        assert_eq!(shortened("no\nway"), "no");
        assert_eq!(shortened(&"\u{e4}".repeat(1000)).chars().count(), 301);
    }
}
