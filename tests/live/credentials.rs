//! Who aggctl says it is, and to whom.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::server::{Authority, Breakage, Seen, Server, Setup};
use crate::world::{PIECE, Run, TOKEN, World, recording, run};

fn world() -> World {
    World::new(&recording("v1.36-vanilla"))
}

/// Runs a command that must work, and gives the requests that it sent.
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
    // It depends on who is quicker whether the server's words arrive, or only that it hung up.
    let said = "it does not know who signed the client certificate";
    let told = [said, "it may not accept the client certificate"];
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

/// A plugin that counts its runs, keeps what it was told, and prints a credential.
fn plugin(world: &World, version: &str, status: &str) {
    let script = format!(
        "echo run >> \"$(dirname \"$0\")/runs\"\necho \"$KUBERNETES_EXEC_INFO\" > \"$(dirname \"$0\")/info\"\n\
         echo \"$1 $WORD\" > \"$(dirname \"$0\")/words\"\n\
         cat <<END\n{{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/{version}\",\"status\":{status}}}\nEND\n"
    );
    world.file("plugin", &script);
}

/// A user whose plugin is a script. A shell reads it: what was only just written cannot always be
/// executed, since another test may have forked while it was open.
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
fn a_plugin_is_asked_only_where_nothing_else_tells_who_it_is() {
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
fn what_a_plugin_said_holds_until_it_expires() {
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
    let check = |user: &str, timeout: &str, want: &str| {
        world.configure(user);
        let run = world.live(&["chain", "-v", "--timeout", timeout]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(run.err.contains(want), "{want} is not in {}", run.err);
        assert!(!run.err.contains("hunter2"), "{}", run.err);
        assert!(world.server.seen().is_empty(), "nobody is asked without credentials");
    };
    let gone = "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./gone, \
                interactiveMode: Never, installHint: brew install it}";
    check(gone, "20s", "hint: brew install it");
    let script = |text: &str, timeout: &str, want: &str| {
        world.file("plugin", text);
        check(&exec(&world, "v1", ""), timeout, want);
    };
    script("echo hunter2 >&2; exit 7", "20s", "failed with exit code 7");
    script("echo hunter2", "20s", "did not print an ExecCredential");
    script("exec sleep 1000", "1s", "gave no answer within 1 s");
    script("exec yes hunter2", "20s", "printed more than 1 MiB, which is not a credential");
    script(
        "echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"clientKeyData\":\"hunter2\"}}'",
        "20s",
        "a key without its certificate",
    );
}

/// A daemon that a plugin leaves behind holds its standard output, and keeps nobody waiting.
#[test]
fn what_a_plugin_starts_is_not_waited_for() {
    let world = world();
    plugin(&world, "v1", r#"{"token":"t"}"#);
    let script = std::fs::read_to_string(world.directory.path().join("plugin")).unwrap();
    world.file("plugin", &format!("sleep 60 &\n{script}"));
    world.configure(&exec(&world, "v1", ""));
    let started = std::time::Instant::now();
    assert_eq!(header(&sent(&world, &["--timeout", "40s"])[0], "authorization"), Some("Bearer t"));
    assert!(started.elapsed() < std::time::Duration::from_secs(40));
}

/// As with client-go: what is not accepted may have been revoked, and the plugin is asked again.
#[test]
fn a_plugin_is_asked_once_more_where_its_credential_is_refused() {
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
    // What was accepted holds.
    assert_eq!(world.live(&["chain"]).code, 0);
    assert_eq!(runs(&world), 2);
    world.server.accept_only("nobody's");
    world.server.seen();
    let run = world.live(&["chain"]);
    assert_eq!(run.code, 3);
    assert!(run.err.contains("does not accept the credentials (401)"), "{}", run.err);
    assert_eq!(runs(&world), 3, "once, and not for ever");
    assert_eq!(world.server.seen().len(), 8);
    // One that has nothing new to say is not repeated to the server.
    plugin(&world, "v1", r#"{"token":"same"}"#);
    world.configure(&exec(&world, "v1", ", installHint: other"));
    assert_eq!(world.live(&["chain"]).code, 3);
    assert_eq!(world.server.seen().len(), 4);
}

/// Clusters that are asked at once share what their plugin says, also the second time.
#[test]
fn a_plugin_of_several_clusters_is_asked_once_more_for_all() {
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
fn over_plain_http_nobody_proves_anything_and_that_is_said() {
    let plain = Setup { tls: false, ..Setup::replaying(&recording("v1.36-vanilla").join("dump")) };
    let world = World::with(&plain);
    let address = world.server.address;
    let check = |url: &str, user: &str, more: &[&str], want: &str| {
        world.configure_both(&format!("server: '{url}'"), user);
        let run = world.live(&[&["chain"], more].concat());
        assert_eq!((run.code, run.err.as_str()), (0, want), "{user} {more:?}");
        let seen = world.server.seen();
        assert!(seen.iter().all(|s| header(s, "authorization").is_none()), "{user}");
        seen
    };
    let url = format!("http://{address}");
    let warning = |what: &str| format!("warning: {what} not sent: the server is http, not https\n");
    check(&url, "", &[], "");
    check(&url, "", &["--token", TOKEN], &warning("the token is"));
    check(&format!("http://me:pw@{address}"), "", &[], &warning("the user name and password are"));
    // As with kubectl's proxy, where that is meant: said to who asks.
    check(&url, "token: t", &[], "");
    let run = world.live(&["chain", "-v"]);
    assert!(run.err.contains("note: the token is not sent"), "{}", run.err);
    let seen = check(&url, "token: t", &["--as", "eve"], "");
    assert!(seen.iter().any(|s| header(s, "impersonate-user") == Some("eve")));
    // Where nothing can be read, it explains why.
    world.server.accept_only("t");
    let run = world.live(&["chain"]);
    assert_eq!(run.code, 3);
    assert!(
        run.err.ends_with("hint: the token is not sent: the server is http, not https\n"),
        "{}",
        run.err
    );
}

fn shows_no_secret(run: &Run) {
    for secret in [PIECE, "p4ssw0rd", "cDRzc3cwcmQ", "PRIVATE KEY", "exec-s3cr3t"] {
        assert!(!run.out.contains(secret) && !run.err.contains(secret), "{secret}: {}", run.err);
    }
}

/// A server that repeats what it was sent, at the highest verbosity, in every format.
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

/// Everything in a directory, as text.
fn contents(directory: &std::path::Path) -> String {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()).collect()
}

/// A server that repeats credentials cannot bring them into a dump, nor can what people annotate.
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

/// Whatever goes wrong with a URL that has a password in it, the password is not part of the story.
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
fn a_redirect_takes_nothing_elsewhere() {
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
    assert!(
        run.err
            .contains(&format!("the server redirects to {}, which is not followed", other.address)),
        "{}",
        run.err
    );
    assert_eq!(other.connections(), 0);
}
