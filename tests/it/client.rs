//! Tests what aggctl makes of kubectl's cache: `client`, and the verdicts of `explain`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::{Run, repository, run};

/// A copy of the example cache, which was written when `carts` were `v1beta1`.
struct Cache(TempDir);

impl Cache {
    fn new() -> Self {
        let cache = Self(TempDir::new().unwrap());
        copy(&repository("examples/kubectl-cache"), cache.0.path());
        cache
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("discovery/10.0.0.1_6443").join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs a command on the sample cluster with this cache.
    fn run(&self, arguments: &[&str]) -> Run {
        let more = ["--dump", "examples/cluster", "--cache-dir", self.0.path().to_str().unwrap()];
        let run = run(&[arguments, &more].concat());
        let named = |text: &str| text.replace(self.0.path().to_str().unwrap(), "CACHE");
        Run { out: named(&run.out), err: named(&run.err), ..run }
    }

    /// Returns who is to blame for the first thing that a text reports as missing.
    fn blame(&self, text: &str) -> (String, String) {
        let run = self.run(&["explain", text, "-o", "json"]);
        let verdict = run.json()["clientCache"]["verdicts"][0].clone();
        let word = |key: &str| verdict[key].as_str().unwrap_or_default().to_owned();
        (word("blame"), word("message"))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap().path();
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            // A copy of the content is as old as this test.
            fs::write(&target, fs::read(&entry).unwrap()).unwrap();
        }
    }
}

#[test]
fn explain_names_the_cache_the_server_or_the_name() {
    let cache = Cache::new();
    let deleted = r#"{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"policy/v1",
        "resources":[{"name":"rules","singularName":"rule","namespaced":true,"kind":"Rule","verbs":["get"]}]}"#;
    cache.write("policy/v1/serverresources.json", deleted);
    for (text, want, says) in [
        (
            r#"Unable to list "shop.example/v1beta1, Resource=carts": the server could not find the requested resource (get carts.shop.example)"#,
            "cache",
            "says carts (shop.example/v1beta1); the server says carts (shop.example/v1).",
        ),
        (
            r#"no matches for kind "Cart" in version "shop.example/v1beta1""#,
            "server",
            "It does not serve shop.example/v1beta1 anymore.",
        ),
        (
            r#"error: the server doesn't have a resource type "rules""#,
            "server",
            "It serves policy/v1, but not rules anymore.",
        ),
        (
            r#"no matches for kind "Cart" in version "shop.example/v7""#,
            "name",
            "The server has Cart in shop.example/v1.",
        ),
        (
            r#"error: the server doesn't have a resource type "deploymnts" in group "apps""#,
            "name",
            "Did you mean deployments?",
        ),
        (
            r#"error: the server doesn't have a resource type "products""#,
            "neither",
            "run the command again.",
        ),
        (
            "couldn't get resource list for inventory.shop.example/v1: the server is currently unable to handle the request",
            "server",
            "inventory.shop.example/v1",
        ),
        (
            "unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is currently unable to handle the request",
            "neither",
            "the failure has passed",
        ),
        (
            r#"error: the server doesn't have a resource type "cartz""#,
            "unknown",
            "Did you mean carts?",
        ),
    ] {
        let (blame, message) = cache.blame(text);
        assert_eq!(blame, want, "{text}: {message}");
        assert!(message.contains(says), "{text}: {message}");
    }
}

#[test]
fn a_verdict_fits_between_meaning_and_causes() {
    let cache = Cache::new();
    let old = SystemTime::now() - Duration::from_secs(4 * 60 + 5);
    let groups = fs::File::options().write(true).open(cache.path("servergroups.json")).unwrap();
    groups.set_modified(old).unwrap();
    let text = "the server could not find the requested resource (get carts.shop.example)";
    let run = cache.run(&["explain", text]);
    let from = run.out.find("  verdict").unwrap();
    let to = run.out.find("\n\nLikely causes").unwrap();
    let want = [
        "  verdict    carts.shop.example: kubectl's cache is the reason. It is 4 min old",
        "             and says carts (shop.example/v1beta1); the server says carts",
        "             (shop.example/v1).",
        "  fix        kubectl api-resources refreshes the cache",
    ];
    assert_eq!(run.out[from..to].lines().collect::<Vec<_>>(), want);
    assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
}

/// A dump is not the cluster of the user's kubectl.
#[test]
fn without_a_cache_there_is_no_verdict() {
    let text = r#"error: the server doesn't have a resource type "carts""#;
    let plain = run(&["explain", text, "--dump", "examples/cluster", "-o", "json"]);
    assert!(plain.json().get("clientCache").is_none());
    let elsewhere = Cache::new().run(&["explain", "MissingEndpoints", "-o", "json"]);
    assert!(elsewhere.json().get("clientCache").is_none());
    let empty = TempDir::new().unwrap();
    let path = empty.path().to_str().unwrap();
    let run = run(&["explain", text, "--dump", "examples/cluster", "--cache-dir", path]);
    assert!(!run.out.contains("verdict"), "{}", run.out);
    assert_eq!(run.err, format!("warning: {path} has no cache of this API server\n"));
}

