//! A TLS API server on loopback that replays a recording, and can fail in many ways.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap,
    IF_NONE_MATCH, LOCATION, RETRY_AFTER,
};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;

use crate::replay::{Answer, Files, Replay, gzip};

/// How an endpoint fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Breakage {
    /// The connection, or the HTTP/2 stream, ends without an answer.
    Refuse,
    /// No response.
    Hang,
    /// The response, one byte per second.
    Drip,
    /// A Status object with this code.
    Status(u16),
    /// This code with this text, as from the aggregator when a Service fails.
    Plain(u16, &'static str),
    /// 429 with this Retry-After, for this number of requests.
    Throttle { seconds: u64, times: usize },
    /// The first half of the response.
    Truncated,
    /// An HTML page.
    WrongType,
    /// Bytes that are not text.
    Garbage,
    /// JSON of another kind.
    OtherKind,
    /// A list of this kind without items.
    Empty(&'static str),
    /// A redirect to this URL.
    Redirect(String),
    /// A list of 300 MB.
    Huge,
    /// A list that cannot be continued: 410 for its second page.
    Expired,
    /// A 403 with a message that repeats the request's credentials.
    Echo,
    /// The answer, with the request's credentials in versions, messages, labels and the entity tag.
    Repeat,
    /// The answer with this entity tag.
    Tagged(&'static str),
    /// 304 to any request, with this entity tag.
    NotModified(Option<&'static str>),
    /// 304 with a body.
    NotModifiedBody,
    /// 304 with another entity tag if the request is conditional, and otherwise the answer.
    OtherState,
    /// Invalid JSON with an entity tag.
    TaggedGarbage,
    /// This number of MiB of white space, compressed with gzip.
    Bomb(usize),
}

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) http2: bool,
    /// Whether the client presented a certificate.
    pub(crate) certified: bool,
}

impl Seen {
    /// Returns whether it requests a server's own discovery. Only servers since 1.36 get this
    /// request.
    pub(crate) fn is_without_peers(&self) -> bool {
        let accept = self.headers.get("accept").and_then(|accept| accept.to_str().ok());
        accept.is_some_and(|accept| accept.contains("profile=nopeer"))
    }
}

#[derive(Default)]
struct State {
    seen: Vec<Seen>,
    broken: BTreeMap<String, Breakage>,
    connections: usize,
    names: Vec<Option<String>>,
    replay: Replay,
    /// The number of requests that must arrive before any is answered.
    hold: usize,
    arrived: usize,
    /// The number of requests that were answered with 304.
    unchanged: usize,
    /// A change to apply after this number of requests for a path.
    later: Option<(String, usize, Change)>,
    /// The only accepted token. All tokens are accepted if there is none.
    token: Option<String>,
}

type Change = Box<dyn FnOnce(&mut Files) + Send>;

/// The server, which runs until the process ends.
#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    page: usize,
    state: Arc<Mutex<State>>,
    arrivals: Arc<Notify>,
}

/// A certificate authority.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) pem: String,
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).unwrap();
        let pem = certificate.pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Signs a certificate for names. Returns it with its key, both PEM.
    pub(crate) fn sign(&self, names: &[&str], client: bool) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        let usage = if client {
            ExtendedKeyUsagePurpose::ClientAuth
        } else {
            ExtendedKeyUsagePurpose::ServerAuth
        };
        params.extended_key_usages = vec![usage];
        params.distinguished_name.push(rcgen::DnType::CommonName, "a certificate");
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        (certificate.pem(), key.serialize_pem())
    }
}

