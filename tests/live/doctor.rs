//! `aggctl doctor` on a live cluster.

use crate::equality::{without_footer, without_source};
use crate::server::Breakage;
use crate::world::{World, for_each_recording, recording, run};

#[test]
fn live_diagnoses_equal_those_on_the_dump() {
    for_each_recording(|world, _| {
        // The recorder kept answers only; why there was none is not in the dump.
        if !has_every_list(&world.dump) {
            return;
        }
        for more in [&[][..], &["-o", "wide"], &["-o", "name"]] {
            let arguments = [&["doctor", "--now", "2026-11-16T12:00:00Z"], more].concat();
            let (live, offline) = (world.live(&arguments), world.offline(&arguments));
            // The recordings have no Namespaces; a cluster does.
            let kept = |text: &str| {
                let lines = text.lines().filter(|line| !line.contains("· the namespace "));
                lines.collect::<Vec<_>>().join("\n")
            };
            assert_eq!((live.code, live.err), (offline.code, offline.err));
            let named = |text: &str| kept(without_footer(&without_source(text, world)));
            assert_eq!(named(&live.out), named(&offline.out));
        }
    });
}

/// Whether a recording has the APIResourceList of all that lead to Services and are available.
fn has_every_list(dump: &std::path::Path) -> bool {
    let text = std::fs::read_to_string(dump.join("apiservices.json")).unwrap();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    list["items"].as_array().unwrap().iter().all(|item| {
        let conditions = item["status"]["conditions"].as_array().into_iter().flatten();
        let mut available = conditions.filter(|c| c["type"] == "Available");
        let spec = &item["spec"];
        let word = |key: &str| spec[key].as_str().unwrap_or_default();
        let file = format!("apis_{}_{}.json", word("group"), word("version"));
        !spec["service"].is_object()
            || available.all(|c| c["status"] != "True")
            || dump.join(file).exists()
    })
}

/// The condition says nothing of TLS before 1.36, and never of what the body is: what comes when
/// the document is asked for does, live and in a dump.
#[test]
fn what_answers_counts_for_more_than_the_condition() {
    let unknown = "error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown authority";
    let refused =
        "error trying to reach service: dial tcp 10.0.0.9:443: connect: connection refused";
    let check = |breakage: Option<Breakage>, verdict: &str, link: Option<&str>, words: &str| {
        let world = World::new(&recording("v1.25-mixed"));
        if let Some(breakage) = breakage {
            world.server.break_at("/apis/wardle.example.com/v1beta1", breakage);
        }
        let question = ["doctor", "v1beta1.wardle.example.com", "-o", "json", "--fail-on", "never"];
        let live = world.live(&[&question[..], &["--request-timeout", "2s"]].concat());
        let place = world.directory.path().join("dumped");
        let place = place.to_str().unwrap();
        let dumped = ["dump", place, "--for", "doctor", "--request-timeout", "2s"];
        assert_eq!(world.live(&dumped).code, 0);
        let offline = run(&[&question[..], &["--dump", place]].concat());
        for run in [live, offline] {
            let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
            let one = &json["items"][0];
            assert_eq!(one["verdict"], verdict, "{words}: {one:#}");
            assert_eq!(one["brokenLink"].as_str(), link, "{words}: {one:#}");
            assert!(one.to_string().contains(words), "{words}: {one:#}");
            let proven = one["findings"].to_string();
            assert!(link != Some("tls") || !proven.contains("tls-not-checked"), "{proven}");
        }
    };
    let broken = |breakage, link, words| check(Some(breakage), "broken", Some(link), words);
    std::thread::scope(|scope| {
        scope.spawn(|| check(None, "healthy", None, "answers discovery with "));
        scope.spawn(|| broken(Breakage::Plain(503, unknown), "tls", "not signed by a CA that"));
        scope.spawn(|| broken(Breakage::Plain(503, unknown), "tls", "does not verify TLS"));
        scope.spawn(|| broken(Breakage::Plain(503, refused), "address", "nothing listens"));
        scope.spawn(|| broken(Breakage::Status(503), "discovery", "the server answers 503"));
        scope.spawn(|| broken(Breakage::WrongType, "discovery", "text/html, not JSON"));
        scope.spawn(|| broken(Breakage::WrongType, "discovery", "does not read it"));
        scope.spawn(|| broken(Breakage::Garbage, "discovery", "not with a discovery document"));
        scope.spawn(|| broken(Breakage::OtherKind, "discovery", "v1 Pod"));
        scope.spawn(|| check(Some(Breakage::Hang), "warning", None, "no answer came in time"));
        // Who may not look knows nothing more than the condition says.
        scope.spawn(|| check(Some(Breakage::Status(403)), "healthy", None, "answers discovery"));
    });
}

