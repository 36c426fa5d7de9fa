//! Who may, against what a real API server decided.

use std::path::{Path, PathBuf};

use aggctl_diagnose::access::{AccessDecision, Attributes, Authorizer, User};
use aggctl_source::{self, Source};
use kube_aggregation::model::Snapshot;
use kube_aggregation::routing::{Method, Target};
use serde::Deserialize;

use crate::{aggctl, assert_none, finish, repository, run, run_on, shared, unpacked};

#[derive(Deserialize)]
struct Recorded {
    user: String,
    groups: Vec<String>,
    method: String,
    path: String,
    verb: String,
    allowed: bool,
    reason: Option<String>,
}

/// All that was allowed of two recordings, and some of what was denied: of 1.36, and of 1.34 with
/// odder names, verbs, paths and queries.
#[test]
fn decisions_agree_with_the_server() {
    for (requests, roles) in
        [("access.jsonl.gz", "rbac.json"), ("access-1.34.jsonl.gz", "rbac-1.34.json.gz")]
    {
        let folder = repository("testdata/access");
        check(&unpacked(&folder.join(requests)), &load(&folder.join(roles)));
    }
}

/// The whole recording, where it is.
#[test]
fn recorded_decisions_hold() {
    let Ok(recordings) = std::fs::read_dir(shared("oracle")) else { return };
    for recording in recordings.map(|entry| entry.unwrap().path()) {
        if let Ok(lines) = std::fs::read_to_string(recording.join("access.jsonl")) {
            check(&lines, &load(&recording.join("dump")));
        }
    }
}

fn load(path: &Path) -> Snapshot {
    aggctl_source::load(&Source::Dump(vec![path.to_owned()])).unwrap().snapshot
}

