//! Tests which clients `aggctl serve` accepts, its limits, and how it ends.

use std::io::{Read, Write};
use std::net::TcpStream;
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
        if want == 403 {
            assert!(answer.header("x-aggctl-route").is_none(), "{headers:?}");
            assert!(answer.body.starts_with("403 forbidden: "), "{}", answer.body);
        }
        answer
    };
    // No header allows another site to read this.
    let own_site = check(&[], 200);
    insta::assert_snapshot!(own_site.head(), @r#"
    200
    cache-control: no-cache, private
    content-security-policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'
    cross-origin-opener-policy: same-origin
    cross-origin-resource-policy: same-origin
    referrer-policy: no-referrer
    x-content-type-options: nosniff
    x-frame-options: DENY
    content-type: application/json
    etag: "9B0263F9A6DD1F3BC05DB00A2ACC5D5740A87DDA58BE217A143C7CD8CA68DD88138AB81923551EDE13B529E7BD0900EB9A17B06245B81EC2732FE9762C972A9D"
    vary: Accept
    x-aggctl-route: served; kube-aggregator exact
    content-length: 3495
    "#);
    let other_site = check(&[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], 403);
    insta::assert_snapshot!(format!("{}\n{}", other_site.head(), other_site.body), @"
    403
    cache-control: no-cache, private
    content-security-policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'
    cross-origin-opener-policy: same-origin
    cross-origin-resource-policy: same-origin
    referrer-policy: no-referrer
    x-content-type-options: nosniff
    x-frame-options: DENY
    content-type: text/plain; charset=utf-8
    connection: close
    content-length: 53

    403 forbidden: the request comes from another origin
    ");
    check(&[("host", "localhost:1")], 200);
    check(&[("host", "rebound.example")], 403);
    check(&[("origin", &format!("http://{own}"))], 200);
    check(&[("origin", "https://rebound.example")], 403);
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
        // The body is announced, but never sent.
        let answer = connection.send(method, path, &[("content-length", "1000000000000")]);
        assert_eq!(answer.status, 405, "{method}");
        assert_eq!(answer.outcome(), "served");
        let status: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
        let message = format!("aggctl serve is read-only: {method} is not answered here");
        assert_eq!((&status["kind"], &status["message"]), (&"Status".into(), &message.into()));
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

/// The server limits how long it waits for the head of a request, and serves other clients
/// meanwhile. Connections above the limit get 503 with Retry-After.
#[test]
fn slow_clients_and_many_connections_are_bounded() {
    let served = builtin();
    let mut idle: Vec<TcpStream> = (0..256)
        .map(|index| {
            let mut stream = TcpStream::connect(served.address).unwrap();
            let head = if index % 2 == 0 { "" } else { "GET /apis HTTP/1.1\r\nhost: local" };
            // Some are refused at once.
            let _ = stream.write_all(head.as_bytes());
            stream
        })
        .collect();
    // A connection above the limit may be accepted before the last one within it, so try until one
    // is refused.
    let refused = (0..1000).any(|_| {
        let mut stream = TcpStream::connect(served.address).unwrap();
        let mut text = String::new();
        let _ =
            stream.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let _ = stream.read_to_string(&mut text);
        text.starts_with("HTTP/1.1 503") && text.contains("retry-after")
    });
    assert!(refused);
    // Idle connections time out, one by one.
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

/// Opens ten thousand connections, 500 at a time, each with half a request.
#[cfg_attr(not(target_os = "linux"), ignore = "reads the peak memory from /proc")]
#[test]
fn many_connections_take_little_memory() {
    let served = builtin();
    let before = served.peak_memory();
    for _ in 0..20 {
        let half = |_| {
            let mut stream = TcpStream::connect(served.address).ok()?;
            let _ = stream.write_all(b"GET /apis HTTP/1.1\r\nhost: localhost\r\nx-half: ");
            Some(stream)
        };
        let open: Vec<Option<TcpStream>> = (0..500).map(half).collect();
        drop(open);
    }
    let after = served.peak_memory();
    assert!(after < before + 32 * 1024, "{before} kB, then {after} kB");
}

#[cfg(unix)]
#[test]
fn the_end_leaves_nothing_behind() {
    let mut signals = [
        "INT", "TERM", "HUP", "QUIT", "ABRT", "ALRM", "USR1", "USR2", "XCPU", "XFSZ", "VTALRM",
        "PROF", "IO", "SYS", "TRAP",
    ]
    .to_vec();
    if cfg!(target_os = "linux") {
        signals.extend(["STKFLT", "PWR", "64"]);
    }
    for signal in signals {
        let served = builtin();
        let (address, kubeconfig) = (served.address, served.kubeconfig.clone());
        let text = std::fs::read_to_string(&kubeconfig).unwrap();
        let config: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(config["clusters"][0]["cluster"]["server"], format!("http://{address}"));
        // An open watch does not keep it from ending.
        let mut watching = served.connect();
        watching.start("/apis/apps/v1/deployments?watch=1");
        assert_eq!(served.end(&format!("-{signal}")), Some(0), "{signal}");
        assert!(!Path::new(&kubeconfig).exists(), "{signal}");
        assert!(TcpStream::connect(address).is_err(), "{signal}");
    }
}
