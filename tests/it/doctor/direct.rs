//! Tests `aggctl doctor --direct` with connections to TLS servers on loopback, good and bad.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aggctl_certificate::Bundle;
use aggctl_diagnose::probe::{InvalidDocument, Probe};
use aggctl_source::direct::{Target, Trusted, probe};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;

use super::command::doctor;
use super::world::{World, bundle, now};

const NAME: &str = "api.shop.svc";
/// The timeout for servers that respond.
const LONG: Duration = Duration::from_secs(20);
/// The timeout for servers that do not.
const SHORT: Duration = Duration::from_millis(200);

/// A CA made for one test.
struct Authority {
    params: CertificateParams,
    key: KeyPair,
    pem: String,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self { params, key, pem }
    }

    /// Changes the expiry of the CA.
    fn until(mut self, year: i32) -> Self {
        self.params.not_before = date_time_ymd(2020, 1, 1);
        self.params.not_after = date_time_ymd(year, 1, 1);
        self.pem = self.params.self_signed(&self.key).unwrap().pem();
        self
    }

    /// Signs the certificate of another CA.
    fn signs(&self, other: &Authority) -> CertificateDer<'static> {
        let issuer = Issuer::from_params(&self.params, &self.key);
        other.params.signed_by(&other.key, &issuer).unwrap().der().clone()
    }

    /// Signs a certificate for a name until some day. Returns it with its key.
    fn certificate(
        &self,
        name: &str,
        (year, month, day): (i32, u8, u8),
    ) -> (CertificateDer<'static>, PrivateKeyDer<'static>) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, "server");
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(year, month, day);
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::from_params(&self.params, &self.key);
        let certificate = params.signed_by(&key, &issuer).unwrap();
        (certificate.der().clone(), PrivatePkcs8KeyDer::from(key.serialize_der()).into())
    }
}

fn builder() -> rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap()
}

/// Returns a server with this certificate chain.
fn config(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> ServerConfig {
    builder().with_no_client_auth().with_single_cert(chain, key).unwrap()
}

/// Returns a server with a valid certificate, and the CA that signed it.
fn good() -> (ServerConfig, Authority) {
    let authority = Authority::new("shop-ca");
    let (certificate, key) = authority.certificate(NAME, (2040, 1, 1));
    (config(vec![certificate], key), authority)
}

/// The request that a server received.
type Asked = Arc<Mutex<String>>;

/// Serves one connection in its own thread. Returns the port.
fn serve(handle: impl FnOnce(TcpStream) + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        if let Ok((stream, _)) = listener.accept() {
            handle(stream);
        }
    });
    port
}

/// Starts a TLS server that answers one request.
fn tls(config: ServerConfig, answer: &'static [u8], asked: Asked) -> u16 {
    serve(move |stream| {
        let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config)).unwrap(), stream);
        let mut buffer = [0; 4096];
        let n = stream.read(&mut buffer).unwrap_or(0);
        asked.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..n]));
        let _ = stream.write_all(answer);
        stream.conn.send_close_notify();
        let _ = stream.flush();
    })
}

fn target(port: u16, trusted: &str) -> Target {
    Target {
        name: "v1.shop.example".into(),
        host: "127.0.0.1".into(),
        port,
        server_name: NAME.into(),
        path: "/apis/shop.example/v1".into(),
        trusted: Trusted::Bundle(Bundle::read(trusted.as_bytes())),
    }
}

fn connect(port: u16, trusted: &str, limit: Duration) -> Probe {
    probe(&target(port, trusted), limit, now())
}

/// Returns a cluster with a Service on this machine.
fn leading_to(port: u16, trusted: String) -> World {
    let mut world = World::healthy();
    world.services[1]["spec"] = json!({"type": "ExternalName", "externalName": "127.0.0.1"});
    world.api_service["spec"]["service"]["port"] = json!(port);
    world.api_service["spec"]["caBundle"] = bundle(&[trusted]).into();
    world
}

const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const FORBIDDEN: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";

/// Connects to a server with a certificate for this name until this year. Trusts its CA if `known`.
fn verified(name: &str, until: i32, known: bool) -> Result<(), String> {
    let (signer, stranger) = (Authority::new("shop-ca"), Authority::new("other-ca"));
    let (certificate, key) = signer.certificate(name, (until, 1, 1));
    let config = config(vec![certificate], key);
    let trusted = if known { &signer.pem } else { &stranger.pem };
    let probe = connect(tls(config, OK, Asked::default()), trusted, LONG);
    // The certificate is reported, trusted or not.
    let handshake = probe.handshake.clone().unwrap();
    assert_eq!(handshake.chain[0].names, [name], "{probe:?}");
    assert!(handshake.chain[0].issuer.ends_with("CN=shop-ca"), "{probe:?}");
    assert_eq!((probe.failure, probe.status), (None, Some(200)));
    handshake.verified.unwrap().map_err(|why| why.0)
}

