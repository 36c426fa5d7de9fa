//! Tests repeated reads of a cluster: unchanged documents are not sent again, and changes are
//! reported.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aggctl_source::live::{ClusterOptions, Connection, Found};
use aggctl_source::{self, LoadedSource, Needs, NoteLevel, ServerDocument, Source};
use serde_json::{Value, json};

use crate::replay::Files;
use crate::server::{Breakage, Setup};
use crate::world::{World, recording};

const API_SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";

/// An APIService of the recording that works.
const NAME: &str = "v1alpha1.wardle.example.com";

fn world() -> World {
    World::new(&recording("v1.36-mixed"))
}

fn connection(world: &World) -> Connection {
    let options =
        ClusterOptions { kubeconfig: Some(world.kubeconfig()), ..ClusterOptions::default() };
    let Found::Clusters(mut clusters, _) = options.find().unwrap() else { panic!() };
    clusters.remove(0).unwrap()
}

fn look(connection: &Connection) -> LoadedSource {
    let mut needs = Needs::routing();
    needs.documents.extend([ServerDocument::Groups, ServerDocument::OpenApiV3]);
    let source = Source::Live(Box::new(connection.clone()));
    aggctl_source::load_for(&source, &needs, &mut |_| {}).unwrap()
}

fn same(one: &LoadedSource, other: &LoadedSource) {
    assert_eq!(format!("{:?}", one.snapshot), format!("{:?}", other.snapshot));
}

/// Returns the paths of conditional requests since the last call.
fn conditional(world: &World) -> Vec<String> {
    let seen = world.server.seen().into_iter().filter(|s| !s.is_without_peers());
    let mut paths: Vec<String> =
        seen.filter(|s| s.headers.contains_key("if-none-match")).map(|s| s.path).collect();
    paths.sort();
    paths
}

#[test]
fn what_has_not_changed_is_not_sent_again() {
    let world = world();
    let connection = connection(&world).caching();
    let first = look(&connection);
    assert_eq!((conditional(&world).len(), world.server.unchanged()), (0, 0));
    same(&first, &look(&connection));
    // Real servers tag only what is aggregated: `/api`, and `/apis` with and without peers.
    assert_eq!(conditional(&world), ["/api", "/apis"]);
    assert_eq!(world.server.unchanged(), 3);

    world.server.change(|files| {
        files.get_mut("apis-aggregated").unwrap()["items"].as_array_mut().unwrap().pop();
    });
    let changed = look(&connection);
    assert_eq!(world.server.unchanged(), 1);
    let groups = |loaded: &LoadedSource| loaded.snapshot.aggregated_groups.loaded().unwrap().len();
    assert_eq!(groups(&changed), groups(&first) - 1);
    same(&changed, &look(&connection));
    assert_eq!(world.server.unchanged(), 3);
}

#[test]
fn documents_are_remembered_on_request_and_per_user() {
    let world = world();
    let plain = connection(&world);
    look(&plain);
    look(&plain);
    assert_eq!(conditional(&world), [""; 0]);

    world.file("token", "one");
    world.configure(&format!("tokenFile: {}", world.directory.path().join("token").display()));
    let mine = connection(&world).caching();
    look(&mine);
    look(&mine);
    assert_eq!(conditional(&world).len(), 2);
    world.file("token", "two");
    look(&mine);
    assert_eq!(conditional(&world), [""; 0], "another user");
    look(&mine);
    assert_eq!(conditional(&world).len(), 2);
    look(&connection(&world).caching());
    assert_eq!(conditional(&world), [""; 0], "another memory");
}

#[test]
fn odd_tags_and_odd_answers_break_nothing() {
    for protocols in [vec!["h2"], vec!["http/1.1"]] {
        let dump = recording("v1.36-mixed").join("dump");
        let world = World::with(&Setup { protocols, ..Setup::replaying(&dump) });
        let healthy = look(&connection(&world));
        // The legacy document has the tag, too.
        for tag in ["W/\"1\"", "naked", "\"a\", \"b\"", "", "*"] {
            world.server.break_at("/apis", Breakage::Tagged(tag));
            let connection = connection(&world).caching();
            same(&healthy, &look(&connection));
            same(&healthy, &look(&connection));
            let sent = world.server.unchanged();
            assert!(sent >= 1, "{tag}: {sent}");
        }
        for breakage in
            [Breakage::NotModified(None), Breakage::NotModifiedBody, Breakage::OtherState]
        {
            let what = format!("{breakage:?}");
            world.server.mend();
            let connection = connection(&world).caching();
            same(&healthy, &look(&connection));
            world.server.break_at("/api", breakage);
            let again = look(&connection);
            let odd = again.notes.iter().find(|note| note.weight != NoteLevel::Detail);
            assert_eq!(odd, None, "{what}");
            same(&healthy, &again);
        }
    }
}

