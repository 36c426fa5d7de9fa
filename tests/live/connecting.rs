//! Ways to a server: names, proxies, contexts, and what goes wrong on them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::server::{Authority, Server, Setup, self_signed};
use crate::world::{PIECE, TOKEN, World, recording, run};

fn dump() -> std::path::PathBuf {
    recording("v1.36-vanilla").join("dump")
}

#[test]
fn certificates_must_be_trusted_and_right() {
    let world =
        World::with(&Setup { names: vec!["kubernetes.example"], ..Setup::replaying(&dump()) });
    let (url, config) = (world.server.url(), world.kubeconfig());
    let check = |cluster: &str, more: &[&str], want: &str| {
        world.configure_both(&format!("server: {url}{cluster}"), "");
        let mut arguments = vec!["chain", "--kubeconfig", config.to_str().unwrap()];
        arguments.extend(more);
        let run = run(&arguments);
        if want.is_empty() {
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{cluster}");
        } else {
            assert_eq!(run.code, 3, "{}", run.err);
            assert!(run.err.contains(want), "{want} is not in {}", run.err);
        }
    };
    let stranger = world.file("stranger.crt", &Authority::new("stranger").pem);
    let ca = world.directory.path().join("ca.crt");
    check(
        ", certificate-authority: ca.crt",
        &[],
        "its certificate is for kubernetes.example, not for 127.0.0.1\nhint: --tls-server-name names",
    );
    check(", certificate-authority: ca.crt, tls-server-name: kubernetes.example", &[], "");
    check(", certificate-authority: ca.crt", &["--tls-server-name", "kubernetes.example"], "");
    check(
        ", certificate-authority: ca.crt",
        &["--tls-server-name", "other.example"],
        "its certificate is for kubernetes.example, not for other.example",
    );
    check(
        ", certificate-authority: stranger.crt, tls-server-name: kubernetes.example",
        &[],
        "it is signed by an unknown authority (CN=the test's authority)\nhint: name its authority",
    );
    check(
        ", tls-server-name: kubernetes.example",
        &["--certificate-authority", ca.to_str().unwrap()],
        "",
    );
    check(
        ", tls-server-name: kubernetes.example",
        &["--certificate-authority", stranger.to_str().unwrap()],
        "unknown authority",
    );
    check(", insecure-skip-tls-verify: true", &[], "");
    check("", &["--insecure-skip-tls-verify"], "");
    check(
        ", certificate-authority: ca.crt, insecure-skip-tls-verify: true",
        &[],
        "has both a certificate-authority and insecure-skip-tls-verify\nhint: remove one of them",
    );
    check(", certificate-authority: ca.crt", &["--insecure-skip-tls-verify"], "");
    check(
        ", insecure-skip-tls-verify: true",
        &["--certificate-authority", stranger.to_str().unwrap()],
        "its certificate is for kubernetes.example, not for 127.0.0.1",
    );
    check(
        ", certificate-authority: ca.crt, tls-server-name: kubernetes.example",
        &["--server", &url],
        "its certificate is for kubernetes.example, not for 127.0.0.1",
    );
    check(", certificate-authority: gone.crt", &[], "cannot read certificate-authority ");
    check(
        ", certificate-authority-data: '!'",
        &[],
        "certificate-authority-data of the kubeconfig is not base64",
    );
}

/// As in Go: a certificate that is named as an authority is believed, whatever it may sign.
#[test]
fn a_server_may_vouch_for_itself() {
    let check = |ca: bool, until: i32, names: &[&str], trusted: bool, want: &str| {
        let certificate = self_signed(names, ca, until);
        let own = certificate.0.clone();
        let world =
            World::with(&Setup { certificate: Some(certificate), ..Setup::replaying(&dump()) });
        if trusted {
            world.file("ca.crt", &own);
        }
        let run = world.live(&["chain"]);
        if want.is_empty() {
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{ca}");
        } else {
            assert_eq!(run.code, 3, "{}", run.err);
            assert!(run.err.contains(want), "{want} is not in {}", run.err);
        }
    };
    for ca in [true, false] {
        check(ca, 2999, &["127.0.0.1", "api.example"], true, "");
        check(ca, 2999, &["127.0.0.1"], false, "its certificate is not trusted: it is self-signed");
        let elsewhere = "its certificate is for api.example, not for 127.0.0.1";
        check(ca, 2999, &["api.example"], true, elsewhere);
        check(ca, 2001, &["127.0.0.1"], false, "its certificate has expired on 2001-01-01");
        let old = "no certificate of the certificate authority is valid now";
        check(ca, 2001, &["127.0.0.1"], true, old);
    }
}