/// Returns a self-signed certificate with its key, both PEM.
pub(crate) fn self_signed(names: &[&str], ca: bool, until: i32) -> (String, String) {
    let key = KeyPair::generate().unwrap();
    let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap();
    params.is_ca = if ca { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::NoCa };
    params.not_after = rcgen::date_time_ymd(until, 1, 1);
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

/// The configuration of a server.
pub(crate) struct Setup {
    pub(crate) dump: PathBuf,
    pub(crate) protocols: Vec<&'static str>,
    pub(crate) names: Vec<&'static str>,
    /// The maximum number of objects in one response.
    pub(crate) page: usize,
    /// The certificate and key as PEM; by default the CA signs one.
    pub(crate) certificate: Option<(String, String)>,
    /// Whether to use TLS.
    pub(crate) tls: bool,
}

impl Setup {
    pub(crate) fn replaying(dump: &Path) -> Self {
        Self {
            dump: dump.to_owned(),
            protocols: vec!["h2", "http/1.1"],
            names: vec!["127.0.0.1", "localhost"],
            page: usize::MAX,
            certificate: None,
            tls: true,
        }
    }
}

impl Server {
    pub(crate) fn start(authority: &Authority, setup: &Setup) -> Self {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let own = || authority.sign(&setup.names, false);
        let (certificate, key) = setup.certificate.clone().unwrap_or_else(own);
        let chain = vec![pem(&certificate).into()];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pem(&key)));
        let mut roots = RootCertStore::empty();
        roots.add(pem(&authority.pem).into()).unwrap();
        let clients =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .allow_unauthenticated()
                .build()
                .unwrap();
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(clients)
            .with_single_cert(chain, key)
            .unwrap();
        config.alpn_protocols = setup.protocols.iter().map(|p| p.as_bytes().to_vec()).collect();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            page: setup.page,
            state: Arc::default(),
            arrivals: Arc::default(),
        };
        server.state.lock().unwrap().replay = Replay::of(&setup.dump);
        let running = server.clone();
        let tls = setup.tls;
        std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let tls = tls.then(|| TlsAcceptor::from(Arc::new(config)));
            runtime.block_on(running.serve(listener, tls));
        });
        server
    }

    async fn serve(self, listener: std::net::TcpListener, tls: Option<TlsAcceptor>) {
        let listener = TcpListener::from_std(listener).unwrap();
        while let Ok((stream, _)) = listener.accept().await {
            let (server, tls) = (self.clone(), tls.clone());
            tokio::spawn(async move {
                let Some(tls) = tls else {
                    let service = service_fn(move |request| {
                        let server = server.clone();
                        async move { server.answer(&request, false).await }
                    });
                    let builder = auto::Builder::new(TokioExecutor::new());
                    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
                    return;
                };
                let Ok(stream) = tls.accept(stream).await else { return };
                let certified = stream.get_ref().1.peer_certificates().is_some();
                let name = stream.get_ref().1.server_name().map(str::to_owned);
                {
                    let mut state = server.state.lock().unwrap();
                    state.connections += 1;
                    state.names.push(name);
                }
                let service = service_fn(move |request| {
                    let server = server.clone();
                    async move { server.answer(&request, certified).await }
                });
                let builder = auto::Builder::new(TokioExecutor::new());
                let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(crate) fn break_at(&self, path: &str, breakage: Breakage) {
        self.state.lock().unwrap().broken.insert(path.to_owned(), breakage);
    }

    /// Accepts only this bearer token from now on.
    pub(crate) fn accept_only(&self, token: &str) {
        self.state.lock().unwrap().token = Some(format!("Bearer {token}"));
    }

    pub(crate) fn mend(&self) {
        self.state.lock().unwrap().broken.clear();
    }

    /// Returns the requests since the last call.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.state.lock().unwrap().seen)
    }

    /// Returns the number of connections since the last call.
    pub(crate) fn connections(&self) -> usize {
        std::mem::take(&mut self.state.lock().unwrap().connections)
    }

    /// Returns the server names in TLS handshakes since the last call.
    pub(crate) fn names(&self) -> Vec<Option<String>> {
        std::mem::take(&mut self.state.lock().unwrap().names)
    }

    /// Changes the state of the cluster.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Files)) {
        self.state.lock().unwrap().replay.change(change);
    }

    /// Changes the state of the cluster after this number of requests for a path.
    pub(crate) fn change_after(
        &self,
        path: &str,
        times: usize,
        change: impl FnOnce(&mut Files) + Send + 'static,
    ) {
        self.state.lock().unwrap().later = Some((path.to_owned(), times, Box::new(change)));
    }

    /// Responds only after this number of requests arrived.
    pub(crate) fn hold(&self, requests: usize) {
        let mut state = self.state.lock().unwrap();
        (state.hold, state.arrived) = (requests, 0);
    }

    /// Returns the number of requests that were answered with 304 since the last call.
    pub(crate) fn unchanged(&self) -> usize {
        std::mem::take(&mut self.state.lock().unwrap().unchanged)
    }

    /// Waits for a request for a path.
    pub(crate) fn wait_for(&self, path: &str) {
        while !self.state.lock().unwrap().seen.iter().any(|seen| seen.path == path) {
            std::thread::yield_now();
        }
    }

    /// Waits until the requests to hold have arrived.
    async fn gather(&self) {
        loop {
            let more = self.arrivals.notified();
            {
                let state = self.state.lock().unwrap();
                if state.arrived >= state.hold {
                    return;
                }
            }
            more.await;
        }
    }

    async fn answer(
        &self,
        request: &Request<Incoming>,
        certified: bool,
    ) -> Result<Response<BoxBody<Bytes, std::io::Error>>, std::io::Error> {
        let path = request.uri().path().to_owned();
        let breakage = {
            let mut state = self.state.lock().unwrap();
            state.seen.push(Seen {
                method: request.method().to_string(),
                path: path.clone(),
                query: request.uri().query().unwrap_or_default().to_owned(),
                headers: request.headers().clone(),
                http2: request.version() == hyper::Version::HTTP_2,
                certified,
            });
            let shown = request.headers().get("authorization").map(|v| v.to_str().unwrap());
            if state.token.is_some() && shown != state.token.as_deref() {
                return Ok(failed(401, "Unauthorized"));
            }
            match state.broken.get_mut(&path) {
                Some(Breakage::Throttle { times: 0, .. }) => None,
                Some(Breakage::Throttle { seconds, times }) => {
                    *times -= 1;
                    Some(Breakage::Throttle { seconds: *seconds, times: 0 })
                }
                other => other.cloned(),
            }
        };
        let answer = {
            let mut state = self.state.lock().unwrap();
            let answer = state.replay.answer(request, self.page);
            state.arrived += 1;
            if let Some((_, times, _)) = state.later.as_mut().filter(|(at, ..)| *at == path) {
                *times -= 1;
                if *times == 0 {
                    let (_, _, change) = state.later.take().unwrap();
                    state.replay.change(change);
                }
            }
            answer
        };
        self.arrivals.notify_waiters();
        self.gather().await;
        let Answer { status, kind, body, zipped, mut tag } = answer;
        if let Some(Breakage::Tagged(other)) = breakage {
            tag = Some(other.to_owned());
        }
        let gone = || std::io::Error::other("broken on purpose");
        let Some(breakage) = breakage.filter(|b| !matches!(b, Breakage::Tagged(_))) else {
            let known = request.headers().get(IF_NONE_MATCH).map(|v| v.to_str().unwrap());
            if known.is_some() && known == tag.as_deref() {
                self.state.lock().unwrap().unchanged += 1;
                return Ok(not_modified(tag.as_deref(), Bytes::new()));
            }
            let mut response = respond_with(request, status, kind, body, || zipped);
            if let Some(tag) = tag {
                response.headers_mut().insert(ETAG, tag.parse().unwrap());
            }
            return Ok(response);
        };
        match breakage {
            Breakage::Refuse => Err(gone()),
            Breakage::Hang => std::future::pending().await,
            Breakage::Drip => {
                let bytes = stream::unfold(body, |mut rest| async move {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    (!rest.is_empty()).then(|| (Ok(Frame::data(rest.split_to(1))), rest))
                });
                Ok(streamed(bytes))
            }
            Breakage::Status(code) => Ok(failed(code, "as the test wants it")),
            Breakage::Plain(code, text) => {
                let status = StatusCode::from_u16(code).unwrap();
                Ok(respond(
                    request,
                    status,
                    "text/plain; charset=utf-8",
                    Bytes::from_static(text.as_bytes()),
                ))
            }
            Breakage::Throttle { seconds, .. } => {
                let mut response = failed(429, "slow down");
                response.headers_mut().insert(RETRY_AFTER, seconds.into());
                Ok(response)
            }
            Breakage::Truncated => {
                let half = body.slice(..body.len() / 2);
                let parts = stream::iter([Ok(Frame::data(half)), Err(gone())]);
                let mut response = streamed(parts);
                response.headers_mut().insert(CONTENT_LENGTH, body.len().into());
                Ok(response)
            }
            Breakage::WrongType => Ok(respond(
                request,
                status,
                "text/html",
                Bytes::from_static(b"<html>log in</html>"),
            )),
            Breakage::Garbage => {
                Ok(respond(request, status, kind, Bytes::from_static(b"\x00\xff{{{<html>")))
            }
            Breakage::OtherKind => Ok(respond(
                request,
                status,
                kind,
                Bytes::from_static(br#"{"kind":"Pod","apiVersion":"v1"}"#),
            )),
            Breakage::Empty(kind) => {
                let version = match kind {
                    "APIServiceList" => "apiregistration.k8s.io/v1",
                    _ => "v1",
                };
                let list =
                    json!({"kind": kind, "apiVersion": version, "metadata": {}, "items": []});
                Ok(respond(request, status, "application/json", Bytes::from(list.to_string())))
            }
            Breakage::Redirect(to) => {
                let mut response = Response::new(whole(Bytes::new()));
                *response.status_mut() = StatusCode::FOUND;
                response.headers_mut().insert(LOCATION, to.parse().unwrap());
                Ok(response)
            }
            Breakage::Huge => {
                let item = br#"{"metadata":{"name":"a","labels":{"x":"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}}},"#;
                let chunk = Bytes::from(item.repeat(1 << 14));
                let times = 300_000_000 / chunk.len();
                let start =
                    Ok(Frame::data(Bytes::from_static(br#"{"kind":"APIServiceList","items":["#)));
                let rest = stream::iter((0..times).map(move |_| Ok(Frame::data(chunk.clone()))));
                Ok(streamed(futures_util::StreamExt::chain(stream::iter([start]), rest)))
            }
            Breakage::Expired
                if request.uri().query().unwrap_or_default().contains("continue=") =>
            {
                Ok(failed(410, "the continue token is too old"))
            }
            Breakage::Expired => Ok(respond(request, status, kind, body)),
            Breakage::Tagged(_) => unreachable!("handled above"),
            Breakage::NotModified(tag) => Ok(not_modified(tag, Bytes::new())),
            Breakage::OtherState if request.headers().contains_key(IF_NONE_MATCH) => {
                Ok(not_modified(Some("\"other\""), Bytes::new()))
            }
            Breakage::OtherState => Ok(respond(request, status, kind, body)),
            Breakage::TaggedGarbage => {
                let mut response = respond(request, status, kind, Bytes::from_static(b"{{"));
                response.headers_mut().insert(ETAG, tag.unwrap().parse().unwrap());
                Ok(response)
            }
            Breakage::NotModifiedBody => Ok(not_modified(tag.as_deref(), body)),
            Breakage::Bomb(mebibytes) => {
                let mut response = Response::new(whole(bomb(mebibytes)));
                response.headers_mut().insert(CONTENT_ENCODING, "gzip".parse().unwrap());
                response.headers_mut().insert(CONTENT_TYPE, kind.parse().unwrap());
                Ok(response)
            }
            Breakage::Repeat => {
                let sent = request.headers()["authorization"].to_str().unwrap();
                let mut document = serde_json::from_slice(&body).unwrap();
                repeat(&mut document, sent);
                let body = Bytes::from(document.to_string());
                let mut response = respond(request, status, kind, body);
                response.headers_mut().insert(ETAG, format!("\"{sent}\"").parse().unwrap());
                Ok(response)
            }
            Breakage::Echo => Ok(failed(403, &format!("you sent {:?}", plain(request.headers())))),
        }
    }
}

/// Writes a text wherever a server may put one.
fn repeat(document: &mut Value, text: &str) {
    match document {
        Value::Object(object) => {
            for (name, value) in object.iter_mut() {
                match name.as_str() {
                    "gitVersion" | "message" | "reason" | "description" => {
                        *value = format!("{} {text}", value.as_str().unwrap_or_default()).into();
                    }
                    "metadata" if value.is_object() => value["labels"]["echo"] = text.into(),
                    _ => repeat(value, text),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| repeat(item, text)),
        _ => {}
    }
}

fn plain(headers: &HeaderMap) -> Vec<String> {
    headers.values().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}

fn pem(text: &str) -> Vec<u8> {
    use rustls::pki_types::pem::{PemObject, SectionKind};
    <(SectionKind, Vec<u8>)>::from_pem_slice(text.as_bytes()).unwrap().1
}

fn whole(bytes: Bytes) -> BoxBody<Bytes, std::io::Error> {
    Full::new(bytes).map_err(|never: Infallible| match never {}).boxed()
}

fn streamed<S>(frames: S) -> Response<BoxBody<Bytes, std::io::Error>>
where
    S: futures_util::Stream<Item = Result<Frame<Bytes>, std::io::Error>> + Send + Sync + 'static,
{
    let mut response = Response::new(BodyExt::boxed(StreamBody::new(frames)));
    response.headers_mut().insert(CONTENT_TYPE, "application/json".parse().unwrap());
    response
}

fn not_modified(tag: Option<&str>, body: Bytes) -> Response<BoxBody<Bytes, std::io::Error>> {
    let mut response = Response::new(whole(body));
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    if let Some(tag) = tag {
        response.headers_mut().insert(ETAG, tag.parse().unwrap());
    }
    response
}

/// Returns white space, which may start a JSON document, compressed with gzip.
fn bomb(mebibytes: usize) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    for _ in 0..mebibytes {
        encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    Bytes::from(encoder.finish().unwrap())
}

fn respond(
    request: &Request<Incoming>,
    status: StatusCode,
    kind: &str,
    body: Bytes,
) -> Response<BoxBody<Bytes, std::io::Error>> {
    respond_with(request, status, kind, body.clone(), || gzip(&body))
}

fn respond_with(
    request: &Request<Incoming>,
    status: StatusCode,
    kind: &str,
    body: Bytes,
    zip: impl FnOnce() -> Bytes,
) -> Response<BoxBody<Bytes, std::io::Error>> {
    let zipped = request
        .headers()
        .get(ACCEPT_ENCODING)
        .is_some_and(|v| v.to_str().unwrap().contains("gzip"));
    let mut response = Response::new(whole(if zipped { zip() } else { body }));
    *response.status_mut() = status;
    if zipped {
        response.headers_mut().insert(CONTENT_ENCODING, "gzip".parse().unwrap());
    }
    response.headers_mut().insert(CONTENT_TYPE, kind.parse().unwrap());
    response
}

fn failed(code: u16, message: &str) -> Response<BoxBody<Bytes, std::io::Error>> {
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": message, "code": code});
    let mut response = Response::new(whole(Bytes::from(status.to_string())));
    *response.status_mut() = StatusCode::from_u16(code).unwrap();
    response.headers_mut().insert(CONTENT_TYPE, "application/json".parse().unwrap());
    response
}
