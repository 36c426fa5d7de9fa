//! Accepts connections, and converts between HTTP and the values of the replay.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCEPT, CACHE_CONTROL, CONNECTION, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH,
};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;
use tokio_rustls::TlsAcceptor;

use super::clients::{Clients, Place};
use super::event::{BoxBody, Event, MAX_CONNECTIONS, Shared};
use super::patient::Patient;
use super::tls::Certificate;
use super::{gate, watch};
use crate::replay::{self, Body, Request};

const NEVER: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Accepts connections until it is interrupted or the command stops answering.
pub(super) async fn listen(
    listener: TcpListener,
    certificate: Option<Certificate>,
    look: Option<Duration>,
    signals: Signals,
    shared: Shared,
) {
    let acceptor = certificate.map(|certificate| TlsAcceptor::from(certificate.config));
    // Without an interval, the source is never read again.
    let mut looks = tokio::time::interval(look.unwrap_or(NEVER));
    looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    looks.reset();
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let clients = Clients::default();
    let mut connections = JoinSet::new();
    let mut interrupted = std::pin::pin!(signals.first());
    loop {
        tokio::select! {
            () = &mut interrupted => break,
            () = shared.questions.closed() => break,
            Some(_) = connections.join_next() => {}
            // If the last look is still under way, this one is dropped.
            _ = looks.tick() => drop(shared.questions.try_send(Event::Look)),
            accepted = listener.accept() => {
                // A failed accept is temporary, and other connections go on.
                let Ok((stream, peer)) = accepted else {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                };
                let permit = Arc::clone(&permits).try_acquire_owned().ok();
                match permit.zip(clients.enter(peer.ip())) {
                    Some((permit, place)) => {
                        let (shared, acceptor) = (shared.clone(), acceptor.clone());
                        connections.spawn(async move {
                            accept(stream, acceptor, shared, Arc::new(place)).await;
                            drop(permit);
                        });
                    }
                    None => refuse(stream),
                }
            }
        }
    }
    // The sockets close with their tasks.
    connections.shutdown().await;
    let _ = shared.questions.send(Event::Stop).await;
}

/// Refuses a connection without reading from it. The response fits any socket's buffer.
fn refuse(stream: TcpStream) {
    const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
        content-length: 21\r\nconnection: close\r\n\r\ntoo many connections\n";
    let _ = stream.try_write(BUSY);
}

/// The signals that ask the process to end.
///
/// They are caught as soon as this is created, which needs a runtime. So files that are written
/// later, such as the kubeconfig, are always removed.
#[cfg(unix)]
pub(super) struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    pub(super) fn catch(signals: &[i32]) -> std::io::Result<Self> {
        use std::io::{Error, ErrorKind};
        use tokio::signal::unix::{SignalKind, signal};
        let caught = signals.iter().map(|number| signal(SignalKind::from_raw(*number)));
        // The system does not have all of them.
        let is_unknown = |error: &Error| error.kind() == ErrorKind::InvalidInput;
        let caught = caught.filter(|caught| !caught.as_ref().is_err_and(is_unknown));
        caught.collect::<Result<_, _>>().map(Self)
    }

    /// Returns with the first signal.
    async fn first(mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

/// Ctrl-C and similar events.
#[cfg(not(unix))]
pub(super) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(super) fn catch(_: &[i32]) -> std::io::Result<Self> {
        Ok(Self)
    }

    /// Returns with the first signal.
    async fn first(self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}

/// Serves one connection until its end. Errors only affect its client, so they are not reported.
async fn accept(
    stream: TcpStream,
    acceptor: Option<TlsAcceptor>,
    shared: Shared,
    place: Arc<Place>,
) {
    let _ = stream.set_nodelay(true);
    let stream = Patient::new(stream, shared.patience);
    match acceptor {
        None => serve(stream, shared, place).await,
        Some(acceptor) => {
            let shaken = tokio::time::timeout(shared.patience, acceptor.accept(stream)).await;
            if let Ok(Ok(stream)) = shaken {
                serve(stream, shared, place).await;
            }
        }
    }
}

async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send,
    shared: Shared,
    place: Arc<Place>,
) {
    let patience = shared.patience;
    let service = service_fn(move |request| {
        let (shared, place) = (shared.clone(), Arc::clone(&place));
        async move { Ok::<_, Infallible>(answer(request, shared, &place).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    http.max_buf_size(32 * 1024).max_headers(64).half_close(false);
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}

async fn answer(
    request: hyper::Request<Incoming>,
    shared: Shared,
    place: &Arc<Place>,
) -> hyper::Response<BoxBody> {
    let text = |name: HeaderName| {
        let value = request.headers().get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let has_body = !hyper::body::Body::is_end_stream(request.body());
    let value = Request {
        method: request.method().as_str().to_owned(),
        target: request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned(),
        accept: text(ACCEPT),
        if_none_match: text(IF_NONE_MATCH),
        now: (shared.now)(),
        seen: None,
    };
    let (target, headers) = (value.target.as_str(), request.headers());
    let refused = gate::refusal(request.uri().authority().is_some(), headers)
        .or_else(|| gate::unauthorized(shared.token.as_ref()?, target, headers));
    // A client that is not let in gets one answer per connection.
    let mut ends = has_body || refused.is_some();
    let response = match refused {
        Some(refused) => Some(refused),
        None => shared.ask(value.clone()).await,
    };
    let Some(mut response) = response else { return gone() };
    let watching = matches!(response.body, Body::Watch(_)).then(|| place.watch());
    if let Some(None) = watching {
        response = replay::too_many_watches();
        ends = true;
    }
    // The timer has a resolution of one millisecond, so skip it if there is no delay.
    if !response.delay.is_zero() {
        tokio::time::sleep(response.delay).await;
    }
    let mut built = hyper::Response::new(match response.body {
        Body::Whole(bytes) => whole(bytes),
        Body::Watch(first) => watch::body(*first, value, shared, watching.flatten()),
    });
    *built.status_mut() = hyper::StatusCode::from_u16(response.status).unwrap_or_default();
    let headers = built.headers_mut();
    set_all(headers, &response.headers);
    if ends {
        // A body is not read, so nothing can follow it.
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    built
}

fn set_all(headers: &mut HeaderMap, all: &[(&'static str, std::borrow::Cow<'static, str>)]) {
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    for (name, value) in gate::PROTECTION {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    for (name, value) in all {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(*name, value);
        }
    }
}

fn whole(bytes: Bytes) -> BoxBody {
    Full::new(bytes).boxed_unsync()
}

/// Returns the response of a server that is about to stop.
fn gone() -> hyper::Response<BoxBody> {
    let mut response = hyper::Response::new(whole(Bytes::from_static(b"shutting down\n")));
    *response.status_mut() = hyper::StatusCode::SERVICE_UNAVAILABLE;
    response
}