#[test]
fn the_name_for_tls_is_the_name_asked_for() {
    let world =
        World::with(&Setup { names: vec!["kubernetes.example"], ..Setup::replaying(&dump()) });
    let run = world.live(&["chain", "--tls-server-name", "kubernetes.example"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(world.server.names().iter().all(|name| name.as_deref() == Some("kubernetes.example")));
    let hosts: Vec<String> = world
        .server
        .seen()
        .iter()
        .map(|s| s.headers["host"].to_str().unwrap().to_owned())
        .collect();
    assert!(hosts.iter().all(|host| *host == world.server.address.to_string()), "{hosts:?}");
}

#[test]
fn nobody_there() {
    let world = World::new(&recording("v1.36-vanilla"));
    let check = |server: &str, want: &str| {
        world.configure_both(&format!("server: '{server}'"), "");
        let run = world.live(&["chain", "--insecure-skip-tls-verify", "--timeout", "5s"]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(run.err.contains(want), "{want} is not in {}", run.err);
    };
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    check(&format!("https://{free}"), "connection refused");
    check(&format!("http://{}", world.server.address), "error: cannot read cluster here");
    let plain = World::with(&Setup { tls: false, ..Setup::replaying(&dump()) });
    check(
        &plain.server.url(),
        "it does not speak TLS\nhint: a server without TLS is written as http://HOST:PORT",
    );
    assert!(world.server.seen().is_empty());
    check(
        "https://no.such.host.invalid:1",
        "error: cannot read cluster here (no.such.host.invalid:1): ",
    );
    check("https://", "the cluster's server is not a valid URL");
    check("", "has no server");
}

/// A proxy that notes what it was asked, and tunnels to one address whatever the name.
fn proxy(to: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let notes = notes.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut head = String::new();
                while reader.read_line(&mut head).is_ok_and(|n| n > 2) {}
                notes.lock().unwrap().push(head);
                let server = TcpStream::connect(to).unwrap();
                (&stream).write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
                let (mut back, mut front) =
                    (server.try_clone().unwrap(), stream.try_clone().unwrap());
                std::thread::spawn(move || std::io::copy(&mut back, &mut front));
                let _ = std::io::copy(&mut reader, &mut &server);
            });
        }
    });
    (address, asked)
}

