//! Tests `aggctl serve` on an address that other machines can reach.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};

use crate::client::Served;

/// Returns an address of this machine that other machines could reach, if it has one.
pub(crate) fn reachable() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Connecting a UDP socket sends nothing. It only chooses the address to send from.
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

pub(crate) fn other_machines_need_tls_and_the_token() {
    let ip = reachable().unwrap();
    let served = Served::start(&["--builtin", "1.36", "--tls", "--listen", &format!("{ip}:0")]);
    let text = std::fs::read_to_string(&served.kubeconfig).unwrap();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap();
    let token = config["users"][0]["user"]["token"].as_str().unwrap();
    // A connection ends after its first answer to a client without the token.
    let check = |path: &str, headers: &[(&str, &str)], want: u16| {
        let answer = served.connect_safely().send("GET", path, headers);
        assert_eq!(answer.status, want, "{path} {headers:?}");
        assert!(!answer.body.contains(token), "{path}");
        answer
    };
    let bearer = format!("Bearer {token}");
    check("/apis", &[], 401);
    check("/apis", &[("authorization", "Bearer other")], 401);
    check("/aggctl/", &[], 401);
    check("/apis", &[("authorization", &bearer)], 200);
    check("/apis", &[("authorization", &bearer), ("host", "rebound.example")], 403);
    // The address of the page contains the token once. After that it is in a cookie that scripts
    // cannot read.
    let first = check(&format!("/aggctl/?token={token}"), &[], 302);
    assert_eq!(first.header("location"), Some("/aggctl/"));
    let cookie = first.header("set-cookie").unwrap();
    insta::assert_snapshot!(cookie.replace(token, "TOKEN"), @"aggctl=TOKEN; Path=/; HttpOnly; Secure; SameSite=Strict");
    check("/aggctl/", &[("cookie", cookie.split(';').next().unwrap())], 200);
    // Plain HTTP gets no response.
    let mut plain = TcpStream::connect(served.address).unwrap();
    plain.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let mut answer = vec![];
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/"), "{answer:?}");
}