/// AccessDecision, verb and reason. Where several bindings allow a request, the server names the one
/// that its store, a Go map, gave it first; it must be one that we know to allow it, and a
/// RoleBinding only where no ClusterRoleBinding does.
fn check(lines: &str, snapshot: &Snapshot) {
    let authorizer = Authorizer::new(&snapshot.rbac);
    let (mut wrong, mut several) = (vec![], 0);
    for line in lines.lines() {
        let want: Recorded = serde_json::from_str(line).unwrap();
        let target = Target::parse(Method::parse(&want.method).unwrap(), &want.path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        let user = User::new(&*want.user, &want.groups);
        assert_eq!(user.groups, want.groups, "{line}");
        let decision = authorizer.decide(&user, &request);
        let reasons: Vec<Option<String>> = match decision {
            AccessDecision::Allowed(first) => {
                let cluster_wide = first.binding.namespace.is_empty();
                (authorizer.grants(&user, &request))
                    .filter(|grant| grant.binding.namespace.is_empty() == cluster_wide)
                    .map(|grant| AccessDecision::Allowed(grant).reason())
                    .collect()
            }
            ref other => vec![other.reason()],
        };
        several += usize::from(reasons.len() > 1);
        let agrees = decision.is_allowed() == want.allowed
            && request.verb() == want.verb
            && reasons.contains(&want.reason);
        if !agrees {
            wrong.push(format!("{line}\n  {} {decision:?}", request.verb()));
        }
    }
    assert!(several > 10, "{several} requests that several bindings allow");
    assert_none(&wrong);
}

fn rbac() -> PathBuf {
    repository("testdata/access/rbac.json")
}

#[test]
fn the_filters_are_hops_of_their_own() {
    let ask = |arguments: &[&str]| {
        let run = run_on(&rbac(), &[&["route"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.lines().all(|line| line.chars().count() <= 80), "{}", run.out);
        run.out
    };
    insta::assert_snapshot!("allowed", ask(&["/apis/apps/v1", "--as", "jane"]));
    let path = "/api/v1/namespaces/default/podtemplates";
    insta::assert_snapshot!("denied", ask(&["POST", path, "--caller", "user4"]));
    insta::assert_snapshot!("anonymous", ask(&["/apis", "--caller", "system:anonymous"]));
    let nodes = ["/api/v1/nodes", "--caller", "system:node:a", "--caller-group", "system:nodes"];
    insta::assert_snapshot!("node", ask(&nodes));
    insta::assert_snapshot!("several", ask(&["/api", path, "/healthz", "--caller", "jane"]));
}

#[test]
fn a_sender_must_be_allowed_to_impersonate() {
    let dump = repository("testdata/access/impersonation.yaml");
    let ask = |caller: &str, who: &str| {
        let names = ["--caller", caller, "--caller-as", who];
        let run = run_on(&dump, &[&["route", "/api/v1/pods", "-o", "json"], &names[..]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.json()
    };
    let answer = ask("bob", "jane");
    assert_eq!(answer["outcome"], "served");
    assert_eq!(answer["caller"]["sender"]["user"], "bob");
    let answer = ask("bob", "joe");
    assert_eq!(answer["outcome"], "forbidden");
    let filters = answer["filters"].as_array().unwrap().iter();
    let filters: Vec<&str> = filters.map(|f| f["filter"].as_str().unwrap()).collect();
    assert_eq!(filters, ["request-info", "authentication", "impersonation"]);
    let message = answer["authorization"]["message"].as_str().unwrap();
    let want = r#"users "joe" is forbidden: User "bob" cannot impersonate"#;
    assert!(message.starts_with(want), "{message}");
}

/// `--as` names who asks, and answers for it; `--caller` only answers for it.
#[test]
fn a_caller_is_whoever_is_named_last_in_the_chain_of_names() {
    let ask = |arguments: &[&str]| {
        let run = run_on(&rbac(), &[&["route", "/api/v1/nodes", "-o", "json"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.json()
    };
    let answer = ask(&["--as", "jane", "--as-group", "system:masters"]);
    assert_eq!(answer["caller"]["user"], "jane");
    assert_eq!(answer["caller"]["impersonated"], true);
    assert_eq!(answer["authorization"]["decision"], "allowed");
    assert_eq!(answer["outcome"], "served");
    let answer = ask(&["--as", "jane", "--caller", "joe"]);
    assert_eq!(answer["caller"]["user"], "joe");
    assert_eq!(answer["caller"]["impersonated"], false);
    assert_eq!(answer["outcome"], "forbidden");
    assert_eq!(answer["status"], serde_json::json!([403]));
    assert_eq!(answer["hops"], serde_json::json!([]));
    assert!(ask(&[]).get("caller").is_none());
}

#[test]
fn without_roles_nobody_knows_who_may() {
    let run = run(&["route", "/api/v1/nodes", "--builtin", "--as", "jane", "--fail-on", "unknown"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let why = "assumed: ClusterRoleBindings are not in the source: who may cannot be told";
    assert!(run.out.contains(why), "{}", run.out);
}

#[test]
fn a_stream_is_judged_line_by_line() {
    let mut command = aggctl(&["route", "-", "--caller", "jane", "--dump"]);
    let run = finish(command.arg(rbac()).write_stdin("/api\nPOST /api/v1/nodes\n"));
    let words: Vec<&str> = run.out.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["served", "forbidden"]);
}

fn shop(arguments: &[&str]) -> crate::Run {
    run_on(&repository("testdata/access/shop"), arguments)
}

#[test]
fn who_may_and_who_has_power() {
    let request = shop(&["access", "/apis/stock.shop.io/v1/articles", "-o", "wide"]);
    insta::assert_snapshot!("access_request", request.out);
    insta::assert_snapshot!("access_apiservice", shop(&["access", "v1.stock.shop.io"]).out);
    let names = shop(&["access", "/apis", "-o", "name"]);
    assert_eq!(names.out, "Group system:authenticated\n");
    let none = run(&["access", "/apis", "--builtin"]);
    assert_eq!((none.code, none.out.as_str()), (3, ""));
    let why = "error: cannot tell who may: no roles and bindings in the source\n";
    assert!(none.err.starts_with(why), "{}", none.err);
}

/// Whoever edits the namespace owns the API; whoever may change the APIService does so anyway.
#[test]
fn a_namespace_editor_who_can_redirect_an_api_is_found() {
    let found = shop(&["doctor", "--security"]);
    assert_eq!(found.code, 1, "{}", found.err);
    insta::assert_snapshot!("security", found.out);
    let other = shop(&["doctor", "--security", "v1.apps"]);
    assert_eq!(other.code, 0, "{}", other.out);
    let blind = run(&["doctor", "--security", "--builtin"]);
    assert_eq!(blind.code, 3, "{}", blind.out);
}

/// By the Pods that the Service selects, or by any account of its namespace.
#[test]
fn doctor_looks_at_what_the_extension_server_itself_may() {
    let bindings = |pod: Option<&str>, more: &str| -> (String, String) {
        let extra = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
        let pod = pod.map(|account| {
            format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: shop, name: stock-0, labels: {{app: stock, x: z}}}}\n\
                 spec: {{serviceAccountName: {account}, containers: []}}\n---\n"
            )
        });
        let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n";
        std::fs::write(&extra, namespace.to_owned() + &pod.unwrap_or_default() + more).unwrap();
        let extra = extra.path().to_str().unwrap();
        let run = shop(&["doctor", "v1.stock.shop.io", "-o", "json", "--dump", extra]);
        let answer = run.json();
        let links = answer["items"][0]["links"].as_array().unwrap();
        let link = links.iter().find(|link| link["link"] == "bindings").unwrap();
        let text = |field: &str| link[field].as_str().unwrap().to_owned();
        (text("state"), text("message"))
    };
    let reader = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n\
        metadata: {namespace: kube-system, name: stock-reader}\n\
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}\n\
        subjects: [{kind: ServiceAccount, namespace: shop, name: stock}]\n---\n\
        apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: cluster-admin}\n\
        rules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}]\n";
    let check = |pod, more, state: &str, what: &str| {
        assert_eq!(bindings(pod, more), (state.to_owned(), what.to_owned()));
    };
    let what = "no service account of namespace shop can read the front-proxy CA, as extension servers must";
    check(None, "", "odd", what);
    let what = "which account its Pods run as is not in the source; one of the namespace may";
    check(None, reader, "unknown", what);
    let what = "service account shop/other cannot ask back who may, as extension servers must";
    check(Some("other"), reader, "odd", what);
    check(Some("stock"), reader, "ok", "its Pods run as stock, which may ask the API server back");
}

/// Roles and bindings that are only on paper.
#[test]
fn a_binding_can_be_tried_before_it_is_applied() {
    let manifest = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    let binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n\
        metadata: {namespace: shop, name: joe}\n\
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: stock-viewer}\n\
        subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: joe}]\n";
    std::fs::write(&manifest, binding).unwrap();
    let path = "/apis/stock.shop.io/v1/namespaces/shop/articles";
    let ask = |more: &[&str]| shop(&[&["route", path, "--caller", "joe"], more].concat()).out;
    assert!(ask(&[]).contains("forbidden: status 403"));
    let file = manifest.path().to_str().unwrap();
    let then = ask(&["-f", file]);
    let by = "RoleBinding \"joe/shop\"";
    assert!(then.contains(by) && then.contains("proxied:"), "{then}");
    let who = shop(&["access", path, "-o", "name", "-f", file]).out;
    assert!(who.lines().any(|line| line == "User joe"), "{who}");
}