#[test]
fn a_proxy_sees_a_tunnel_and_no_credentials() {
    let world = World::new(&recording("v1.36-vanilla"));
    let (address, asked) = proxy(world.server.address);
    let cluster = format!(
        "server: {}, certificate-authority: ca.crt, proxy-url: 'http://{address}'",
        world.server.url()
    );
    world.configure_both(&cluster, &format!("token: {TOKEN}"));
    let run = world.live(&["chain"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 1);
    assert!(
        asked[0].starts_with(&format!("CONNECT {} HTTP/1.1", world.server.address)),
        "{}",
        asked[0]
    );
    assert!(
        !asked[0].to_lowercase().contains("authorization") && !asked[0].contains(PIECE),
        "{}",
        asked[0]
    );
}

#[test]
fn through_a_proxy_the_name_for_tls_changes_only_what_is_verified() {
    let world =
        World::with(&Setup { names: vec!["kubernetes.example"], ..Setup::replaying(&dump()) });
    let (address, asked) = proxy(world.server.address);
    let cluster = format!(
        "server: 'https://api.invalid:6443', certificate-authority: ca.crt, tls-server-name: kubernetes.example, proxy-url: 'http://{address}'"
    );
    world.configure_both(&cluster, "");
    let run = world.live(&["chain"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(asked.lock().unwrap()[0].starts_with("CONNECT api.invalid:6443 "));
}

#[test]
fn a_proxy_leads_to_no_ipv6_address() {
    let world = World::with(&Setup { names: vec!["::1"], ..Setup::replaying(&dump()) });
    let (address, asked) = proxy(world.server.address);
    let cluster = "server: 'https://[::1]:6443', certificate-authority: ca.crt";
    world.configure_both(&format!("{cluster}, proxy-url: 'http://{address}'"), "");
    let run = world.live(&["chain"]);
    let want = "error: cannot use cluster here: a server with an IPv6 address cannot be reached";
    assert!(run.code == 3 && run.err.starts_with(want), "{}", run.err);
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn a_socks_proxy_resolves_names_itself() {
    let world = World::with(&Setup { names: vec!["api.invalid"], ..Setup::replaying(&dump()) });
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let to = world.server.address;
    let name = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut greeting = [0; 2];
        stream.read_exact(&mut greeting).unwrap();
        stream.read_exact(&mut vec![0; greeting[1].into()]).unwrap();
        stream.write_all(&[5, 0]).unwrap();
        let mut request = [0; 5];
        stream.read_exact(&mut request).unwrap();
        assert_eq!(request[3], 3, "a name, not an address");
        let mut name = vec![0; usize::from(request[4]) + 2];
        stream.read_exact(&mut name).unwrap();
        stream.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).unwrap();
        let server = TcpStream::connect(to).unwrap();
        let (mut back, mut front) = (server.try_clone().unwrap(), stream.try_clone().unwrap());
        std::thread::spawn(move || std::io::copy(&mut back, &mut front));
        std::thread::spawn(move || std::io::copy(&mut stream, &mut &server));
        String::from_utf8_lossy(&name[..name.len() - 2]).into_owned()
    });
    world.configure_both(&format!("server: 'https://api.invalid', certificate-authority: ca.crt, proxy-url: 'socks5://{address}'"), "");
    let run = world.live(&["chain"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(name.join().unwrap(), "api.invalid");
}

/// A proxy that says this and no more.
fn sayer(words: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let mut head = String::new();
            // Who speaks SOCKS sends no lines.
            let lines = words.is_empty() || words.starts_with("HTTP/");
            while lines && reader.read_line(&mut head).is_ok_and(|n| n > 2) {}
            let _ = (&stream).write_all(words.as_bytes());
        }
    });
    address
}