#[test]
fn not_modified_needs_a_conditional_request() {
    let world = world();
    world.server.break_at("/apis", Breakage::NotModified(None));
    let connection = connection(&world).caching();
    let mut texts = vec![];
    for _ in 0..2 {
        let notes = look(&connection).notes;
        let of_document = notes.iter().find(|note| note.text.starts_with("could not read"));
        texts.push(of_document.unwrap().text.clone());
    }
    assert_eq!(texts[0], texts[1]);
    insta::assert_snapshot!(texts[0], @"could not read the document /apis: the server answered 304 (not modified) to an unconditional request");
}

/// An invalid document is requested again, whatever its tag.
#[test]
fn garbage_is_not_remembered() {
    let world = world();
    let connection = connection(&world).caching();
    world.server.break_at("/apis", Breakage::TaggedGarbage);
    look(&connection);
    world.server.mend();
    world.server.seen();
    let healthy = look(&connection);
    assert_eq!(conditional(&world), ["/api"]);
    assert!(healthy.snapshot.aggregated_groups.is_loaded());
}

/// Makes an APIService available, or not.
fn put(files: &mut Files, name: &str, available: bool) {
    let items = files.get_mut("apiservices").unwrap()["items"].as_array_mut().unwrap();
    let item = items.iter_mut().find(|item| item["metadata"]["name"] == name).unwrap();
    let (status, reason) =
        if available { ("True", "Passed") } else { ("False", "MissingEndpoints") };
    let condition: Value = json!({
        "type": "Available", "status": status, "reason": reason,
        "message": "endpoints for service/x in \"ext\" have no addresses",
        "lastTransitionTime": "2026-11-16T00:00:00Z",
    });
    item["status"]["conditions"] = json!([condition]);
}

/// A running binary with its output lines, and a guard that kills it if it prints nothing for too
/// long.
struct Watching {
    child: Arc<Mutex<Child>>,
    lines: Option<Lines<BufReader<ChildStdout>>>,
    _guard: Sender<()>,
}

