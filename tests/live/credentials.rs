//! Tests credentials: which ones are sent, to which servers, and that they are never shown or
//! stored.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::server::{Authority, Breakage, Seen, Server, Setup};
use crate::world::{PIECE, Run, TOKEN, World, recording, run};

fn world() -> World {
    World::new(&recording("v1.36-vanilla"))
}

/// Runs a command that must succeed. Returns the requests that it sent.
fn sent(world: &World, more: &[&str]) -> Vec<Seen> {
    let mut arguments = vec!["chain"];
    arguments.extend(more);
    let run = world.live(&arguments);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{more:?}");
    let seen = world.server.seen();
    assert!(!seen.is_empty());
    seen
}

fn header<'a>(seen: &'a Seen, name: &str) -> Option<&'a str> {
    seen.headers.get(name).map(|value| value.to_str().unwrap())
}

#[test]
fn tokens_and_passwords() {
    let world = world();
    let check = |user: &str, want: Option<&str>| {
        world.configure(user);
        for seen in sent(&world, &[]) {
            assert_eq!(header(&seen, "authorization"), want, "{user}");
        }
    };
    world.file("token", "from-a-file\n");
    check("", None);
    check("token: t", Some("Bearer t"));
    check("tokenFile: token", Some("Bearer from-a-file"));
    check("token: t, tokenFile: token", Some("Bearer from-a-file"));
    check("token: t, tokenFile: gone", Some("Bearer t"));
    check("username: me, password: pw", Some("Basic bWU6cHc="));
    check("token: t, username: me, password: pw", Some("Bearer t"));
    check("username: '', password: ''", None);
    world.configure("tokenFile: token, exec: {command: gone}");
    assert_eq!(
        header(&sent(&world, &["--token", "flag"])[0], "authorization"),
        Some("Bearer flag")
    );
}

#[test]
fn client_certificates() {
    let world = world();
    let (certificate, key) = world.authority.sign(&["me"], true);
    world.file("me.crt", &certificate);
    world.file("me.key", &key);
    world.configure("client-certificate: me.crt, client-key: me.key");
    assert!(sent(&world, &[]).iter().all(|s| s.certified));
    let data = |text: &str| STANDARD.encode(text);
    world.configure(&format!(
        "client-certificate-data: {}, client-key-data: {}",
        data(&certificate),
        data(&key)
    ));
    assert!(sent(&world, &[]).iter().all(|s| s.certified));
    world.configure("");
    assert!(sent(&world, &[]).iter().all(|s| !s.certified));
    let (stranger, key) = Authority::new("stranger").sign(&["me"], true);
    world.configure(&format!(
        "client-certificate-data: {}, client-key-data: {}",
        data(&stranger),
        data(&key)
    ));
    let run = world.live(&["chain"]);
    assert_eq!(run.code, 3, "{}", run.err);
    // The server's alert may get lost when it closes the connection.
    let told = ["the CA of the client certificate", "not accept the client certificate"];
    assert!(told.iter().any(|words| run.err.contains(words)), "{}", run.err);
}

#[test]
fn impersonation() {
    let world = world();
    world.configure("as: eve, as-groups: [a, b], as-user-extra: {k: [v]}");
    let seen = &sent(&world, &[])[0];
    assert_eq!(
        (header(seen, "impersonate-user"), header(seen, "impersonate-extra-k")),
        (Some("eve"), Some("v"))
    );
    assert_eq!(seen.headers.get_all("impersonate-group").iter().count(), 2);
    let seen = &sent(&world, &["--as", "adam", "--as-group", "c", "--as-uid", "7"])[0];
    assert_eq!(
        (header(seen, "impersonate-user"), header(seen, "impersonate-uid")),
        (Some("adam"), Some("7"))
    );
    assert_eq!(header(seen, "impersonate-group"), Some("c"));
    world.configure("");
    let run = world.live(&["chain", "--as-uid", "7"]);
    assert_eq!(run.code, 2, "{}", run.err);
}