#[test]
fn who_failed_is_told_apart() {
    let world = World::new(&recording("v1.36-vanilla"));
    let through = |proxy: &str, want: &str| {
        let server = format!("server: {}, certificate-authority: ca.crt", world.server.url());
        world.configure_both(&format!("{server}, proxy-url: '{proxy}'"), "");
        let run = world.live(&["chain"]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(run.err.contains(want), "{want} is not in {}", run.err);
        assert!(!run.err.contains("hunter2"), "{}", run.err);
    };
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refused = format!("its proxy {free} cannot be reached: connection refused");
    through(&format!("http://me:hunter2@{free}"), &refused);
    let gone = format!("its proxy {free} cannot be reached");
    through(&format!("socks5://me:hunter2@{free}"), &gone);
    let asks = sayer("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    let want = format!("its proxy {asks} wants a user name and password (407)");
    through(&format!("http://{asks}"), &want);
    let fails = sayer("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    through(&format!("http://me:hunter2@{fails}"), &format!("its proxy {fails} does not connect"));
    through(&format!("http://{}", sayer("")), "hung up");
    through(&format!("socks5://{}", sayer("nonsense")), "does not connect to it");
    through("gopher://me:hunter2@x", "the kubeconfig's proxy-url is not a valid proxy URL");
}

fn several(world: &World, other: &Server) {
    let text = format!(
        "clusters:\n\
         - {{name: one, cluster: {{server: {}, certificate-authority: ca.crt}}}}\n\
         - {{name: two, cluster: {{server: {}, certificate-authority: ca.crt}}}}\n\
         - {{name: dead, cluster: {{server: 'https://127.0.0.1:1'}}}}\n\
         contexts:\n\
         - {{name: a, context: {{cluster: one}}}}\n\
         - {{name: b, context: {{cluster: dead}}}}\n\
         - {{name: c, context: {{cluster: gone}}}}\n\
         - {{name: d, context: {{cluster: two}}}}\n",
        world.server.url(),
        other.url(),
    );
    world.file("config", &text);
}

#[test]
fn several_clusters_answer_in_order_and_for_themselves() {
    let world = World::new(&recording("v1.36-vanilla"));
    let other = Server::start(
        &world.authority,
        &Setup::replaying(&recording("v1.25-vanilla").join("dump")),
    );
    several(&world, &other);
    let question = ["route", "/apis/batch/v1beta1/x", "-o", "jsonl"];
    let run = world.live(&[&question[..], &["--context", "d", "--context", "a"]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let sources: Vec<serde_json::Value> = run
        .out
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["source"]["name"].clone()
        })
        .collect();
    assert_eq!(sources, ["d", "a"]);

    let run = world.live(&["order", "--all-contexts"]);
    assert_eq!(run.code, 3);
    assert!(run.out.contains("==> a <==\n") && run.out.contains("\n==> d <==\n"), "{}", run.out);
    assert!(
        run.err.contains("error: cannot read cluster b (127.0.0.1:1): connection refused"),
        "{}",
        run.err
    );
    assert!(run.err.contains("error: the kubeconfig has no cluster \"gone\""), "{}", run.err);
    assert!(run.err.contains("error: 2 of 4 clusters gave no answer"), "{}", run.err);
}

#[test]
fn without_a_terminal_nobody_is_asked_to_choose() {
    let world = World::new(&recording("v1.36-vanilla"));
    let other = world.server.clone();
    several(&world, &other);
    let run = world.live(&["chain"]);
    assert_eq!(run.code, 3);
    assert_eq!(
        run.err,
        "error: the kubeconfig has no current context, and several to choose from\n\
         hint: --context with one of a, b, c, d; or --builtin\n"
    );
    let run = world.live(&["chain", "--context", "x"]);
    assert_eq!(run.err, "error: the kubeconfig has no context \"x\"\nhint: it has a, b, c, d\n");
}

/// No cluster answers before all were asked: none waits for another, and the answers keep their
/// order whoever is first.
#[test]
fn several_clusters_are_asked_at_the_same_time() {
    let world = World::new(&recording("v1.36-vanilla"));
    let contexts = ["a", "b", "c", "d", "e"];
    let entries = contexts.map(|name| format!("- {{name: {name}, context: {{cluster: one}}}}"));
    let text = format!(
        "clusters: [{{name: one, cluster: {{server: {}, certificate-authority: ca.crt}}}}]\ncontexts:\n{}\n",
        world.server.url(),
        entries.join("\n"),
    );
    world.file("config", &text);
    world.server.hold(4 * contexts.len());
    let run = world.live(&["order", "--all-contexts", "--timeout", "60s"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let headings: Vec<&str> = run.out.lines().filter(|line| line.starts_with("==> ")).collect();
    assert_eq!(headings, contexts.map(|name| format!("==> {name} <==")));
    // Two sides of a comparison are two clusters.
    world.server.seen();
    world.server.hold(2 * 11);
    let run = world.live(&["diff", "a", "b", "--timeout", "60s"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

/// The first one hangs: it takes its own time, and the others have long answered by then.
#[test]
fn a_cluster_that_hangs_takes_its_own_time_only() {
    let world = World::new(&recording("v1.36-vanilla"));
    let slow = Server::start(&world.authority, &Setup::replaying(&dump()));
    for path in ["/version", "/", "/apis/apiregistration.k8s.io/v1/apiservices"] {
        slow.break_at(path, crate::server::Breakage::Hang);
    }
    slow.break_at(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        crate::server::Breakage::Hang,
    );
    let cluster = |name: &str, url: &str| {
        format!("- {{name: {name}, cluster: {{server: {url}, certificate-authority: ca.crt}}}}\n")
    };
    let mut text = format!("clusters:\n{}", cluster("good", &world.server.url()));
    text += &cluster("slow", &slow.url());
    text += "contexts:\n";
    for name in ["s1", "s2", "s3", "s4"] {
        text += &format!("- {{name: {name}, context: {{cluster: slow}}}}\n");
    }
    text += "- {name: good, context: {cluster: good}}\n";
    world.file("config", &text);
    let started = std::time::Instant::now();
    let run = world.live(&["chain", "--all-contexts", "--timeout", "3s"]);
    // One after the other they would take four times as long.
    assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.contains("==> good <==\nkube-aggregator"), "{}", run.out);
    assert_eq!(run.err.matches("no answer within 3 s (timeout)").count(), 4, "{}", run.err);
    assert!(run.err.contains("error: 4 of 5 clusters gave no answer"), "{}", run.err);
}