impl Watching {
    fn start(world: &World, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_aggctl"))
            .env_clear()
            .env("HOME", world.directory.path())
            .args(arguments)
            .args(["--kubeconfig", world.kubeconfig().to_str().unwrap()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = Some(BufReader::new(child.stdout.take().unwrap()).lines());
        let child = Arc::new(Mutex::new(child));
        let (guard, ended) = channel();
        let guarded = child.clone();
        std::thread::spawn(move || {
            if ended.recv_timeout(Duration::from_secs(120)) == Err(RecvTimeoutError::Timeout) {
                let _ = guarded.lock().unwrap().kill();
            }
        });
        Self { child, lines, _guard: guard }
    }

    fn line(&mut self) -> String {
        self.lines.as_mut().unwrap().next().unwrap().unwrap()
    }
}

#[test]
fn watching_prints_changes_until_the_pipe_is_closed() {
    let world = world();
    let arguments = ["doctor", "--watch", "--interval", "10ms", "--fail-on", "never"];
    let mut watching = Watching::start(&world, &arguments);
    while !watching.line().starts_with("Kubernetes 1.") {}
    for available in [false, true, false] {
        world.server.change(|files| put(files, NAME, available));
        let line = watching.line();
        let sign = if available { " √ " } else { " × " };
        assert!(line.contains(sign) && line.contains(NAME), "{line}");
    }
    // Most documents of a round had not changed.
    assert!(world.server.unchanged() > 0);
    watching.lines = None;
    world.server.change(|files| put(files, NAME, true));
    let status = loop {
        if let Some(status) = watching.child.lock().unwrap().try_wait().unwrap() {
            break status;
        }
        std::thread::yield_now();
    };
    assert_eq!(status.code(), Some(0));
}

/// A request that fails for a moment is not a change.
#[test]
fn a_failed_request_is_not_a_change() {
    let world = world();
    let arguments = ["doctor", "--watch", "--interval", "10ms"];
    let mut watching = Watching::start(&world, &arguments);
    while !watching.line().starts_with("Kubernetes 1.") {}
    for path in
        ["/apis", "/api/v1/services", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"]
    {
        world.server.break_at(path, Breakage::Status(500));
        // After the second request, the response to the first one has been processed.
        world.server.seen();
        let asked = || world.server.seen().iter().filter(|seen| seen.path == path).count();
        let mut times = 0;
        while times < 3 {
            times += asked();
            std::thread::yield_now();
        }
        world.server.mend();
    }
    world.server.change(|files| put(files, NAME, false));
    let line = watching.line();
    assert!(line.contains(" × ") && line.contains(NAME), "{line}");
    watching.child.lock().unwrap().kill().unwrap();
}

/// A change of the kubeconfig does not change the cluster that is watched.
#[test]
fn watching_stays_with_its_cluster() {
    let world = world();
    let arguments = ["doctor", "--watch", "--interval", "10ms"];
    let mut watching = Watching::start(&world, &arguments);
    while !watching.line().starts_with("Kubernetes 1.") {}
    world.configure_both("server: 'https://127.0.0.1:1'", "");
    world.server.change(|files| put(files, NAME, false));
    assert!(watching.line().contains(NAME));
    watching.child.lock().unwrap().kill().unwrap();
}

#[test]
fn waiting_ends_as_soon_as_it_is_available() {
    let world = world();
    world.server.change(|files| put(files, NAME, false));
    world.server.change_after(API_SERVICES, 3, |files| put(files, NAME, true));
    let wait = ["--wait-for", "available", "--timeout", "60s", "--interval", "1ms"];
    let run = world.live(&[&["doctor", NAME][..], &wait].concat());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let (change, end) = run.out.split_once('\n').unwrap();
    assert!(change.contains(" √ ") && change.contains(NAME), "{change}");
    assert_eq!(end, format!("available: {NAME}\n"));
    let looks = world.server.seen().iter().filter(|s| s.path == API_SERVICES).count();
    assert_eq!((looks, world.server.unchanged()), (4, 3));
}

#[test]
fn waiting_ends_in_time_whatever_happens() {
    let check = |prepare: &dyn Fn(&World), arguments: &[&str], code: i32, want: &str| {
        let world = world();
        world.server.change(|files| put(files, NAME, false));
        prepare(&world);
        let started = Instant::now();
        let run =
            world.live(&[&["doctor", NAME, "--wait-for", "available"][..], arguments].concat());
        // A request may take 20 s and a pause an hour, so only the timeout can end it.
        assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
        assert_eq!(run.code, code, "{}{}", run.out, run.err);
        assert!(run.out.contains(want) || run.err.contains(want), "{}{}", run.out, run.err);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let late = ["--timeout", "3s", "--interval", "1h"];
            check(&|_| {}, &late, 1, &format!("not available after 3s:\n  {NAME}:"));
        });
        scope.spawn(|| {
            let hang = |world: &World| world.server.break_at(API_SERVICES, Breakage::Hang);
            let late = ["--timeout", "2s", "--interval", "1ms"];
            check(&hang, &late, 3, "no response within");
        });
    });
}

/// Starts a plain HTTP/1.1 server that sends a body with 304, which libraries would not do.
fn bare_server(dump: std::path::PathBuf) -> std::net::SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let dump = dump.clone();
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
                while let Some(Ok(first)) = lines.next() {
                    let head: Vec<String> = lines
                        .by_ref()
                        .map_while(Result::ok)
                        .take_while(|l| !l.is_empty())
                        .collect();
                    let file = match first.split(' ').nth(1) {
                        Some("/version") => "version.json",
                        Some("/apis") => "apis-aggregated.json",
                        _ => "openapi-v3.json",
                    };
                    let known = head.iter().any(|l| l.to_lowercase().starts_with("if-none-match:"));
                    let body = std::fs::read_to_string(dump.join(file)).unwrap();
                    let answer = if known {
                        "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 5\r\n\r\nhello"
                            .to_owned()
                    } else {
                        let length = body.len();
                        format!(
                            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: application/json\r\n\
                             Content-Length: {length}\r\n\r\n{body}"
                        )
                    };
                    if (&stream).write_all(answer.as_bytes()).is_err() {
                        return;
                    }
                }
            });
        }
    });
    address
}

#[test]
fn a_body_of_a_304_is_ignored() {
    let world = world();
    let address = bare_server(world.dump.clone());
    world.configure_both(&format!("server: 'http://{address}'"), "");
    let source = Source::Live(Box::new(connection(&world).caching()));
    let needs = Needs::new([
        ServerDocument::Version,
        ServerDocument::AggregatedGroups,
        ServerDocument::OpenApiV3,
    ]);
    let look = || aggctl_source::load_for(&source, &needs, &mut |_| {}).unwrap();
    let first = look();
    assert!(first.snapshot.aggregated_groups.is_loaded() && first.snapshot.openapi_v3.is_loaded());
    for _ in 0..3 {
        same(&first, &look());
    }
}