/// Only servers that look at Endpoints are asked for them.
#[test]
fn endpoints_are_asked_of_old_servers_only() {
    for (name, asked) in [("v1.25-mixed", true), ("v1.33-vanilla", true), ("v1.36-mixed", false)] {
        let world = World::new(&recording(name));
        world.live(&["doctor"]);
        assert_eq!(
            world.server.seen().iter().any(|s| s.path == "/api/v1/endpoints"),
            asked,
            "{name}"
        );
    }
}

#[test]
fn only_what_a_diagnosis_needs_is_asked_for() {
    let world = World::new(&recording("v1.36-mixed"));
    world.live(&["doctor"]);
    let seen = world.server.seen();
    assert!(seen.iter().all(|s| s.method == "GET"));
    let mut paths: Vec<&str> = seen.iter().map(|s| s.path.as_str()).collect();
    paths.sort_unstable();
    // Those that lead to Services and are available are asked what they answer.
    let (lists, paths): (Vec<&str>, Vec<&str>) = paths
        .into_iter()
        .partition(|path| path.split('/').count() == 4 && path.starts_with("/apis/"));
    assert!(lists.contains(&"/apis/wardle.example.com/v1beta1"), "{lists:?}");
    assert!(!lists.contains(&"/apis/apps/v1"), "{lists:?}");
    assert_eq!(
        paths,
        [
            "/",
            "/api/v1/namespaces",
            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication",
            "/api/v1/namespaces/kube-system/pods",
            "/api/v1/services",
            "/apis",
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            "/apis/apiregistration.k8s.io/v1/apiservices",
            "/apis/discovery.k8s.io/v1/endpointslices",
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            "/apis/rbac.authorization.k8s.io/v1/rolebindings",
            "/apis/rbac.authorization.k8s.io/v1/roles",
            "/flagz",
            "/openapi/v3",
            "/openapi/v3/apis/edge.net/v1",
            "/version",
        ]
    );
}

#[test]
fn waiting_ends_at_once_or_in_time() {
    let world = World::new(&recording("v1.36-mixed"));
    let run = |name: &str, timeout: &str| {
        world.live(&[
            "doctor",
            name,
            "--wait-for",
            "available",
            "--timeout",
            timeout,
            "--interval",
            "50ms",
        ])
    };
    let json = world.offline(&["apiservices", "-o", "json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let with = |available: &str| {
        let items = json["items"].as_array().unwrap();
        let item = items.iter().find(|i| !i["service"].is_null() && i["available"] == available);
        item.unwrap()["name"].as_str().unwrap().to_owned()
    };
    let name = with("True");
    let (up, down) = (run(&name, "20s"), run(&with("False"), "3s"));
    assert_eq!((up.code, up.out), (0, format!("available: {name}\n")), "{}", up.err);
    assert_eq!(down.code, 1, "{}", down.err);
    assert!(down.out.starts_with("not available after 3s:\n"), "{}", down.out);
}

/// "Could not look" is not "all are available".
#[test]
fn waiting_for_what_cannot_be_read_is_no_success() {
    let path = "/apis/apiregistration.k8s.io/v1/apiservices";
    let check = |names: &[&str], breakage: Breakage, want: &str| {
        let world = World::new(&recording("v1.36-mixed"));
        world.server.break_at(path, breakage);
        let wait = ["doctor", "--wait-for", "available", "--timeout", "3s", "--interval", "500ms"];
        let run = world.live(&[&wait, names].concat());
        assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
        assert!(run.err.contains(want), "{want} is not in {}", run.err);
    };
    let forbidden = "error: nothing to diagnose: APIServices may not be read (forbidden (403)";
    let failed = "cannot read APIServices of cluster here";
    let none = "error: nothing to diagnose: the source has no APIServices";
    // All of it is waiting, and that can be done at the same time.
    std::thread::scope(|scope| {
        scope.spawn(|| check(&[], Breakage::Status(403), forbidden));
        scope.spawn(|| check(&["v1.apps"], Breakage::Status(403), forbidden));
        scope.spawn(|| check(&[], Breakage::Status(500), failed));
        scope.spawn(|| check(&[], Breakage::Empty("APIServiceList"), none));
    });
}
