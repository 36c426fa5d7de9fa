//! Compares `aggctl upgrade` with recordings of the newer servers.

use kube_aggregation::model::{GroupVersion, Snapshot};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Outcome, Router, Target};
use kube_aggregation::upgrade::{What, upgrade};

use crate::{Place, dump, load, recordings, run, run_on, session};

fn plain_servers() -> Vec<Snapshot> {
    let all = recordings().into_iter().filter(|r| r.to_str().unwrap().ends_with("-vanilla"));
    all.map(|recording| load(&recording)).collect()
}

/// Returns the outcome of a GET for a resource, or for a subresource of an object.
fn ends(router: &Router<'_>, gv: &GroupVersion, resource: &str) -> Outcome {
    let root = gv.root_path();
    let snapshot = router.registry().snapshot;
    let lists = snapshot.resource_lists.get(gv).into_iter().flatten();
    let namespaced = lists.filter(|r| r.name == resource).any(|r| r.namespaced);
    let within = if namespaced { "/namespaces/x" } else { "" };
    let path = match resource.split_once('/') {
        Some((parent, sub)) => format!("{root}{within}/{parent}/x/{sub}"),
        None => format!("{root}/{resource}"),
    };
    router.route(&Target::parse(Method::Get, &path).unwrap()).outcome
}

/// For every two built-in versions, what is removed is 404 in the newer recording, and what is new
/// is served.
#[test]
fn removed_is_not_found_and_new_is_served() {
    let servers = plain_servers();
    let (mut gone, mut new) = (0, 0);
    for (index, older) in servers.iter().enumerate() {
        for newer in &servers[index + 1..] {
            let (from, to) = (older.minor().unwrap(), newer.minor().unwrap());
            let registry = Registry::new(newer);
            let router = Router::new(&registry);
            let found = upgrade(older, from, to);
            assert_eq!(found.assumptions, [], "{from} to {to}");
            let mut listed = std::collections::BTreeSet::new();
            for finding in found.findings {
                assert!(finding.since.is_none_or(|since| from < since && since <= to));
                match finding.what {
                    What::Gone { gv, resources, .. } => {
                        for resource in resources {
                            let outcome = ends(&router, &gv, &resource);
                            assert_eq!(
                                outcome,
                                Outcome::NotFound,
                                "{from} to {to}: {gv} {resource}"
                            );
                            gone += 1;
                        }
                    }
                    What::New { gv, resources, .. } => {
                        for resource in resources {
                            let outcome = ends(&router, &gv, &resource);
                            let there =
                                matches!(outcome, Outcome::Served | Outcome::MethodNotAllowed);
                            assert!(there, "{from} to {to}: {gv} {resource}: {outcome:?}");
                            let before = older.resource_lists.get(&gv).into_iter().flatten();
                            assert!(before.into_iter().all(|r| r.name != resource));
                            listed.insert((gv.clone(), resource));
                            new += 1;
                        }
                    }
                    What::Preferred { .. } => {}
                    other => panic!("{from} to {to}: {other:?}"),
                }
            }
            // The findings are complete.
            for (gv, list) in &newer.resource_lists {
                for resource in list {
                    let old = older.resource_lists.get(gv).into_iter().flatten();
                    let known = old.into_iter().any(|r| r.name == resource.name);
                    let told = listed.contains(&(gv.clone(), resource.name.clone()));
                    assert_eq!(told, !known, "{from} to {to}: {gv} {}", resource.name);
                }
            }
        }
    }
    assert!(gone > 100 && new > 300, "{gone} {new}");
}

#[test]
fn the_worst_comes_first() {
    let ask = |format: &[&str]| {
        run_on(&dump("v1.25-mixed"), &[&["upgrade", "--to", "1.37"], format].concat())
    };
    let text = ask(&[]);
    assert!(text.out.lines().skip(1).all(|line| line.chars().count() <= 80), "{}", text.out);
    insta::assert_snapshot!("upgrade", text);
    let answer = ask(&["-o", "json"]).json();
    assert_eq!((&answer["from"], &answer["to"]), (&"1.25".into(), &"1.37".into()));
    assert_eq!(answer["findings"][0]["weight"], "breaks");
    let tls = answer["findings"].as_array().unwrap().iter().find(|f| f["code"] == "tls-verified");
    assert_eq!(tls.unwrap()["since"], "1.36");
    insta::assert_snapshot!("upgrade_markdown", ask(&["-o", "markdown"]));
}

