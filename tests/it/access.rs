//! Tests authorization: `route --caller`, `access`, `flags` and `doctor --security`, and the
//! decisions of a real API server.

use std::path::PathBuf;

use crate::recorded::load;
use crate::{Place, aggctl, decisions, finish, repository, run, run_on, session, unpacked};

/// Compares with two recordings: all allowed requests and a sample of denied ones in 1.36, and
/// unusual names, verbs, paths and queries in 1.34.
#[test]
fn decisions_agree_with_the_server() {
    for (requests, roles) in
        [("access.jsonl.gz", "rbac.json"), ("access-1.34.jsonl.gz", "rbac-1.34.json.gz")]
    {
        let folder = repository("testdata/access");
        decisions::check(&unpacked(&folder.join(requests)), &load(&folder.join(roles)));
    }
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
    insta::assert_snapshot!(answer["authorization"]["message"].as_str().unwrap(), @r#"users "joe" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope"#);
}

/// `--as` sets the user for requests to the cluster. It is also the caller, unless `--caller` is
/// set.
#[test]
fn caller_overrides_as() {
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
fn without_roles_access_is_unknown() {
    let run = run(&["route", "/api/v1/nodes", "--builtin", "--as", "jane", "--fail-on", "unknown"]);
    insta::assert_snapshot!(run, @r#"
    GET /api/v1/nodes    list nodes (core/v1)

      │ request info      list resource "nodes" in API group "" at the cluster scope
      │ authentication    any caller
      │ impersonation     as jane in system:authenticated; not checked whether the
      │                   sender may impersonate users "jane"
      ? authorization     unknown: no rule in the source allows it, but the source
                          does not have all rules
      │ kube-aggregator   APIService v1. is local
      ? kube-apiserver    built-in v1 serves this resource

    200 or 403. The source does not have enough data to tell.
    assumed: ClusterRoleBindings are not in the source; cannot tell who has access
    [exit 1]
    "#);
}

#[test]
fn a_stream_is_judged_line_by_line() {
    let mut command = aggctl(&["route", "-", "--caller", "jane", "--dump"]);
    let run = finish(command.arg(rbac()).write_stdin("/api\nPOST /api/v1/nodes\n"));
    insta::assert_snapshot!(run, @"
    served              200     GET      /api  kube-apiserver
    forbidden           403     POST     /api/v1/nodes  
    2> warning: APIServices are not in the source; using built-in Kubernetes 1.37
    2> warning: the server's version is not in the source; assuming 1.37
    ");
}

fn shop(arguments: &[&str]) -> crate::Run {
    run_on(&repository("testdata/access/shop"), arguments)
}

#[test]
fn access_to_a_request_and_to_an_apiservice() {
    let request = shop(&["access", "/apis/stock.shop.io/v1/articles", "-o", "wide"]);
    insta::assert_snapshot!("access_request", request.out);
    insta::assert_snapshot!("access_apiservice", shop(&["access", "v1.stock.shop.io"]).out);
    let names = shop(&["access", "/apis", "-o", "name"]);
    assert_eq!(names.out, "Group system:authenticated\n");
    insta::assert_snapshot!(run(&["access", "/apis", "--builtin"]), @"
    2> error: cannot evaluate access: the source has no roles and bindings
    2> hint: name a cluster or a dump; built-in data has none
    [exit 3]
    ");
}

/// What everyone may do is not hidden with the accounts of the control plane, and no answer claims
/// that nothing allows a request while bindings are hidden.
#[test]
fn only_accounts_of_the_control_plane_are_hidden() {
    let cluster = repository("examples/cluster");
    let access = |subject: &str, request: &[&str]| {
        let binding = format!(
            r#"{{"apiVersion":"v1","kind":"List","items":[
            {{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{{"name":"all"}},
             "rules":[{{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}}]}},
            {{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
             "metadata":{{"name":"system:oops"}},
             "roleRef":{{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"all"}},
             "subjects":[{subject}]}}]}}"#
        );
        let mut command = aggctl(&["access"]);
        command.args(request).arg("--dump").arg(&cluster).args(["--dump", "-"]);
        finish(command.write_stdin(binding)).out
    };
    let group = |name: &str| {
        format!(r#"{{"kind":"Group","apiGroup":"rbac.authorization.k8s.io","name":"{name}"}}"#)
    };
    for name in [
        "system:authenticated",
        "system:unauthenticated",
        "system:serviceaccounts",
        "system:serviceaccounts:shop",
    ] {
        let out = access(&group(name), &["/api/v1/secrets"]);
        assert!(out.contains(&format!("Group {name}")), "{out}");
        let out = access(&group(name), &["v1.inventory.shop.example"]);
        let change = out.lines().find(|line| line.contains("change the APIService"));
        assert!(change.is_some_and(|line| line.contains(&format!("Group {name}"))), "{out}");
    }
    let account = r#"{"kind":"ServiceAccount","name":"web","namespace":"shop"}"#;
    let out = access(account, &["/api/v1/secrets"]);
    assert!(out.contains("ServiceAccount shop/web"), "{out}");
    insta::assert_snapshot!(access(&group("system:nodes"), &["/api/v1/secrets"]), @r#"
    GET /api/v1/secrets
    list resource "secrets" in API group "" at the cluster scope

    Only bindings of Kubernetes' own system: accounts allow this request.
    Members of system:masters can, without a binding.
    1 binding of Kubernetes' own system: accounts hidden (use --all).
    "#);
    insta::assert_snapshot!(access(&group("system:nodes"), &["v1.apps"]), @"
    APIService v1.apps
    local; it has no backend to take over

    2 bindings of Kubernetes' own system: accounts hidden (use --all).
    Members of system:masters can call it and change it.
    ");
}

/// A namespace editor can take over the API. Users that may change the APIService anyway are not
/// reported.
#[test]
fn security_finds_namespace_editors_that_can_redirect_an_api() {
    let found = shop(&["doctor", "--security"]);
    assert_eq!(found.code, 1, "{}", found.err);
    insta::assert_snapshot!("security", found.out);
    insta::assert_snapshot!(session(shop, ["doctor --security v1.apps"]), @"
    $ aggctl doctor --security v1.apps
    No namespace editor can redirect an APIService.
    ");
    insta::assert_snapshot!(session(run, ["doctor --security --builtin"]), @"
    $ aggctl doctor --security --builtin
    2> error: cannot evaluate access: the source has no roles and bindings
    2> hint: name a cluster or a dump; built-in data has none
    [exit 3]
    ");
}

/// The account is that of the Pods that the Service selects, or else any account of the namespace.
#[test]
fn doctor_checks_the_permissions_of_the_extension_server() {
    let bindings = |pod: Option<&str>, more: &str| -> (String, String) {
        let pod = pod.map(|account| {
            format!(
                "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: shop, name: stock-0, labels: {{app: stock, x: z}}}}\n\
                 spec: {{serviceAccountName: {account}, containers: []}}\n---\n"
            )
        });
        let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n";
        let text = namespace.to_owned() + &pod.unwrap_or_default() + more;
        let place = Place::with(&[("extra.yaml", &text)]);
        let extra = place.path("extra.yaml");
        let extra = extra.to_str().unwrap();
        let answer = shop(&["doctor", "v1.stock.shop.io", "-o", "json", "--dump", extra]).json();
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
    let what = "no service account in namespace shop can read the front-proxy CA, which extension API servers must";
    check(None, "", "odd", what);
    let what = "the source does not show the account of its Pods; some account of the namespace has the permissions";
    check(None, reader, "unknown", what);
    let what = "service account shop/other cannot check permissions (auth-delegator), which extension API servers must";
    check(Some("other"), reader, "odd", what);
    check(
        Some("stock"),
        reader,
        "ok",
        "its Pods run as stock, which can check permissions (auth-delegator)",
    );
}

#[test]
fn a_binding_can_be_tried_before_it_is_applied() {
    let binding = "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n\
        metadata: {namespace: shop, name: joe}\n\
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: stock-viewer}\n\
        subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: joe}]\n";
    let place = Place::with(&[("joe.yaml", binding)]);
    let shop = repository("testdata/access/shop");
    let ask =
        |arguments: &[&str]| place.run(&[arguments, &["--dump", shop.to_str().unwrap()]].concat());
    insta::assert_snapshot!(session(ask, [
        "route /apis/stock.shop.io/v1/namespaces/shop/articles --caller joe -f joe.yaml",
        "access /apis/stock.shop.io/v1/namespaces/shop/articles -o name -f joe.yaml",
    ]), @r#"
    $ aggctl route /apis/stock.shop.io/v1/namespaces/shop/articles --caller joe -f joe.yaml
    NOW
    GET /apis/stock.shop.io/v1/namespaces/shop/articles
    list articles in namespace shop (stock.shop.io/v1)

      │ request info     list resource "articles" in API group "stock.shop.io" in
      │                  the namespace "shop"
      │ authentication   joe in system:authenticated
      │ impersonation    none
      ✗ authorization    no rule allows it

    403 Forbidden. The request is rejected before routing.

    WHAT IF
    GET /apis/stock.shop.io/v1/namespaces/shop/articles
    list articles in namespace shop (stock.shop.io/v1)

      │ request info      list resource "articles" in API group "stock.shop.io" in
      │                   the namespace "shop"
      │ authentication    joe in system:authenticated
      │ impersonation     none
      │ authorization     RBAC: allowed by RoleBinding "joe/shop" of ClusterRole
      │                   "stock-viewer" to User "joe"
      │                   rule: get, list articles of stock.shop.io
      → kube-aggregator   APIService v1.stock.shop.io
                          proxied to Service shop/stock:443

    The status is that of shop/stock, or 503 if it cannot be reached.
    identity: X-Remote-User: joe, X-Remote-Group: system:authenticated

    $ aggctl access /apis/stock.shop.io/v1/namespaces/shop/articles -o name -f joe.yaml
    Group clerks
    User jane
    User joe
    "#);
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

/// Returns a dump with the Pod of a kube-apiserver that has this flag.
fn pod(flag: &str) -> Place {
    let pod = serde_json::json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"namespace": "kube-system", "name": "kube-apiserver-a"},
        "spec": {"containers": [{"name": "kube-apiserver", "command": ["kube-apiserver", flag]}]},
    });
    Place::with(&[("pod.json", &pod.to_string())])
}

/// Known flags replace assumptions about authorizers and anonymous users.
#[test]
fn flags_decide_access() {
    let ask = |flags: &str, caller: &str| {
        let pod = pod(flags);
        let path = pod.path("pod.json");
        let path = path.to_str().unwrap();
        run_on(&rbac(), &["route", "/api/v1/nodes", "--caller", caller, "--dump", path])
    };
    insta::assert_snapshot!(ask("--authorization-mode=Node,RBAC", "jane"), @r#"
    GET /api/v1/nodes    list nodes (core/v1)

      │ request info     list resource "nodes" in API group "" at the cluster scope
      │ authentication   jane in system:authenticated
      │ impersonation    none
      ✗ authorization    no rule allows it; RBAC:
                         clusterrole.rbac.authorization.k8s.io "gone" not found

    403 Forbidden. The request is rejected before routing.
    "#);
    insta::assert_snapshot!(ask("--authorization-mode=Node,RBAC,Webhook", "jane"), @r#"
    GET /api/v1/nodes    list nodes (core/v1)

      │ request info      list resource "nodes" in API group "" at the cluster scope
      │ authentication    jane in system:authenticated
      │ impersonation     none
      ? authorization     unknown: the authorizer Webhook also decides
      │ kube-aggregator   APIService v1. is local
      ? kube-apiserver    built-in v1 serves this resource

    200 or 403. The source does not have enough data to tell.
    assumed: APIServices are not in the source; using built-in Kubernetes 1.37
    assumed: the APIResourceList of v1 is not in the source; using built-in
             Kubernetes 1.37
    assumed: the server's version is not in the source; assuming 1.37
    "#);
    insta::assert_snapshot!(ask("--authorization-mode=AlwaysAllow", "jane"), @r#"
    GET /api/v1/nodes    list nodes (core/v1)

      │ request info      list resource "nodes" in API group "" at the cluster scope
      │ authentication    jane in system:authenticated
      │ impersonation     none
      │ authorization     allowed: the server's mode is AlwaysAllow
      │ kube-aggregator   APIService v1. is local
      ✓ kube-apiserver    built-in v1 serves this resource

    200 from kube-apiserver.
    assumed: APIServices are not in the source; using built-in Kubernetes 1.37
    assumed: the APIResourceList of v1 is not in the source; using built-in
             Kubernetes 1.37
    assumed: the server's version is not in the source; assuming 1.37
    "#);
    insta::assert_snapshot!(ask("--anonymous-auth=false", "system:anonymous"), @r#"
    GET /api/v1/nodes    list nodes (core/v1)

      │ request info     list resource "nodes" in API group "" at the cluster scope
      ✗ authentication   no credentials, and --anonymous-auth=false rejects them
                         with 401

    401 Unauthorized. The request is rejected before routing.
    "#);
}

#[test]
fn nothing_authorizes_a_request_that_is_not_authenticated() {
    let pod = pod("--anonymous-auth=false");
    let words = ["route", "/healthz", "--caller", "system:anonymous", "-o", "json"];
    let answer = pod.ask(&words).json();
    assert_eq!(answer["outcome"], "unauthorized");
    assert!(answer["authorization"].is_null(), "{answer}");
}

/// Built-in data fills the gaps of a dump, except for what `--runtime-config` disables. What it
/// enables by name exists.
#[test]
fn what_is_switched_off_is_not_found() {
    let pod = pod("--runtime-config=apps/v1=false,batch/v1/jobs=false,resource.k8s.io/v9=true");
    let check = |path: &str, outcome: &str, switched_off: Option<&str>| {
        let answer = pod.ask(&["route", path, "-o", "json"]).json();
        assert_eq!(answer["outcome"], outcome, "{path}");
        let warnings = answer["warnings"].as_array().cloned().unwrap_or_default();
        let mut said = warnings.iter().filter(|warning| warning["code"] == "switched-off");
        let said = said.next().map(|warning| warning["message"].as_str().unwrap().to_owned());
        assert_eq!(said.as_deref(), switched_off, "{path}");
    };
    let apps =
        "the group apps: kube-apiserver runs with --runtime-config=apps/v1=false, which turns";
    check("/apis/apps/v1/deployments", "not-found", Some(&format!("{apps} v1 off")));
    check("/apis/apps", "not-found", Some(&format!("{apps} it off")));
    check("/apis/batch/v1/cronjobs", "served", None);
    let jobs = "the group batch: kube-apiserver runs with --runtime-config=batch/v1/jobs=false, which turns jobs off";
    check("/apis/batch/v1/jobs/x/status", "not-found", Some(jobs));
    check("/apis/batch/v1/nonsense", "not-found", None);
    check("/apis/resource.k8s.io/v9/things", "unknown", None);
    check("/api/v1/pods", "served", None);
}

#[test]
fn flags_are_shown_with_what_they_change() {
    insta::assert_snapshot!("flags", shop(&["flags"]).out);
    insta::assert_snapshot!(run(&["flags", "--builtin"]), @"
    2> error: the source has no kube-apiserver flags (managed control planes do not show them)
    2> hint: name a cluster or a dump; built-in data has none
    [exit 3]
    ");
}

/// A what-if shows the filters of the present under NOW.
#[test]
fn the_filters_of_now_and_then_are_their_own() {
    let binding = r#"{"kind":"ClusterRoleBinding","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"joe"},
        "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"edit"},
        "subjects":[{"kind":"User","name":"joe","apiGroup":"rbac.authorization.k8s.io"}]}"#;
    let place = Place::with(&[("binding.json", binding)]);
    let file = place.path("binding.json");
    let ask = |more: &[&str]| {
        let question = ["route", "/api/v1/pods", "--caller", "joe", "-f", file.to_str().unwrap()];
        shop(&[&question[..], more].concat())
    };
    let text = ask(&[]).out;
    let (now, then) = text.split_once("WHAT IF").unwrap();
    assert!(now.contains("no rule allows it") && !now.contains("allowed by"), "{text}");
    assert!(then.contains("allowed by ClusterRoleBinding \"joe\""), "{text}");
    let answer = ask(&["-o", "json"]).json();
    assert_eq!(answer["authorization"]["decision"], "allowed", "{answer}");
    assert_eq!(answer["before"]["authorization"]["decision"], "denied", "{answer}");
}