/// Writes a plugin that counts its runs, saves its input, and prints a credential.
fn plugin(world: &World, version: &str, status: &str) {
    let script = format!(
        "echo run >> \"$(dirname \"$0\")/runs\"\necho \"$KUBERNETES_EXEC_INFO\" > \"$(dirname \"$0\")/info\"\n\
         echo \"$1 $WORD\" > \"$(dirname \"$0\")/words\"\n\
         cat <<END\n{{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/{version}\",\"status\":{status}}}\nEND\n"
    );
    world.file("plugin", &script);
}

/// Returns a user with a shell script as plugin. A shell runs it, because a new file cannot always
/// be executed: another test may have forked while it was open.
fn exec(world: &World, version: &str, more: &str) -> String {
    let script = world.directory.path().join("plugin");
    format!(
        "exec: {{apiVersion: client.authentication.k8s.io/{version}, command: /bin/sh, interactiveMode: Never, args: ['{}', one], env: [{{name: WORD, value: two}}]{more}}}",
        script.display()
    )
}

fn runs(world: &World) -> usize {
    let text = std::fs::read_to_string(world.directory.path().join("runs")).unwrap_or_default();
    text.lines().count()
}

#[test]
fn exec_plugins() {
    let world = world();
    for version in ["v1", "v1beta1"] {
        plugin(&world, version, r#"{"token":"from-the-plugin"}"#);
        world.configure(&exec(&world, version, ""));
        assert_eq!(header(&sent(&world, &[])[0], "authorization"), Some("Bearer from-the-plugin"));
        let read = |name: &str| std::fs::read_to_string(world.directory.path().join(name)).unwrap();
        assert_eq!(read("words"), "one two\n");
        let info: serde_json::Value = serde_json::from_str(&read("info")).unwrap();
        assert_eq!(info["apiVersion"], format!("client.authentication.k8s.io/{version}"));
        assert_eq!(info["spec"], serde_json::json!({"interactive": false}));
    }
    let (certificate, key) = world.authority.sign(&["me"], true);
    let status = serde_json::json!({"clientCertificateData": certificate, "clientKeyData": key});
    plugin(&world, "v1", &status.to_string().replace("\\n", "\\\\n"));
    world.configure(&exec(&world, "v1", ", provideClusterInfo: true"));
    assert!(sent(&world, &[]).iter().all(|s| s.certified));
    let info = std::fs::read_to_string(world.directory.path().join("info")).unwrap();
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    assert_eq!(info["spec"]["cluster"]["server"], world.server.url());
    let ca = STANDARD.encode(&world.authority.pem);
    assert_eq!(info["spec"]["cluster"]["certificate-authority-data"], ca);
}

#[test]
fn a_plugin_runs_only_without_other_credentials() {
    let world = world();
    let empty = r#"{"token":"t","clientCertificateData":"","clientKeyData":""}"#;
    plugin(&world, "v1", empty);
    let plugin = exec(&world, "v1", "");
    world.configure(&plugin);
    assert_eq!(header(&sent(&world, &[])[0], "authorization"), Some("Bearer t"));
    let (certificate, key) = world.authority.sign(&["me"], true);
    world.file("me.crt", &certificate);
    world.file("me.key", &key);
    world.configure(&format!("client-certificate: me.crt, client-key: me.key, {plugin}"));
    for seen in sent(&world, &[]) {
        assert!(seen.certified && header(&seen, "authorization").is_none());
    }
    assert_eq!(runs(&world), 1);
}

#[test]
fn a_plugins_credential_is_used_until_it_expires() {
    let world = world();
    plugin(&world, "v1", r#"{"token":"t","expirationTimestamp":"2999-01-01T00:00:00Z"}"#);
    world.configure(&exec(&world, "v1", ""));
    sent(&world, &[]);
    sent(&world, &[]);
    assert_eq!(runs(&world), 1);
    plugin(&world, "v1", r#"{"token":"t","expirationTimestamp":"2001-01-01T00:00:00Z"}"#);
    world.configure(&exec(&world, "v1", ", installHint: other"));
    sent(&world, &[]);
    sent(&world, &[]);
    assert_eq!(runs(&world), 3);
}

#[test]
fn plugins_that_do_not_work() {
    let world = world();
    let ask = |user: &str, timeout: &str| {
        world.configure(user);
        let run = world.live(&["chain", "-v", "--timeout", timeout]);
        assert!(!run.err.contains("hunter2"), "{}", run.err);
        assert!(world.server.seen().is_empty(), "no request is sent without credentials");
        world.shown(run)
    };
    let gone = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./gone, \
                interactiveMode: Never, installHint: brew install it}";
    insta::assert_snapshot!(ask(gone, "20s"), @r#"
    2> error: exec plugin "FOLDER/./gone" was not found
    2> hint: brew install it
    [exit 3]
    "#);
    let script = |text: &str, timeout: &str| {
        world.file("plugin", text);
        ask(&exec(&world, "v1", ""), timeout)
    };
    insta::assert_snapshot!(script("echo hunter2 >&2; exit 7", "20s"), @r#"
    2> error: exec plugin "/bin/sh" failed with exit code 7
    2> hint: run it yourself to see its output
    [exit 3]
    "#);
    insta::assert_snapshot!(script("echo hunter2", "20s"), @r#"
    2> error: exec plugin "/bin/sh" did not print an ExecCredential
    [exit 3]
    "#);
    insta::assert_snapshot!(script("exec sleep 1000", "1s"), @r#"
    2> error: exec plugin "/bin/sh" did not finish within 1 s
    2> hint: allow more time with --timeout
    [exit 3]
    "#);
    insta::assert_snapshot!(script("exec yes hunter2", "20s"), @r#"
    2> error: exec plugin "/bin/sh" printed more than 1 MiB, which is not a credential
    [exit 3]
    "#);
    let key = "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"clientKeyData\":\"hunter2\"}}'";
    insta::assert_snapshot!(script(key, "20s"), @r#"
    2> error: exec plugin "/bin/sh" printed a certificate without its key, or a key without its certificate
    [exit 3]
    "#);
}

/// A daemon started by a plugin keeps its standard output open, which must not delay aggctl.
#[test]
fn processes_of_a_plugin_are_not_waited_for() {
    let world = world();
    plugin(&world, "v1", r#"{"token":"t"}"#);
    let script = std::fs::read_to_string(world.directory.path().join("plugin")).unwrap();
    world.file("plugin", &format!("sleep 60 &\n{script}"));
    world.configure(&exec(&world, "v1", ""));
    let started = std::time::Instant::now();
    assert_eq!(header(&sent(&world, &["--timeout", "40s"])[0], "authorization"), Some("Bearer t"));
    assert!(started.elapsed() < std::time::Duration::from_secs(40));
}

/// As in client-go, a rejected credential may have been revoked, so the plugin runs again.
#[test]
fn a_plugin_runs_again_if_its_credential_is_refused() {
    let world = world();
    let counting = r#"{"token":"t$(wc -l < "$(dirname "$0")/runs" | tr -d ' ')"}"#;
    plugin(&world, "v1", counting);
    world.configure(&exec(&world, "v1", ""));
    world.server.accept_only("t2");
    let run = world.live(&["chain"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(runs(&world), 2);
    let seen = world.server.seen();
    let of = |token: &str| {
        seen.iter()
            .filter(|s| header(s, "authorization") == Some(&format!("Bearer {token}")))
            .count()
    };
    assert_eq!((of("t1"), of("t2")), (4, 4), "each request once with each credential");
    // The accepted credential is reused.
    assert_eq!(world.live(&["chain"]).code, 0);
    assert_eq!(runs(&world), 2);
    world.server.accept_only("another");
    world.server.seen();
    insta::assert_snapshot!(world.shown(world.live(&["chain"])), @"
    2> error: cannot read cluster here (SERVER): the server does not accept the credentials (401): Unauthorized
    2> hint: log in again, or check the user of this context
    [exit 3]
    ");
    assert_eq!(runs(&world), 3, "once, not for ever");
    assert_eq!(world.server.seen().len(), 8);
    // The same credential is not sent a second time.
    plugin(&world, "v1", r#"{"token":"same"}"#);
    world.configure(&exec(&world, "v1", ", installHint: other"));
    assert_eq!(world.live(&["chain"]).code, 3);
    assert_eq!(world.server.seen().len(), 4);
}

/// Clusters that are read at the same time share the credential of their plugin, and its renewal.
#[test]
fn a_plugin_runs_again_once_for_several_clusters() {
    let world = world();
    let counting = r#"{"token":"t$(wc -l < "$(dirname "$0")/runs" | tr -d ' ')"}"#;
    plugin(&world, "v1", counting);
    world.configure(&exec(&world, "v1", ""));
    let config = std::fs::read_to_string(world.kubeconfig()).unwrap();
    let context = |name: &str| format!("{{name: {name}, context: {{cluster: c, user: u}}}}");
    let names = ["here", "there", "elsewhere"];
    let all = names.map(context).join(", ");
    world.file("config", &config.replace(&context("here"), &all));
    world.server.accept_only("t2");
    let run = world.live(&["order", "--all-contexts"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(runs(&world), 2);
}

#[test]
fn credentials_are_not_sent_over_plain_http() {
    let plain = Setup { tls: false, ..Setup::replaying(&recording("v1.36-vanilla").join("dump")) };
    let world = World::with(&plain);
    let address = world.server.address;
    let ask = |url: &str, user: &str, more: &[&str]| {
        world.configure_both(&format!("server: '{url}'"), user);
        let run = world.live(&[&["chain"], more].concat());
        assert_eq!(run.code, 0, "{user} {more:?}: {}", run.err);
        let seen = world.server.seen();
        assert!(seen.iter().all(|s| header(s, "authorization").is_none()), "{user}");
        (run.err, seen)
    };
    let url = format!("http://{address}");
    assert_eq!(ask(&url, "", &[]).0, "");
    insta::assert_snapshot!(ask(&url, "", &["--token", TOKEN]).0, @"warning: the token is not sent: the server is http, not https");
    insta::assert_snapshot!(ask(&format!("http://me:pw@{address}"), "", &[]).0, @"warning: the user name and password are not sent: the server is http, not https");
    // A token in the kubeconfig is normal with `kubectl proxy`, so only -v mentions it.
    assert_eq!(ask(&url, "token: t", &[]).0, "");
    let (err, _) = ask(&url, "token: t", &["-v"]);
    insta::assert_snapshot!(err.lines().next().unwrap(), @"note: the token is not sent: the server is http, not https");
    let (err, seen) = ask(&url, "token: t", &["--as", "eve"]);
    assert_eq!(err, "");
    assert!(seen.iter().any(|s| header(s, "impersonate-user") == Some("eve")));
    // It explains the failure.
    world.server.accept_only("t");
    insta::assert_snapshot!(world.shown(world.live(&["chain"])), @"
    2> error: cannot read cluster here (SERVER): the server does not accept the credentials (401): Unauthorized
    2> hint: the token is not sent: the server is http, not https
    [exit 3]
    ");
}

/// A plugin that is late is killed together with the processes that it started: the end of the last
/// writer ends the pipe.
#[cfg(unix)]
#[test]
fn a_late_plugin_leaves_no_process_behind() {
    let world = world();
    let pipe = world.directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let script = "sleep 100000 > \"$(dirname \"$0\")/pipe\" & wait\n";
    world.file("plugin", script);
    world.configure(&exec(&world, "v1", ""));
    let reading = std::thread::spawn(move || std::fs::read(pipe).unwrap());
    let run = world.live(&["chain", "--timeout", "1s"]);
    assert!(run.err.contains("did not finish within 1 s"), "{}", run.err);
    assert_eq!(reading.join().unwrap(), b"");
}

fn shows_no_secret(run: &Run) {
    for secret in [PIECE, "p4ssw0rd", "cDRzc3cwcmQ", "PRIVATE KEY", "exec-s3cr3t"] {
        assert!(!run.out.contains(secret) && !run.err.contains(secret), "{secret}: {}", run.err);
    }
}

/// The server echoes what it receives. Tests all formats, with -v.
#[test]
fn no_secret_is_ever_shown() {
    let world = world();
    let (certificate, key) = world.authority.sign(&["me"], true);
    let data = |text: &str| STANDARD.encode(text);
    plugin(&world, "v1", r#"{"token":"exec-s3cr3t"}"#);
    let users = [
        format!("token: {TOKEN}"),
        "username: me, password: p4ssw0rd".to_owned(),
        format!(
            "token: {TOKEN}, client-certificate-data: {}, client-key-data: {}",
            data(&certificate),
            data(&key)
        ),
        exec(&world, "v1", ""),
    ];
    for breakage in [Breakage::Echo, Breakage::Status(401), Breakage::Garbage] {
        for user in &users {
            world.configure(user);
            for path in ["/version", "/", "/api/v1/services", "/apis"] {
                world.server.break_at(path, breakage.clone());
            }
            for format in ["table", "wide", "json", "yaml", "jsonl", "name"] {
                shows_no_secret(&world.live(&["route", "/api/v1/pods", "-v", "-o", format]));
                shows_no_secret(&world.live(&["apiservices", "-v", "-o", format]));
            }
        }
    }
    for broken in [
        "token: [TOKEN]",
        "client-key-data: TOKEN, client-certificate-data: TOKEN",
        "token: \"TOKEN\\n\"",
        "exec: TOKEN",
    ] {
        world.configure(&broken.replace("TOKEN", TOKEN));
        let run = world.live(&["chain", "-v"]);
        assert_eq!(run.code, 3, "{broken}: {}", run.err);
        shows_no_secret(&run);
    }
    world.configure_both(
        &format!(
            "server: 'https://me:p4ssw0rd@{}', certificate-authority: ca.crt",
            world.server.address
        ),
        "",
    );
    world.server.mend();
    world.server.seen();
    let run = world.live(&["chain", "-v"]);
    assert_eq!(run.code, 0, "{}", run.err);
    shows_no_secret(&run);
    assert!(header(&world.server.seen()[0], "authorization").unwrap().starts_with("Basic "));
}

/// Returns the contents of all files in a directory.
fn contents(directory: &std::path::Path) -> String {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()).collect()
}

/// A server that echoes credentials cannot get them into a dump.
#[test]
fn no_secret_is_ever_kept() {
    let world = world();
    plugin(&world, "v1", r#"{"token":"exec-s3cr3t"}"#);
    let address = world.server.address;
    let with =
        |name: &str| format!("server: 'https://{name}{address}', certificate-authority: ca.crt");
    let users = [
        (with(""), format!("token: {TOKEN}")),
        (with(""), exec(&world, "v1", "")),
        (with("me:p4ssw0rd@"), String::new()),
    ];
    for path in ["/version", "/api/v1/services", "/openapi/v3", "/apis/batch/v1"] {
        world.server.break_at(path, Breakage::Echo);
    }
    for (index, (cluster, user)) in users.iter().enumerate() {
        world.configure_both(cluster, user);
        let to = world.directory.path().join(format!("dump-{index}"));
        let run = world.live(&["dump", to.to_str().unwrap(), "-v"]);
        assert_eq!(run.code, 0, "{}", run.err);
        shows_no_secret(&run);
        let kept = contents(&to);
        assert!(kept.contains("you sent") && kept.contains("[secret]"), "the server did repeat it");
        shows_no_secret(&Run { out: kept, ..run });
    }
}

/// A server that repeats credentials inside of its documents brings them neither into output nor
/// into a dump.
#[test]
fn no_secret_comes_back_in_a_document() {
    let world = World::new(&recording("v1.36-mixed"));
    let services = "/apis/apiregistration.k8s.io/v1/apiservices";
    for path in ["/version", services, "/api/v1/services", "/apis", "/openapi/v3"] {
        world.server.break_at(path, Breakage::Repeat);
    }
    for user in [format!("token: {TOKEN}"), "username: me, password: p4ssw0rd".to_owned()] {
        world.configure(&user);
        for command in ["apiservices", "doctor", "version", "chain", "conflicts", "discovery"] {
            for format in ["table", "json"] {
                let run = world.live(&[command, "-v", "-o", format]);
                assert!(run.code < 2, "{command}: {}", run.err);
                shows_no_secret(&run);
            }
        }
        let to = world.directory.path().join("dump");
        let run = world.live(&["dump", to.to_str().unwrap(), "-v", "--force"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let kept = contents(&to);
        assert!(kept.contains("[secret]"), "the server did repeat it");
        shows_no_secret(&Run { out: kept, ..run });
    }
}

/// No error about a URL shows its password.
#[test]
fn passwords_in_urls_are_not_shown() {
    let world = world();
    let address = world.server.address;
    let ca = world.directory.path().join("ca.crt");
    let ca = ["--certificate-authority", ca.to_str().unwrap()];
    let free = "127.0.0.1:1";
    for server in [
        format!("https://me:p4ssw0rd@{address}"),
        format!("http://me:p4ssw0rd@{address}"),
        format!("me:p4ssw0rd@{address}"),
        format!("https://me:p4ssw0rd@{free}"),
        "https://me:p4ssw0rd@".to_owned(),
        "https://me:p4ssw0rd@[::1".to_owned(),
        "ftp://me:p4ssw0rd@x".to_owned(),
        "https://me:p4ssw0rd@no.such.host.invalid".to_owned(),
    ] {
        for format in ["table", "json"] {
            let flags = ["chain", "-v", "-o", format, "--server", &server];
            shows_no_secret(&run(&[&flags[..], &ca].concat()));
        }
        shows_no_secret(&run(&[&["doctor", "-v", "--server", &server][..], &ca].concat()));
        world.configure_both(&format!("server: '{server}'"), "");
        shows_no_secret(&world.live(&["chain", "-v"]));
        shows_no_secret(&world.live(&["chain", "-v", "--all-contexts"]));
    }
    for proxy in [
        format!("http://me:p4ssw0rd@{free}"),
        format!("https://me:p4ssw0rd@{free}"),
        format!("socks5://me:p4ssw0rd@{free}"),
        format!("https://me:p4ssw0rd@{address}"),
        "me:p4ssw0rd@".to_owned(),
        "ftp://me:p4ssw0rd@x".to_owned(),
    ] {
        let cluster = format!("server: {}, certificate-authority: ca.crt", world.server.url());
        world.configure_both(&format!("{cluster}, proxy-url: '{proxy}'"), "");
        let failed = world.live(&["chain", "-v"]);
        assert_eq!(failed.code, 3, "{}", failed.err);
        shows_no_secret(&failed);
    }
}

#[test]
fn redirects_are_not_followed() {
    let world = world();
    let other = Server::start(
        &world.authority,
        &Setup::replaying(&recording("v1.36-vanilla").join("dump")),
    );
    for path in ["/version", "/", "/apis/apiregistration.k8s.io/v1/apiservices"] {
        world.server.break_at(path, Breakage::Redirect(format!("{}{path}", other.url())));
    }
    let run = world.live(&["chain"]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.err.replace(&other.address.to_string(), "OTHER"), @"
    warning: could not read the server's version: the server redirects to OTHER; aggctl does not follow redirects
    warning: could not read the path list /: the server redirects to OTHER; aggctl does not follow redirects
    warning: could not read APIServices: the server redirects to OTHER; aggctl does not follow redirects
    ");
    assert_eq!(other.connections(), 0);
}