#[test]
fn exit_codes_are_for_pipelines() {
    let code = |arguments: &[&str]| run(&[&["upgrade"], arguments].concat()).code;
    assert_eq!(code(&["--to", "1.37", "--builtin", "1.33"]), 0);
    assert_eq!(code(&["--to", "1.32", "--builtin", "1.31"]), 1);
    assert_eq!(code(&["--to", "1.32", "--builtin", "1.31", "--fail-on", "never"]), 0);
    assert_eq!(code(&["--to", "1.29", "--builtin", "1.28", "--fail-on", "changes"]), 1);
    assert_eq!(code(&["--to", "1.34", "--builtin", "1.34", "--fail-on", "changes"]), 0);
}

/// An unknown version is an error, not "no changes".
#[test]
fn what_cannot_be_compared_is_refused() {
    insta::assert_snapshot!(session(run, [
        "upgrade --to 1.99 --builtin 1.33",
        "upgrade --to 1.33 --builtin 1.36",
        "upgrade --to soon --builtin",
        "upgrade --to 1.37 --dump testdata/recordings/v1.33-vanilla/dump/apiservices.json",
    ]), @r#"
    $ aggctl upgrade --to 1.99 --builtin 1.33
    2> error: Kubernetes 1.99 is newer than the built-in data
    2> hint: the newest built-in version is 1.37
    [exit 2]

    $ aggctl upgrade --to 1.33 --builtin 1.36
    2> error: built-in Kubernetes 1.36 runs 1.36; 1.33 is older
    2> hint: compare any two versions with `aggctl diff builtin:1.36 builtin:1.33`
    [exit 2]

    $ aggctl upgrade --to soon --builtin
    2> error: "soon" is not a Kubernetes version
    2> hint: write it as 1.36
    [exit 2]

    $ aggctl upgrade --to 1.37 --dump testdata/recordings/v1.33-vanilla/dump/apiservices.json
    2> error: the Kubernetes version of dump testdata/recordings/v1.33-vanilla/dump/apiservices.json is unknown; it is 1.29 to 1.33
    2> hint: add the output of `kubectl get --raw /version` to the dump, or name it with --from
    [exit 3]
    "#);
    // A version between two recorded ones is the older one with the known changes.
    let between = run(&["upgrade", "--to", "1.27", "--builtin", "1.25", "-o", "json"]).json();
    insta::assert_snapshot!(between["assumptions"], @r#"["Kubernetes 1.27 is not built in; using 1.25 with the changes in `aggctl api-versions`"]"#);
    let gone: Vec<_> = between["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["code"] == "group-version-gone")
        .map(|one| {
            format!("{} {}", one["since"].as_str().unwrap(), one["subjects"][0].as_str().unwrap())
        })
        .collect();
    let want = [
        "1.26 autoscaling/v2beta2",
        "1.26 flowcontrol.apiserver.k8s.io/v1beta1",
        "1.27 storage.k8s.io/v1beta1",
    ];
    assert_eq!(gone, want);
}

/// Manifests are checked for every kind, as an install of them would fail.
#[test]
fn removed_kinds_of_manifests_are_found() {
    let text = "apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: a}\n---\n\
        apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: b}\n---\n\
        apiVersion: v1\nkind: Service\nmetadata: {name: c}\n";
    let place = Place::with(&[("m/a.yaml", text)]);
    let report =
        place.run(&["upgrade", "--builtin=1.36", "--to", "1.37", "-f", "m", "-o", "json"]).json();
    let found: Vec<_> = report["findings"].as_array().unwrap().iter().collect();
    let gone = found.iter().filter(|f| f["code"] == "manifests-gone");
    let gone: Vec<&str> = gone.map(|f| f["message"].as_str().unwrap()).collect();
    assert_eq!(
        gone,
        [
            "Deployment of apps/v1beta1 is no longer served: m/a.yaml:1; use apps/v1",
            "PodSecurityPolicy of policy/v1beta1 is no longer served: m/a.yaml:5; it has no replacement",
        ]
    );
}

/// What a source shows bounds its version, and `--from` names it.
#[test]
fn a_version_is_shown_or_named() {
    let node = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"n"},
        "status":{"nodeInfo":{"kubeletVersion":"v1.30.4"}}}"#;
    let pod = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"kube-system","name":"p"},
        "spec":{"containers":[{"name":"kube-apiserver","image":"example.com/kube-apiserver:v1.33.2",
        "command":["kube-apiserver","--v=2"]}]}}"#;
    let list = r#"{"kind":"APIServiceList","apiVersion":"apiregistration.k8s.io/v1","items":[]}"#;
    let place = Place::with(&[
        ("bounded/apiservices.json", list),
        ("bounded/node.json", node),
        ("image/apiservices.json", list),
        ("image/pod.json", pod),
        ("text/apiservices.json", list),
        ("text/version.txt", "Client Version: v1.29.0\nServer Version: v1.32.1\n"),
    ]);
    let upgrade = |dump: &str, more: &[&str]| {
        place.run(&[&["upgrade", "--to", "1.37", "--dump", dump], more].concat())
    };
    let failed = upgrade("bounded", &[]);
    assert_eq!(failed.code, 3);
    assert!(failed.err.contains("; it is 1.30 or newer\n"), "{}", failed.err);
    let from = |dump: &str, more: &[&str]| {
        upgrade(dump, more).out.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(from("bounded", &["--from", "1.31"]), "from dump bounded, Kubernetes 1.31");
    assert_eq!(from("image", &[]), "from dump image, Kubernetes 1.33");
    assert_eq!(from("text", &[]), "from dump text, Kubernetes 1.32");
}

