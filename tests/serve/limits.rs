//! Tests clients that do not read, that are refused, or that send too many requests.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use aggctl::replay::Response;
use aggctl::serve::{Event, Options, Server, Token};
use bytes::Bytes;

use crate::Served;

/// Runs a test against a listener with a short time limit and answers larger than a socket's
/// buffer.
fn with_listener(token: Option<Token>, test: impl FnOnce(&dyn Fn() -> TcpStream) + Send) {
    let options = Options {
        address: ([127, 0, 0, 1], 0).into(),
        patience: Duration::from_millis(200),
        certificate: None,
        token,
        now: jiff::Timestamp::now,
        look: Some(Duration::from_millis(10)),
        signals: vec![],
    };
    let mut server = Server::start(&options).unwrap();
    let (address, body) = (server.address, Bytes::from(vec![b'x'; 16 << 20]));
    std::thread::scope(|scope| {
        let done = scope.spawn(move || {
            test(&|| {
                let stream = TcpStream::connect(address).unwrap();
                // Only matters if the test fails: it must not block.
                stream.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                stream
            });
        });
        while !done.is_finished() {
            match server.wait() {
                Event::Question(question) => {
                    question.answer(Response::page(200, "text/plain", body.clone(), ""));
                }
                Event::Look | Event::Stop => {}
            }
        }
    });
}

const REQUEST: &[u8] = b"GET /apis HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// A client that sends requests and reads no answer is disconnected, and others are answered.
#[test]
fn a_client_must_read() {
    with_listener(None, |connect| {
        let mut silent: Vec<TcpStream> = (0..192).map(|_| connect()).collect();
        for stream in &mut silent {
            let error = loop {
                if let Err(error) = stream.write_all(REQUEST) {
                    break error;
                }
            };
            let gone = [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe];
            assert!(gone.contains(&error.kind()), "{error}");
        }
        // The listener notices the end of a connection some time later.
        let answered = (0..1000).any(|_| {
            let mut start = [0; 12];
            let mut stream = connect();
            let _ = stream.write_all(REQUEST);
            stream.read_exact(&mut start).is_ok() && start == *b"HTTP/1.1 200"
        });
        assert!(answered);
    });
}

/// A client without the token gets one answer per connection, however many requests it sends.
#[test]
fn a_client_that_is_not_let_in_gets_one_answer() {
    with_listener(Token::new(), |connect| {
        let mut stream = connect();
        stream.write_all(REQUEST).unwrap();
        let mut text = String::new();
        // What follows the first request may reset the connection.
        let _ = stream.write_all(&REQUEST.repeat(100));
        let _ = stream.read_to_string(&mut text);
        assert_eq!(text.matches("HTTP/1.1 401").count(), 1, "{text}");
        assert!(text.contains("connection: close\r\n"), "{text}");
    });
}

/// Watches that last leave connections for other requests.
#[test]
fn watches_are_bounded() {
    let served = Served::start(&["--builtin", "1.36"]);
    let watch = "/apis/apps/v1/deployments?watch=1";
    let watching: Vec<_> = (0..96)
        .map(|_| {
            let mut connection = served.connect();
            assert_eq!(connection.start(watch).status, 200);
            connection
        })
        .collect();
    let refused = served.get(watch, "application/json");
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("10")));
    assert!(refused.body.contains("\"reason\":\"TooManyRequests\""), "{}", refused.body);
    assert_eq!(served.get("/apis", "").status, 200);
    drop(watching);
}
