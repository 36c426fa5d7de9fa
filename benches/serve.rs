//! Measures `aggctl serve` under load: the time to the first byte, the requests per second of one
//! core, and whether memory use is stable. `AGGCTL_REQUESTS` sets the number of requests.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, read the clock and print"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const DOCUMENT: &str = "/apis/apps/v1";

fn main() {
    let requests: u64 = std::env::var("AGGCTL_REQUESTS").map_or(50_000, |n| n.parse().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.args(["serve", "--dump"]);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/recordings/v1.36-mixed/dump"));
    let mut server = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let line =
        lines.find(|line| line.as_ref().unwrap().starts_with("API server")).unwrap().unwrap();
    let address = line.rsplit("//").next().unwrap().to_owned();
    let mut client = Client::new(&address);

    let first = Instant::now();
    client.get("/apis");
    println!("first /apis, merged just then     {:8.2} ms", milliseconds(first.elapsed()));
    let mut times: Vec<Duration> = (0..2_000).map(|_| client.get("/apis")).collect();
    times.sort();
    println!("first byte of /apis, median       {:8.3} ms", milliseconds(times[times.len() / 2]));
    println!(
        "first byte of /apis, 99 of 100    {:8.3} ms",
        milliseconds(times[times.len() * 99 / 100])
    );

    let (before, started) = (state(&server), Instant::now());
    for _ in 0..requests {
        client.get(DOCUMENT);
    }
    let (after, took) = (state(&server), started.elapsed());
    let a_second = |time: f64| requests as f64 / time;
    println!("{DOCUMENT}, one client         {:8.0} requests/s", a_second(took.as_secs_f64()));
    if let (Some(before), Some(after)) = (before, after) {
        let busy = after.busy - before.busy;
        println!("{DOCUMENT}, a core of its own  {:8.0} requests/s", a_second(busy));
        println!(
            "memory before, after {requests} requests: {} kB, {} kB",
            before.memory, after.memory
        );
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

struct Client {
    reader: BufReader<TcpStream>,
    address: String,
}

impl Client {
    fn new(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { reader: BufReader::new(stream), address: address.to_owned() }
    }

    /// Sends a request. Returns the time to the first byte.
    fn get(&mut self, path: &str) -> Duration {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        let start = Instant::now();
        self.reader.get_mut().write_all(request.as_bytes()).unwrap();
        assert!(!self.reader.fill_buf().unwrap().is_empty());
        let took = start.elapsed();
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            self.reader.read_line(&mut line).unwrap();
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None if line.starts_with("HTTP/") => assert!(line.contains("200"), "{line}"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).unwrap();
        took
    }
}

/// The resources that a process has used so far.
struct State {
    /// CPU time in seconds.
    busy: f64,
    /// Resident memory in kB.
    memory: u64,
}

/// Returns the resources of a process; `None` if the system does not report them.
fn state(process: &Child) -> Option<State> {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/{}/{name}", process.id())).ok();
    let stat = read("stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    // User and system time, in hundredths of a second on every Linux.
    let ticks: u64 = fields.get(11..13)?.iter().filter_map(|n| n.parse::<u64>().ok()).sum();
    let status = read("status")?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory = memory.trim().trim_end_matches(" kB").parse().ok()?;
    Some(State { busy: ticks as f64 / 100.0, memory })
}
