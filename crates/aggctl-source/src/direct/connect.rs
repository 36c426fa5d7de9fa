//! Opens a TCP connection with a deadline that a slow peer cannot extend.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use aggctl_diagnose::probe::{ProbeFailure, ProbePhase};
use kube_aggregation::availability::host_port;

/// A stream with one deadline for all reads and writes.
#[derive(Debug)]
pub(super) struct Bounded {
    stream: TcpStream,
    end: Instant,
}

/// Connects to a host name or address.
pub(super) fn connect(host: &str, port: u16, limit: Duration) -> Result<Bounded, ProbeFailure> {
    let end = Instant::now() + limit;
    let address = host_port(host, port.into());
    let mut last = failed(ProbePhase::Resolve, "no-such-host", format!("{host} has no address"));
    for candidate in resolve(host, port, limit)? {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(timeout(&address, limit));
        }
        match TcpStream::connect_timeout(&candidate, left) {
            Ok(stream) => return Ok(Bounded { stream, end }),
            Err(error) => last = explain(&error, &address, limit),
        }
    }
    Err(last)
}

/// Resolves a host. The system's resolver has no time limit, so it runs on a thread that is
/// abandoned when the time is up.
fn resolve(host: &str, port: u16, limit: Duration) -> Result<Vec<SocketAddr>, ProbeFailure> {
    if let Ok(address) = host.parse() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (sender, receiver) = mpsc::channel();
    let name = host.to_owned();
    let unresolved =
        |code, why: &str| failed(ProbePhase::Resolve, code, format!("the name {host} {why}"));
    let lookup = move || {
        let found = (name.as_str(), port).to_socket_addrs().map(Iterator::collect);
        // Fails if the time is up.
        let _ = sender.send(found);
    };
    if std::thread::Builder::new().spawn(lookup).is_err() {
        return Err(unresolved("no-such-host", "cannot be resolved: no thread can be started"));
    }
    match receiver.recv_timeout(limit) {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(_)) => Err(unresolved("no-such-host", "cannot be resolved")),
        Err(_) => {
            let why = format!("was not resolved within {} s", limit.as_secs());
            Err(unresolved("timeout", &why))
        }
    }
}

fn timeout(address: &str, limit: Duration) -> ProbeFailure {
    let limit = limit.as_secs();
    let what = format!(
        "{address} does not respond within {limit} s: traffic is dropped, or the host is down"
    );
    failed(ProbePhase::Connect, "timeout", what)
}

fn explain(error: &io::Error, address: &str, limit: Duration) -> ProbeFailure {
    let (code, why) = match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => return timeout(address, limit),
        ErrorKind::ConnectionRefused => {
            let why = "refuses the connection: the host is up, but nothing listens on the port";
            ("refused", why.to_owned())
        }
        kind => ("unreachable", format!("cannot be reached: {kind}")),
    };
    failed(ProbePhase::Connect, code, format!("{address} {why}"))
}

pub(super) fn failed(
    phase: ProbePhase,
    code: &'static str,
    what: impl Into<String>,
) -> ProbeFailure {
    ProbeFailure { phase, code, what: what.into() }
}

impl Bounded {
    fn left(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(buffer)
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