/// What was not looked for must not read as clean.
#[test]
fn an_upgrade_without_registrations_has_no_verdict() {
    let version = r#"{"major":"1","minor":"36","gitVersion":"v1.36.0"}"#;
    let place = Place::with(&[("version.json", version)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "upgrade 1.37 --dump .",
    ]), @"
    $ aggctl upgrade 1.37 --dump .
    from dump ., Kubernetes 1.36
    to   Kubernetes 1.37

    Found nothing that breaks in what could be checked: APIServices are not in the
    source; CRDs are not in the source.

    NEW  4
    + 1.37  certificates.k8s.io/v1 adds clustertrustbundles, podcertificaterequests
    + 1.37  resource.k8s.io/v1 adds devicetaintrules
    + 1.37  storage.k8s.io/v1 adds csinodes/status
    + 1.37  storagemigration.k8s.io/v1: storageversionmigrations

    assumed: APIServices are not in the source; inferred those that must exist,
             others may be missing
    assumed: CRDs are not in the source; custom resources are inferred from the rest
             of the source
    assumed: Services are not in the source; cannot tell whether a Service exists
             and has the port
    assumed: EndpointSlices are not in the source; cannot tell whether a Service has
             ready endpoints
    2> error: cannot tell whether the upgrade breaks something: APIServices are not in the source
    2> hint: use a source that has them, or --fail-on never
    [exit 3]
    ");
    assert_eq!(place.run(&["upgrade", "1.37", "--dump", ".", "--fail-on", "never"]).code, 0);
}

/// The source deleted or replaced what its own version has. The upgrade does not bring it.
#[test]
fn only_changes_after_the_own_version_count() {
    let odd = dump("v1.20-odd");
    let answer = run_on(&odd, &["upgrade", "1.32", "-o", "json"]).json();
    let findings = answer["findings"].as_array().unwrap();
    let minor = |finding: &serde_json::Value| -> Option<u32> {
        finding["since"].as_str()?.split_once('.')?.1.parse().ok()
    };
    let since: Vec<u32> = findings.iter().filter_map(minor).collect();
    assert!(since.len() > 10 && since.iter().all(|minor| *minor > 20), "{since:?}");
}