#[test]
fn certificates_are_judged_as_the_api_server_would() {
    assert_eq!(verified(NAME, 2040, true), Ok(()));
    assert_eq!(verified("*.shop.svc", 2040, true), Ok(()));
    insta::assert_snapshot!(verified(NAME, 2026, true).unwrap_err(), @"the certificate CN=server has expired on 2026-01-01");
    insta::assert_snapshot!(verified("other.shop.svc", 2040, true).unwrap_err(), @"the certificate served is for other.shop.svc, not for api.shop.svc");
    insta::assert_snapshot!(verified(NAME, 2040, false).unwrap_err(), @"the certificate served is signed by CN=shop-ca, which is not in spec.caBundle");
}

/// The message names the expired certificate, which may not be the server's own.
#[test]
fn the_certificate_that_has_expired_is_named() {
    let root = Authority::new("root-ca").until(2040);
    let failure = |chain: Vec<_>, key, bundle: &str| {
        let probe = connect(tls(config(chain, key), OK, Asked::default()), bundle, LONG);
        probe.handshake.unwrap().verified.unwrap().unwrap_err().0
    };
    let between = Authority::new("issuing-ca").until(2025);
    let (leaf, key) = between.certificate(NAME, (2040, 1, 1));
    insta::assert_snapshot!(failure(vec![leaf, root.signs(&between)], key, &root.pem), @"the certificate CN=issuing-ca has expired on 2025-01-01");
    let old = Authority::new("old-ca").until(2024);
    let failures = [old.pem.clone(), format!("{}{}", old.pem, root.pem)].map(|bundle| {
        let (leaf, key) = old.certificate(NAME, (2040, 1, 1));
        failure(vec![leaf], key, &bundle)
    });
    insta::assert_snapshot!(failures[0], @"the certificate CN=old-ca has expired on 2024-01-01: it is in spec.caBundle, and signed the one that is served");
    assert_eq!(failures[0], failures[1]);
}

