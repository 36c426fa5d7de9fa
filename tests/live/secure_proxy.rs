//! An HTTPS proxy: it sees neither the credentials nor the certificate for the server.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::server::{Authority, Setup};
use crate::world::{PIECE, TOKEN, World, recording};

/// The head of each request to the proxy, and whether the client showed a certificate.
type Asked = Arc<Mutex<Vec<(String, bool)>>>;

/// Starts a proxy that requests client certificates, and tunnels to one address.
fn proxy(authority: &Authority, name: &str, to: SocketAddr) -> (SocketAddr, Asked) {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let (certificate, key) = authority.sign(&[name], false);
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem.as_bytes()).unwrap()).unwrap();
    let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .allow_unauthenticated()
        .build()
        .unwrap();
    let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(clients)
        .with_single_cert(chain, PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap())
        .unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let asked: Asked = Arc::default();
    let notes = asked.clone();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let listener = TcpListener::from_std(listener).unwrap();
            let tls = TlsAcceptor::from(Arc::new(config));
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, notes) = (tls.clone(), notes.clone());
                tokio::spawn(async move {
                    let Ok(stream) = tls.accept(stream).await else { return };
                    let certified = stream.get_ref().1.peer_certificates().is_some();
                    let mut stream = BufReader::new(stream);
                    let mut head = String::new();
                    while stream.read_line(&mut head).await.is_ok_and(|n| n > 2) {}
                    notes.lock().unwrap().push((head, certified));
                    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
                    let mut server = TcpStream::connect(to).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
                });
            }
        });
    });
    (address, asked)
}

/// The proxy requests a certificate, but ours is for the server.
#[test]
fn an_https_proxy_sees_no_credentials_of_the_server() {
    let mut heads = BTreeSet::new();
    for protocols in [vec!["h2", "http/1.1"], vec!["http/1.1"]] {
        let dump = recording("v1.36-vanilla").join("dump");
        let names = vec!["kubernetes.example"];
        let world = World::with(&Setup { names, protocols, ..Setup::replaying(&dump) });
        let (address, asked) = proxy(&world.authority, "127.0.0.1", world.server.address);
        let (certificate, key) = world.authority.sign(&["me"], true);
        // The TLS server name is for the server, too. The proxy is verified by its address.
        let cluster = format!(
            "server: 'https://api.invalid:6443', certificate-authority: ca.crt, \
             tls-server-name: kubernetes.example, proxy-url: 'https://me:p%40ss@{address}'"
        );
        let data = |text: &str| STANDARD.encode(text);
        let user = format!(
            "token: {TOKEN}, client-certificate-data: {}, client-key-data: {}",
            data(&certificate),
            data(&key)
        );
        world.configure_both(&cluster, &user);
        for _ in 0..2 {
            let run = world.live(&["chain", "-v"]);
            assert_eq!(run.code, 0, "{}", run.err);
            assert!(!run.err.contains("p%40ss") && !run.err.contains(PIECE), "{}", run.err);
        }
        let seen = world.server.seen();
        assert!(!seen.is_empty() && seen.iter().all(|s| s.certified), "{}", seen.len());
        let asked = asked.lock().unwrap();
        assert!(asked.len() >= 2);
        for (head, certified) in asked.iter() {
            assert!(!certified, "the certificate is for the server");
            let head = head.replace('\r', "");
            heads.insert(head.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
        }
    }
    // All requests to the proxy were the same: no token, and the login that is meant for the proxy.
    insta::assert_snapshot!(heads.into_iter().collect::<String>(), @"
    CONNECT api.invalid:6443 HTTP/1.1
    Host: api.invalid:6443
    user-agent: aggctl/VERSION
    proxy-authorization: Basic bWU6cEBzcw==
    ");
}
