//! Tests connections to a server: certificates, names, proxies, several contexts, and their
//! failures.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use crate::server::{Authority, Server, Setup, self_signed};
use crate::world::{PIECE, Run, TOKEN, World, recording, run};

fn dump() -> std::path::PathBuf {
    recording("v1.36-vanilla").join("dump")
}

#[test]
fn certificates_must_be_trusted_and_match_the_name() {
    let world =
        World::with(&Setup { names: vec!["kubernetes.example"], ..Setup::replaying(&dump()) });
    let (url, config) = (world.server.url(), world.kubeconfig());
    let stranger = world.file("stranger.crt", &Authority::new("stranger").pem);
    let ca = world.directory.path().join("ca.crt");
    let (stranger, ca) = (stranger.to_str().unwrap(), ca.to_str().unwrap());
    let mut text = String::new();
    for (cluster, flags) in [
        ("certificate-authority: ca.crt", &[][..]),
        ("certificate-authority: ca.crt, tls-server-name: kubernetes.example", &[]),
        ("certificate-authority: ca.crt", &["--tls-server-name", "kubernetes.example"]),
        ("certificate-authority: ca.crt", &["--tls-server-name", "other.example"]),
        ("certificate-authority: stranger.crt, tls-server-name: kubernetes.example", &[]),
        ("tls-server-name: kubernetes.example", &["--certificate-authority", ca]),
        ("tls-server-name: kubernetes.example", &["--certificate-authority", stranger]),
        ("insecure-skip-tls-verify: true", &[]),
        ("", &["--insecure-skip-tls-verify"]),
        ("certificate-authority: ca.crt, insecure-skip-tls-verify: true", &[]),
        ("certificate-authority: ca.crt", &["--insecure-skip-tls-verify"]),
        ("insecure-skip-tls-verify: true", &["--certificate-authority", stranger]),
        ("certificate-authority: ca.crt, tls-server-name: kubernetes.example", &["--server", &url]),
        ("certificate-authority: gone.crt", &[]),
        ("certificate-authority-data: '!'", &[]),
    ] {
        world.configure_both(&format!("server: {url}, {cluster}"), "");
        let arguments = ["chain", "--kubeconfig", config.to_str().unwrap()];
        let run = world.shown(run(&[&arguments, flags].concat()));
        let flags = flags.join(" ").replace(world.directory.path().to_str().unwrap(), "FOLDER");
        let flags = flags.replace(&url, "https://SERVER");
        text += format!("{{{cluster}}} {flags}").trim_end();
        text += &format!("\n{}\n", without_answer(run));
    }
    insta::assert_snapshot!(text, @"
    {certificate-authority: ca.crt}
    2> error: cannot read cluster here (SERVER): its certificate is for kubernetes.example, not for 127.0.0.1
    2> hint: set the name in the certificate with --tls-server-name
    [exit 3]

    {certificate-authority: ca.crt, tls-server-name: kubernetes.example}
    connected

    {certificate-authority: ca.crt} --tls-server-name kubernetes.example
    connected

    {certificate-authority: ca.crt} --tls-server-name other.example
    2> error: cannot read cluster here (SERVER): its certificate is for kubernetes.example, not for other.example
    2> hint: set the name in the certificate with --tls-server-name
    [exit 3]

    {certificate-authority: stranger.crt, tls-server-name: kubernetes.example}
    2> error: cannot read cluster here (SERVER): its certificate is not trusted: it is signed by an unknown authority (CN=the test's authority)
    2> hint: pass its CA with --certificate-authority
    [exit 3]

    {tls-server-name: kubernetes.example} --certificate-authority FOLDER/ca.crt
    connected

    {tls-server-name: kubernetes.example} --certificate-authority FOLDER/stranger.crt
    2> error: cannot read cluster here (SERVER): its certificate is not trusted: it is signed by an unknown authority (CN=the test's authority)
    2> hint: pass its CA with --certificate-authority
    [exit 3]

    {insecure-skip-tls-verify: true}
    connected

    {} --insecure-skip-tls-verify
    connected

    {certificate-authority: ca.crt, insecure-skip-tls-verify: true}
    2> error: the kubeconfig's cluster has both a certificate-authority and insecure-skip-tls-verify
    2> hint: remove one of them, or override it with --insecure-skip-tls-verify or --certificate-authority
    [exit 3]

    {certificate-authority: ca.crt} --insecure-skip-tls-verify
    connected

    {insecure-skip-tls-verify: true} --certificate-authority FOLDER/stranger.crt
    2> error: cannot read cluster here (SERVER): its certificate is for kubernetes.example, not for 127.0.0.1
    2> hint: set the name in the certificate with --tls-server-name
    [exit 3]

    {certificate-authority: ca.crt, tls-server-name: kubernetes.example} --server https://SERVER
    2> error: cannot read cluster here (SERVER): its certificate is for kubernetes.example, not for 127.0.0.1
    2> hint: set the name in the certificate with --tls-server-name
    [exit 3]

    {certificate-authority: gone.crt}
    2> error: cannot read certificate-authority FOLDER/gone.crt: no such file
    [exit 3]

    {certificate-authority-data: '!'}
    2> error: certificate-authority-data in the kubeconfig is not valid base64
    [exit 3]
    ");
}

/// Replaces the answer with a fixed word.
fn without_answer(run: Run) -> Run {
    let out = if run.out.is_empty() { "" } else { "connected\n" };
    Run { out: out.to_owned(), ..run }
}

/// As in Go, a certificate in the CA bundle is trusted even if it is not a CA.
#[test]
fn a_server_may_have_a_self_signed_certificate() {
    let connect = |ca: bool, until: i32, names: &[&str], trusted: bool| {
        let certificate = self_signed(names, ca, until);
        let own = certificate.0.clone();
        let world =
            World::with(&Setup { certificate: Some(certificate), ..Setup::replaying(&dump()) });
        if trusted {
            world.file("ca.crt", &own);
        }
        let run = world.shown(world.live(&["chain"]));
        format!("until {until} for {names:?}, trusted: {trusted}\n{}\n", without_answer(run))
    };
    let connect_all = |ca: bool| {
        [
            connect(ca, 2999, &["127.0.0.1", "api.example"], true),
            connect(ca, 2999, &["127.0.0.1"], false),
            connect(ca, 2999, &["api.example"], true),
            connect(ca, 2001, &["127.0.0.1"], false),
            connect(ca, 2001, &["127.0.0.1"], true),
        ]
        .concat()
    };
    let of_ca = connect_all(true);
    insta::assert_snapshot!(of_ca, @r#"
    until 2999 for ["127.0.0.1", "api.example"], trusted: true
    connected

    until 2999 for ["127.0.0.1"], trusted: false
    2> error: cannot read cluster here (SERVER): its certificate is not trusted: it is self-signed
    2> hint: pass its CA with --certificate-authority
    [exit 3]

    until 2999 for ["api.example"], trusted: true
    2> error: cannot read cluster here (SERVER): its certificate is for api.example, not for 127.0.0.1
    2> hint: set the name in the certificate with --tls-server-name
    [exit 3]

    until 2001 for ["127.0.0.1"], trusted: false
    2> error: cannot read cluster here (SERVER): its certificate has expired on 2001-01-01
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]

    until 2001 for ["127.0.0.1"], trusted: true
    2> error: cannot use cluster here: no certificate of the certificate authority is currently valid
    [exit 3]
    "#);
    assert_eq!(connect_all(false), of_ca);
}

#[test]
fn tls_server_name_is_the_name_in_the_handshake() {
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
fn servers_that_cannot_be_reached() {
    let world = World::new(&recording("v1.36-vanilla"));
    let plain = World::with(&Setup { tls: false, ..Setup::replaying(&dump()) });
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let connect = |server: &str| {
        world.configure_both(&format!("server: '{server}'"), "");
        let run = world.live(&["chain", "--insecure-skip-tls-verify", "--timeout", "5s"]);
        let run = run.showing(&free, "FREE").showing(&plain.server.address.to_string(), "PLAIN");
        world.shown(run)
    };
    insta::assert_snapshot!(connect(&format!("https://{free}")), @"
    2> error: cannot read cluster here (FREE): connection refused
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    insta::assert_snapshot!(connect(&plain.server.url()), @"
    2> error: cannot read cluster here (PLAIN): it does not speak TLS
    2> hint: for a server without TLS, write http://HOST:PORT
    [exit 3]
    ");
    insta::assert_snapshot!(connect("https://"), @"
    2> error: the cluster's server is not a valid URL
    2> hint: write it as https://HOST:PORT
    [exit 3]
    ");
    insta::assert_snapshot!(connect(""), @r#"
    2> error: kubeconfig cluster "c" has no server
    [exit 3]
    "#);
    assert!(world.server.seen().is_empty());
    // The rest of these errors is worded by the operating system.
    let start =
        |server: &str| connect(server).err.split_inclusive("): ").next().unwrap().to_owned();
    insta::assert_snapshot!(start(&format!("http://{}", world.server.address)), @"error: cannot read cluster here (SERVER):");
    insta::assert_snapshot!(start("https://no.such.host.invalid:1"), @"error: cannot read cluster here (no.such.host.invalid:1):");
}

/// Starts a proxy that records requests, and tunnels all of them to one address.
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
    let head = asked[0].replace(&world.server.address.to_string(), "SERVER");
    assert!(!head.contains(PIECE), "{head}");
    let head = head.replace('\r', "").replace(env!("CARGO_PKG_VERSION"), "VERSION");
    insta::assert_snapshot!(head, @"
    CONNECT SERVER HTTP/1.1
    Host: SERVER
    user-agent: aggctl/VERSION
    ");
}

#[test]
fn through_a_proxy_tls_server_name_changes_only_the_verified_name() {
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
fn ipv6_servers_cannot_be_reached_through_a_proxy() {
    let world = World::with(&Setup { names: vec!["::1"], ..Setup::replaying(&dump()) });
    let (address, asked) = proxy(world.server.address);
    let cluster = "server: 'https://[::1]:6443', certificate-authority: ca.crt";
    world.configure_both(&format!("{cluster}, proxy-url: 'http://{address}'"), "");
    let run = world.live(&["chain"]);
    insta::assert_snapshot!(run, @"
    2> error: cannot use cluster here: a server with an IPv6 address cannot be reached through a proxy
    2> hint: use a host name, or add the address to NO_PROXY
    [exit 3]
    ");
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

/// Starts a proxy that responds with this text.
fn sayer(words: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let mut head = String::new();
            // SOCKS clients do not send lines.
            let lines = words.is_empty() || words.starts_with("HTTP/");
            while lines && reader.read_line(&mut head).is_ok_and(|n| n > 2) {}
            let _ = (&stream).write_all(words.as_bytes());
        }
    });
    address
}

#[test]
fn failures_of_a_proxy_name_the_proxy() {
    let world = World::new(&recording("v1.36-vanilla"));
    let through = |proxy: &str, address: SocketAddr| {
        let server = format!("server: {}, certificate-authority: ca.crt", world.server.url());
        world.configure_both(&format!("{server}, proxy-url: '{proxy}{address}'"), "");
        let run = world.live(&["chain"]);
        assert!(!run.err.contains("hunter2"), "{}", run.err);
        world.shown(run).showing(&address.to_string(), "PROXY")
    };
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    insta::assert_snapshot!(through("http://me:hunter2@", free), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY cannot be reached: connection refused
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    insta::assert_snapshot!(through("socks5://me:hunter2@", free), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY cannot be reached
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    let asks = sayer("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    insta::assert_snapshot!(through("http://", asks), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY requires a user name and password (407)
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    let fails = sayer("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    insta::assert_snapshot!(through("http://me:hunter2@", fails), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY cannot connect to it
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    insta::assert_snapshot!(through("http://", sayer("")), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY closed the connection
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    insta::assert_snapshot!(through("socks5://", sayer("nonsense")), @"
    2> error: cannot read cluster here (SERVER): its proxy PROXY does not connect to it: failed parsing server response
    2> hint: use --dump or --builtin to run without a cluster
    [exit 3]
    ");
    insta::assert_snapshot!(through("gopher://me:hunter2@", free), @"
    2> error: cannot use cluster here: the kubeconfig's proxy-url is not a valid proxy URL
    [exit 3]
    ");
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
    let unread = run.out.lines().skip_while(|line| *line != "==> b <==");
    let unread: Vec<&str> = unread.take_while(|line| *line != "==> a <==").collect();
    insta::assert_snapshot!(unread.join("\n"), @r#"
    ==> b <==
    error: cannot read cluster b (127.0.0.1:1): connection refused

    ==> c <==
    error: the kubeconfig has no cluster "gone"
    hint: known names: dead, one, two
    "#);
    let headings = run.out.lines().filter(|line| line.starts_with("==> "));
    let out = headings.map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!(Run { out, ..run }, @r#"
    ==> b <==
    ==> c <==
    ==> a <==
    ==> d <==
    2> error: 2 of 4 clusters gave no answer
    [exit 3]
    "#);
}

#[test]
fn without_a_terminal_there_is_no_picker() {
    let world = World::new(&recording("v1.36-vanilla"));
    let other = world.server.clone();
    several(&world, &other);
    insta::assert_snapshot!(world.live(&["chain"]), @"
    2> error: the kubeconfig has several contexts and no current one
    2> hint: select one with --context: a, b, c, d
    [exit 3]
    ");
    insta::assert_snapshot!(world.live(&["chain", "--context", "x"]), @r#"
    2> error: the kubeconfig has no context "x"
    2> hint: known names: a, b, c, d
    [exit 3]
    "#);
}

/// The server responds only after the requests of all contexts arrived. So the requests are sent in
/// parallel, and the answers are printed in order.
#[test]
fn several_clusters_are_read_at_the_same_time() {
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
    // Both sides of a comparison are read in parallel, too.
    world.server.seen();
    world.server.hold(2 * 11);
    let run = world.live(&["diff", "a", "b", "--timeout", "60s"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

/// A cluster that hangs does not delay the others.
#[test]
fn a_cluster_that_hangs_delays_no_other() {
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
    // One after the other would take four times as long.
    assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
    let rows = run.out.lines().take(5);
    let details = run.out.lines().skip_while(|line| *line != "==> s4 <==");
    // Where the lines break depends on the port.
    let details: Vec<&str> = details.take_while(|line| !line.is_empty()).map(str::trim).collect();
    let rows: Vec<&str> = rows.collect();
    let out = format!("{}\n{}\n", rows.join("\n"), details.join(" "));
    let run = Run { out, ..run }.showing(&slow.address.to_string(), "SLOW");
    insta::assert_snapshot!(run, @"
    CONTEXT   STATUS        VERSION   SLOWEST
    s1        unreachable   -         -
    s2        unreachable   -         -
    s3        unreachable   -         -
    s4        unreachable   -         -
    ==> s4 <== error: cannot read cluster s4 (SLOW): no response within 3 s (timeout) hint: allow more time with --timeout, or use --dump or --builtin to run without a cluster
    2> error: 4 of 5 clusters gave no answer
    [exit 3]
    ");
}