#[test]
fn a_certificate_that_expires_soon_is_a_warning() {
    let authority = Authority::new("shop-ca").until(2040);
    let (certificate, key) = authority.certificate(NAME, (2026, 11, 20));
    let port = tls(config(vec![certificate], key), FORBIDDEN, Asked::default());
    let run = doctor(&leading_to(port, authority.pem), &["--direct"]);
    insta::assert_snapshot!(run.showing(&port.to_string(), "PORT"), @"
    ‼ v1.shop.example → Service shop/api, port PORT
      ‼ tls         the certificate CN=server that is served expires in 3 days
                    · CA CN=shop-ca, valid 2020-01-01 to 2040-01-01
                    · the certificate must be for api.shop.svc
                    · served: CN=server for api.shop.svc, signed by CN=shop-ca,
                      valid 2020-01-01 to 2026-11-20
                    · from here: verified against caBundle for api.shop.svc
        condition   Available=True (Passed), for 3 h
        next        Renew the CA in time: the certificate CN=server that is served
                    expires in 3 days.

    ‼ v1.shop.example  the certificate CN=server that is served expires in 3 days

    1 APIService: 1 to look at
    Kubernetes 1.36.0, dump dump (kubectl commands are for the cluster that this
    dump came from)
    2> warning: APIServices are incomplete in the source; the others were not checked
    ");
}

#[test]
fn a_certificate_that_is_itself_in_the_bundle_is_trusted() {
    for (name, want) in [(NAME, true), ("other.shop.svc", false)] {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let pem = certificate.pem();
        let private = PrivatePkcs8KeyDer::from(key.serialize_der()).into();
        let config = config(vec![certificate.der().clone()], private);
        let probe = connect(tls(config, OK, Asked::default()), &pem, LONG);
        assert_eq!(probe.handshake.unwrap().verified.unwrap().is_ok(), want, "{name}");
    }
}

/// Without a caBundle the system's CAs are trusted, as by the API server. There may be none.
#[test]
fn without_a_bundle_a_private_authority_is_not_trusted() {
    let mut target = target(tls(good().0, OK, Asked::default()), "");
    target.trusted = Trusted::System;
    let probe = probe(&target, LONG, now());
    let verified = probe.handshake.unwrap().verified;
    assert!(verified.is_none_or(|verified| verified.is_err()));
    // The answer is JSON, but not a discovery document.
    assert_eq!(
        probe.document,
        Some(Err(InvalidDocument("the answer is JSON without a kind".to_owned())))
    );
}

#[test]
fn only_a_get_without_credentials_is_sent() {
    let (config, authority) = good();
    let asked = Asked::default();
    let probe = connect(tls(config, FORBIDDEN, asked.clone()), &authority.pem, LONG);
    assert_eq!(probe.status, Some(403));
    let asked = asked.lock().unwrap().clone();
    assert_eq!(
        asked,
        "GET /apis/shop.example/v1 HTTP/1.1\r\nHost: api.shop.svc\r\nUser-Agent: aggctl\r\nAccept: application/json\r\nConnection: close\r\n\r\n"
    );
}

#[test]
fn a_server_that_wants_a_client_certificate_still_shows_its_own() {
    let authority = Authority::new("shop-ca");
    let (certificate, key) = authority.certificate(NAME, (2040, 1, 1));
    let mut roots = RootCertStore::empty();
    roots.add(Bundle::read(authority.pem.as_bytes()).certificates[0].der.clone().into()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
    let config = builder()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let probe = connect(tls(config, OK, Asked::default()), &authority.pem, LONG);
    assert_eq!(probe.handshake.unwrap().verified, Some(Ok(())));
    // The server's alert may get lost when it closes the connection.
    let code = probe.failure.unwrap().code;
    assert!(["wants-certificate", "closed"].contains(&code), "{code}");
}

/// Timeouts, refused connections and TLS failures are distinguished.
#[test]
fn failures_name_their_phase() {
    let mut text = String::new();
    let mut check = |case: &str, port: u16, limit: Duration| {
        let failure = connect(port, &Authority::new("ca").pem, limit).failure.unwrap();
        let what = failure.what.replace(&port.to_string(), "PORT");
        text += &format!("{case}: {} {}: {what}\n", failure.phase.as_str(), failure.code);
    };
    let free = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    check("free port", free, LONG);
    let plain = serve(|mut stream| {
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    check("plain HTTP", plain, LONG);
    let closes = serve(|mut stream| {
        let _ = stream.read(&mut [0; 4096]);
    });
    check("closes", closes, LONG);
    // Keeps the connection open and sends nothing.
    let silent = serve(|mut stream| while stream.read(&mut [0; 64]).is_ok_and(|n| n > 0) {});
    check("silent", silent, SHORT);
    let garbage = tls(good().0, b"SSH-2.0-x\r\n", Asked::default());
    check("not HTTP", garbage, LONG);
    insta::assert_snapshot!(text, @"
    free port: connect refused: 127.0.0.1:PORT refuses the connection: the host is up, but nothing listens on the port
    plain HTTP: tls not-tls: what answers does not speak TLS
    closes: tls closed: the connection was closed during the TLS handshake
    silent: tls timeout: the TLS handshake did not end in time
    not HTTP: http http: the answer is not HTTP
    ");
}

#[test]
fn a_hostile_path_is_not_sent() {
    let (config, authority) = good();
    let asked = Asked::default();
    let mut target = target(tls(config, OK, asked.clone()), &authority.pem);
    target.path = "/apis/x HTTP/1.1\r\nDELETE /".into();
    assert_eq!(probe(&target, LONG, now()).failure.unwrap().code, "http");
    assert_eq!(*asked.lock().unwrap(), "");
}

#[test]
fn the_command_shows_what_is_served() {
    let port = tls(good().0, FORBIDDEN, Asked::default());
    let mut world = leading_to(port, Authority::new("other-ca").pem);
    world.minor = "35";
    let run = doctor(&world, &["--direct"]);
    insta::assert_snapshot!(run.showing(&port.to_string(), "PORT"), @"
    × v1.shop.example → Service shop/api, port PORT
      √ service     shop/api exists (ExternalName 127.0.0.1)
      √ address     https://127.0.0.1:PORT (externalName) answers
      × tls         the certificate served is signed by CN=shop-ca, which is not in
                    spec.caBundle
                    · CA CN=other-ca, valid 1975-01-01 to 4096-01-01
                    · the certificate must be for api.shop.svc
                    · served: CN=server for api.shop.svc, signed by CN=shop-ca,
                      valid 2020-01-01 to 2040-01-01
        condition   Available=True (Passed), for 3 h
                    the facts disagree: up to Kubernetes 1.35 the server's own check
                    does not verify TLS, the requests of clients do
        next        Make spec.caBundle and the certificate that is served fit: the
                    CA that signed it, the name, the dates.
                    $ kubectl get apiservice v1.shop.example -o jsonpath='{.spec.caBundle}' | base64 -d

    Until this is fixed:
    - Requests to an unavailable group version get 503 service unavailable.
    - Namespaces stay in Terminating, with NamespaceDeletionDiscoveryFailure, until
      discovery is complete.
    - Possibly: garbage collection and quota lag for kinds of the group versions
      that cannot be listed.
    - Possibly: clients that insist on complete discovery stop: kubectl
      api-resources up to 1.31 ends with an error, some versions of Helm and some
      controllers refuse to work at all.

    × v1.shop.example  the certificate served is signed by CN=shop-ca, which is not
                       in spec.caBundle

    1 APIService: 1 broken
    Kubernetes 1.35.0, dump dump (kubectl commands are for the cluster that this
    dump came from)
    2> warning: APIServices are incomplete in the source; the others were not checked
    [exit 1]
    ");
}
