//! Who is answered, within which bounds, and how it ends.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpStream, UdpSocket};
use std::path::Path;

use crate::Served;

fn builtin() -> Served {
    Served::start(&["--builtin", "1.36"])
}

#[test]
fn a_page_of_another_site_gets_nothing() {
    let served = builtin();
    let own = served.address.to_string();
    let check = |headers: &[(&str, &str)], want: u16| {
        let answer = served.connect().send("GET", "/apis", headers);
        assert_eq!(answer.status, want, "{headers:?}");
        assert_eq!(answer.header("access-control-allow-origin"), None);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        if want == 403 {
            assert!(answer.header("x-aggctl-route").is_none() && !answer.body.contains("groups"));
        }
    };
    check(&[], 200);
    check(&[("host", "localhost:1")], 200);
    check(&[("host", "rebound.example")], 403);
    check(&[("origin", &format!("http://{own}"))], 200);
    check(&[("origin", "https://rebound.example")], 403);
    check(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], 403);
}

#[test]
fn nothing_can_be_changed_and_no_body_is_read() {
    let served = builtin();
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let mut connection = served.connect();
        let path = match method {
            "POST" => "/apis/apps/v1/namespaces/x/deployments",
            _ => "/apis/apps/v1/namespaces/x/deployments/y",
        };
        // The body is announced, and never sent.
        let answer = connection.send(method, path, &[("content-length", "1000000000000")]);
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.outcome(), "served");
        assert!(answer.body.contains("aggctl serve is read-only"), "{}", answer.body);
        assert!(answer.body.contains("\"kind\":\"Status\""), "{}", answer.body);
        assert_eq!(answer.header("connection"), Some("close"));
    }
    let mut connection = served.connect();
    let head = connection.send("HEAD", "/apis", &[]);
    assert_eq!((head.status, &*head.body), (200, ""));
    assert_eq!(connection.send("GET", "/version", &[]).status, 200);
}

#[test]
fn too_much_of_anything_is_refused() {
    let served = builtin();
    let many: Vec<(&str, &str)> = vec![("x-much", "1"); 100];
    assert_eq!(served.connect().send("GET", "/apis", &many).status, 431);
    let long = "x".repeat(100_000);
    assert_eq!(served.connect().send("GET", "/apis", &[("x-long", &long)]).status, 431);
    let path = format!("/apis/{}", "x".repeat(100_000));
    assert!(matches!(served.connect().send("GET", &path, &[]).status, 414 | 431));
    assert_eq!(served.get("/apis", "").status, 200);
}

/// A whole head is waited for only so long; meanwhile others are answered, and what is more than
/// the bound is told to come again.
#[test]
fn slow_clients_and_many_connections_are_bounded() {
    let served = builtin();
    let mut idle: Vec<TcpStream> = (0..256)
        .map(|index| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            let head = if index % 2 == 0 { "" } else { "GET /apis HTTP/1.1\r\nhost: local" };
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    // Those behind the bound may come before the last of those within it: ask until one is told.
    let refused = (0..1000).any(|_| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let mut text = String::new();
        let _ =
            stream.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 503") && text.contains("retry-after")
    });
    assert!(refused);
    // Their time is over, one by one, without another byte from them.
    let mut text = String::new();
    let _ = idle[0].read_to_string(&mut text);
    drop(idle);
    let answered = (0..1000).any(|_| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let mut text = String::new();
        let _ =
            stream.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 200")
    });
    assert!(answered);
}

/// Ten thousand, several hundred at a time, each with half a request.
#[test]
fn many_connections_take_little_memory() {
    let served = builtin();
    let before = served.most_memory();
    for _ in 0..20 {
        let half = |_| {
            let mut stream = TcpStream::connect(served.address).ok()?;
            let _ = stream.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\nx-half: ");
            Some(stream)
        };
        let open: Vec<Option<TcpStream>> = (0..500).map(half).collect();
        drop(open);
    }
    if let (Some(before), Some(after)) = (before, served.most_memory()) {
        assert!(after < before + 32 * 1024, "{before} kB, then {after} kB");
    }
}

/// An address of this machine that others could reach; none where it has none.
fn reachable() -> Option<IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    // Nothing is sent: it only chooses an address to send from.
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_loopback() && !ip.is_unspecified())
}

#[test]
fn others_need_tls_and_the_token() {
    let Some(ip) = reachable() else {
        crate::client::say("SKIPPED others_need_tls_and_the_token: no address but loopback");
        return;
    };
    let served = Served::start(&["--builtin", "1.36", "--tls", "--listen", &format!("{ip}:0")]);
    let text = std::fs::read_to_string(&served.kubeconfig).unwrap();
    let config: serde_json::Value = serde_json::from_str(&text).unwrap();
    let token = config["users"][0]["user"]["token"].as_str().unwrap();
    let mut connection = served.connect_safely();
    let mut check = |path: &str, headers: &[(&str, &str)], want: u16| {
        let answer = connection.send("GET", path, headers);
        assert_eq!(answer.status, want, "{path} {headers:?}");
        assert!(!answer.body.contains(token), "{path}");
        answer
    };
    let bearer = format!("Bearer {token}");
    check("/apis", &[], 401);
    check("/apis", &[("authorization", "Bearer anybody")], 401);
    check("/aggctl/", &[], 401);
    check("/apis", &[("authorization", &bearer)], 200);
    check("/apis", &[("authorization", &bearer), ("host", "rebound.example")], 403);
    // The page's address has the token once; then it is a cookie that scripts cannot read.
    let first = check(&format!("/aggctl/?token={token}"), &[], 302);
    assert_eq!(first.header("location"), Some("/aggctl/"));
    let cookie = first.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly; Secure; SameSite=Strict"), "{cookie}");
    check("/aggctl/", &[("cookie", cookie.split(';').next().unwrap())], 200);
    // Without TLS there is nothing.
    let mut plain = TcpStream::connect(served.address).unwrap();
    plain.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    let mut answer = vec![];
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/"), "{answer:?}");
}

#[test]
fn the_end_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let served = builtin();
        let (address, kubeconfig) = (served.address, served.kubeconfig.clone());
        let text = std::fs::read_to_string(&kubeconfig).unwrap();
        assert!(text.contains(&format!("http://{address}")), "{text}");
        // A watch that goes on does not keep it from ending.
        let mut watching = served.connect();
        watching.start("/apis/apps/v1/deployments?watch=1");
        assert_eq!(served.end(signal), Some(0), "{signal}");
        assert!(!Path::new(&kubeconfig).exists(), "{signal}");
        assert!(TcpStream::connect(address).is_err(), "{signal}");
    }
}