#[test]
fn each_bad_file_is_one_line_and_skipped() {
    let cache = Cache::new();
    let groups = fs::read(cache.path("servergroups.json")).unwrap();
    cache.write("servergroups.json", &groups[..100]);
    cache.write("apps/v1/serverresources.json", "<html>\u{1b}[31m</html>");
    cache.write("v1/serverresources.json", vec![b' '; (16 << 20) + 1]);
    cache.write("notes.txt", "x");
    // kubectl leaves these behind if it is interrupted.
    cache.write("servergroups.json.4711", "half");
    // The cache of a server whose address has a path is below that of its host.
    cache.write("k8s/clusters/a/shop.example/v1/serverresources.json", "{");
    let text = r#"error: the server doesn't have a resource type "cartz""#;
    for arguments in [&["client", "carts"][..], &["explain", text]] {
        let run = cache.run(arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        insta::allow_duplicates! {
            insta::assert_snapshot!(run.err, @"
            warning: CACHE/discovery/10.0.0.1_6443/apps/v1/serverresources.json is not a discovery document; kubectl asks the server instead
            warning: CACHE/discovery/10.0.0.1_6443/notes.txt is not a file of kubectl; it is ignored
            warning: CACHE/discovery/10.0.0.1_6443/servergroups.json is not a discovery document; kubectl asks the server instead
            warning: cannot read CACHE/discovery/10.0.0.1_6443/v1/serverresources.json: is larger than 16 MiB
            ");
        }
    }
}

#[test]
fn many_bad_files_do_not_hide_the_answer() {
    let cache = Cache::new();
    for number in 0..200 {
        cache.write(&format!("g{number}.example/v1/serverresources.json"), "<html>");
    }
    let run = cache.run(&["client", "carts"]);
    assert_eq!(run.err.lines().count(), 6, "{}", run.err);
    assert!(run.err.ends_with("195 more files of the cache are not used (-v lists them)\n"));
    assert_eq!(cache.run(&["client", "carts", "-v"]).err.matches("warning:").count(), 200);
}

#[test]
fn client_suggests_what_the_server_has() {
    let cache = Cache::new();
    let hint = |arguments: &[&str]| {
        let run = cache.run(&[&["client"], arguments].concat());
        assert_eq!(run.code, 0);
        assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
        let lines = run.out.lines().filter(|line| line.starts_with("  hint"));
        lines.map(|line| line.trim_start_matches("  hint").trim().to_owned()).collect::<String>()
    };
    assert_eq!(hint(&["cartz"]), "Did you mean carts?");
    assert_eq!(hint(&["carts.apps"]), "The server has carts in shop.example/v1.");
    assert_eq!(hint(&["carts"]), "");
    assert_eq!(hint(&["po/a", "svc"]), "");
    let run = cache.run(&["client", "cartz", "-o", "json"]);
    assert_eq!(run.json()["didYouMean"], "carts");
}

/// Objects of the cluster are requested without a namespace, whatever -n says.
#[test]
fn requests_follow_the_scope_of_a_resource() {
    for (arguments, want) in [
        ("nodes -n x", "/api/v1/nodes"),
        ("po -n x", "/api/v1/namespaces/x/pods"),
        ("po -A", "/api/v1/pods"),
        ("po a b -n x", "/api/v1/namespaces/x/pods/a /api/v1/namespaces/x/pods/b"),
        ("po,svc a", "/api/v1/namespaces/default/pods/a /api/v1/namespaces/default/services/a"),
        ("po/a node/b", "/api/v1/namespaces/default/pods/a /api/v1/nodes/b"),
        ("po a -A", ""),
        ("po svc/a", ""),
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let more = ["-o", "name", "--dump", "examples/cluster"];
        let run = run(&[&["client"], &words[..], &more].concat());
        assert_eq!(run.out.lines().collect::<Vec<_>>().join(" "), want, "{arguments}");
    }
}

#[test]
fn validation_reads_the_documents_of_the_release() {
    for (version, want) in [
        ("1.26", "kubectl reads /openapi/v2 first,"),
        ("1.28", "kubectl reads /openapi/v2 and /openapi/v3 first,"),
        ("1.29", "kubectl reads /openapi/v3 (and /openapi/v2 if that fails) first,"),
    ] {
        let manifest = ["client", "--manifest", "examples/manifests/cart.yaml"];
        let more = ["--kubectl-version", version, "--dump", "examples/cluster"];
        let out = run(&[&manifest[..], &more].concat()).out;
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(want), "{version}: {out}");
    }
}