#[test]
fn a_refusal_is_looked_up() {
    let said = |verb: &str| {
        format!(
            "Error from server (Forbidden): articles.stock.shop.io is forbidden: User \"jane\" \
             cannot {verb} resource \"articles\" in API group \"stock.shop.io\" in the namespace \"shop\""
        )
    };
    insta::assert_snapshot!("refused", shop(&["explain", &said("delete")]).out);
    let ask = |verb: &str| shop(&["explain", &said(verb), "-o", "json"]).json();
    let before = ask("delete");
    assert_eq!(before["about"], "aggregation-layer");
    assert_eq!(before["refused"][0]["by"], "kube-apiserver");
    assert_eq!(before["refused"][0]["missingRule"], "delete articles of stock.shop.io");
    let behind = ask("list");
    assert_eq!(behind["refused"][0]["by"], "extension-server");
    assert!(behind["refused"][0]["missingRule"].is_null());
}

/// A dump of a kube-apiserver with a flag.
fn pod(flag: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    let pod = serde_json::json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"namespace": "kube-system", "name": "kube-apiserver-a"},
        "spec": {"containers": [{"name": "kube-apiserver", "command": ["kube-apiserver", flag]}]},
    });
    std::fs::write(&file, pod.to_string()).unwrap();
    file
}

/// What the flags say takes the place of what was assumed.
#[test]
fn flags_decide_where_they_are_known() {
    let ask = |flags: &str, caller: &str| {
        let pod = pod(flags);
        let pod = pod.path().to_str().unwrap();
        run_on(&rbac(), &["route", "/api/v1/nodes", "--caller", caller, "--dump", pod]).out
    };
    let rbac_only = ask("--authorization-mode=Node,RBAC", "jane");
    assert!(rbac_only.contains("forbidden:") && !rbac_only.contains("RBAC alone"), "{rbac_only}");
    let webhook = ask("--authorization-mode=Node,RBAC,Webhook", "jane");
    assert!(webhook.contains("not known: the authorizer Webhook is asked too"), "{webhook}");
    let open = ask("--authorization-mode=AlwaysAllow", "jane");
    assert!(open.contains("allowed: the server's mode is AlwaysAllow"), "{open}");
    let nobody = ask("--anonymous-auth=false", "system:anonymous");
    assert!(nobody.contains("unauthorized: status 401, before any routing"), "{nobody}");
}

/// A plain Kubernetes stands for what a dump does not have; what was switched off is not taken
/// from it, what was switched on by name is there.
#[test]
fn what_is_switched_off_is_not_found_and_said() {
    let pod = pod("--runtime-config=apps/v1=false,batch/v1/jobs=false,resource.k8s.io/v9=true");
    let check = |path: &str, outcome: &str, switched_off: Option<&str>| {
        let answer = run_on(pod.path(), &["route", path, "-o", "json"]).json();
        assert_eq!(answer["outcome"], outcome, "{path}");
        let warnings = answer["warnings"].as_array().cloned().unwrap_or_default();
        let mut said = warnings.iter().filter(|warning| warning["code"] == "switched-off");
        let said = said.next().map(|warning| warning["message"].as_str().unwrap().to_owned());
        assert_eq!(said.as_deref(), switched_off, "{path}");
    };
    let apps = "the group apps: kube-apiserver was started with --runtime-config=apps/v1=false, which switches";
    check("/apis/apps/v1/deployments", "not-found", Some(&format!("{apps} v1 off")));
    check("/apis/apps", "not-found", Some(&format!("{apps} it off")));
    check("/apis/batch/v1/cronjobs", "served", None);
    let jobs = "the group batch: kube-apiserver was started with --runtime-config=batch/v1/jobs=false, which switches jobs off";
    check("/apis/batch/v1/jobs/x/status", "not-found", Some(jobs));
    check("/apis/batch/v1/nonsense", "not-found", None);
    check("/apis/resource.k8s.io/v9/things", "unknown", None);
    check("/api/v1/pods", "served", None);
}

#[test]
fn flags_are_shown_with_what_they_change() {
    insta::assert_snapshot!("flags", shop(&["flags"]).out);
    let none = run(&["flags", "--builtin"]);
    assert_eq!((none.code, none.out.as_str()), (3, ""), "{}", none.err);
}
