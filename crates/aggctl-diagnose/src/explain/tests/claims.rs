//! Tests with similar messages. A wrong cause is worse than none.

use super::*;

/// Checks the first entry of a message. Its first cause must be likely and contain `words`.
fn check_likely(text: &str, id: &str, words: &str) {
    let report = ExplainReport::new(explain(text), vec![], None);
    let first = &report.answers[0];
    assert_eq!(first.entry.id, id, "{text}");
    let cause = &first.causes[0];
    assert!(cause.text.contains(words), "{text}: {}", cause.text);
    assert!(cause.likely.is_some(), "{text}: {}", cause.text);
}

fn is_likely(text: &str, words: &str) -> bool {
    let report = ExplainReport::new(explain(text), vec![], None);
    let causes = report.answers[0].causes.iter();
    causes.filter(|cause| cause.text.contains(words)).any(|cause| cause.likely.is_some())
}

/// A missing ConfigMap is not a permission problem, even if the message suggests one.
#[test]
fn not_found_is_not_forbidden() {
    let advice = "W0101 authentication.go:1] Unable to get configmap/extension-apiserver-authentication in kube-system.  Usually fixed by 'kubectl create rolebinding'";
    check(advice, "auth-reader", "");
    for reason in [
        r#"Error: configmaps "extension-apiserver-authentication" not found"#,
        r#"{"message":"configmaps \"extension-apiserver-authentication\" not found"}"#,
        r#"unable to load configmap based request-header-client-ca-file: configmaps "extension-apiserver-authentication" not found"#,
    ] {
        check(reason, "auth-config-missing", "");
        for text in [format!("{advice}\n{reason}"), format!("{reason}\n{advice}")] {
            let found = explain(&text);
            let ids: Vec<_> = found.matches.iter().map(|one| one.entry.id).collect();
            assert_eq!(ids, ["auth-config-missing"], "{text}");
        }
    }
}

/// A server that answers 403 was reached.
#[test]
fn forbidden_is_not_unreachable() {
    let text = r#"unable to load configmap based request-header-client-ca-file: configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:shop:web" cannot get resource "configmaps" in API group "" in the namespace "kube-system""#;
    let ids: Vec<_> = explain(text).matches.iter().map(|one| one.entry.id).collect();
    assert_eq!(ids, ["auth-reader"]);
}

/// No role is suggested for kube-apiserver's client certificate.
#[test]
fn the_front_proxy_is_no_user() {
    let told = |user: &str| {
        let text = format!(
            r#"nodes.metrics.k8s.io is forbidden: User "{user}" cannot list resource "nodes" in API group "metrics.k8s.io" at the cluster scope"#
        );
        let found = explain(&text);
        let commands = refused(&found.refusals[0], None).commands.len();
        (first_of(&found), found.matches.len(), commands)
    };
    for user in ["aggregator", "front-proxy-client", "kube-apiserver-proxy-client"] {
        assert_eq!(told(user), ("front-proxy-user", 1, 0), "{user}");
    }
    for user in ["jane", "system:kube-aggregator", "system:serviceaccount:logs:log-aggregator"] {
        assert_eq!(told(user), ("rbac-aggregated", 1, 2), "{user}");
    }
}

/// Group versions that some Kubernetes release serves itself need no CRD.
#[test]
fn versions_of_kubernetes_are_known() {
    let kind = |kind: &str, gv: &str| {
        format!("resource mapping not found: no matches for kind {kind:?} in version {gv:?}")
    };
    let served = |text: &str| {
        let served = ExplainReport::new(explain(text), vec![], None).served;
        served.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let deployment = kind("Deployment", "extensions/v1beta1");
    check_likely(&deployment, "no-matches", "no longer served");
    assert_eq!(
        served(&deployment),
        "deployments of extensions/v1beta1: served by Kubernetes up to 1.15, apps/v1 since 1.9"
    );
    let both = format!("[{deployment}, {}]", kind("Ingress", "extensions/v1beta1"));
    assert!(
        served(&both).contains("ingresses of extensions/v1beta1: served by Kubernetes up to 1.21")
    );
    check_likely(&kind("CronJob", "batch/v1beta1"), "no-matches", "no longer served");
    let newer = "failed to get API group resources: unable to retrieve the complete list of server APIs: policy/v1: the server could not find the requested resource";
    check_likely(newer, "controller-runtime-resources", "not served yet");
    let crd = newer.replace("policy/v1", "shop.example.io/v1");
    check_likely(&crd, "controller-runtime-resources", "The CRD is not installed");
    let causes =
        |text: &str| ExplainReport::new(explain(text), vec![], None).answers[0].causes.len();
    assert!(causes(newer) <= causes(&crd), "what cannot be is left out");
}

/// A word elsewhere in the text is not evidence.
#[test]
fn noise_makes_nothing_likely() {
    let list = "error: unable to retrieve the complete list of server APIs: a.example.io/v1: the server is currently unable to handle the request";
    let up = "is not running";
    for noise in ["Starting upgrade...", "Error: UPGRADE FAILED", r#"Error starting "gc""#] {
        assert!(!is_likely(&format!("{noise}\n{list}"), up), "{noise}");
    }
    assert!(is_likely(&format!("web-0   0/1   CrashLoopBackOff\n{list}"), up));
    check_likely(
        "failed to load initial state of resource Image.image.openshift.io: The provided continue parameter is too old",
        "list-failed",
        "expires before its last page",
    );
}

/// The object of a request is not the server that receives it.
#[test]
fn an_apiservice_that_cannot_be_written() {
    check(
        "failed to create APIService v1.shop.example.io: the server could not find the requested resource",
        "apiregistration-version",
        "shop.example.io/v1",
    );
    check(
        "Error from server (NotFound): the server could not find the requested resource (post apiservices.apiregistration.k8s.io)",
        "apiregistration-version",
        "apiregistration.k8s.io",
    );
}

#[test]
fn the_servers_own_address_is_no_service_behind_an_apiservice() {
    check(
        "https://kubernetes.default.svc: the server is currently unable to handle the request",
        "unable-to-handle",
        "",
    );
}

/// Replacing an object with another of the same name is not a write conflict.
#[test]
fn an_apiservice_that_was_made_again() {
    let conflict = r#"Operation cannot be fulfilled on apiservices.apiregistration.k8s.io "v1.shop.example.io": "#;
    let race = format!("{conflict}the object has been modified");
    check(&race, "write-conflict", "shop.example.io/v1");
    let again = format!(
        "{conflict}StorageError: invalid object, Code: 4, AdditionalErrorMsg: Precondition failed: UID in precondition: 1, UID in object meta: 2"
    );
    check(&again, "recreated", "shop.example.io/v1");
    assert_eq!(explain(&again).matches.len(), 1);
}

/// The error that follows the group version decides.
#[test]
fn the_reason_behind_a_group_version() {
    check_all(
        r#"
        caller-discovery-forbidden shop.example.io/v1
            unable to retrieve the complete list of server APIs: shop.example.io/v1: forbidden: User "system:serviceaccount:shop:web" cannot get path "/apis/shop.example.io/v1"
            couldn't get resource list for shop.example.io/v1: forbidden: User "system:anonymous" cannot get path "/apis/shop.example.io/v1"
        discovery-unauthorized shop.example.io/v1
            unable to retrieve the complete list of server APIs: shop.example.io/v1: the server has asked for the client to provide credentials
            unable to retrieve the complete list of server APIs: shop.example.io/v1: Unauthorized
        "#,
    );
}

/// An APIService cannot break the list of groups.
#[test]
fn the_list_of_groups() {
    let check = |reason: &str, words: &str| {
        let text =
            format!("E0101 memcache.go:265] couldn't get current server API group list: {reason}");
        check_likely(&text, "group-list", words);
        assert_eq!(explain(&text).about, Some(About::Elsewhere), "{text}");
    };
    check("the server has asked for the client to provide credentials", "credentials");
    check("the server could not find the requested resource", "is not kube-apiserver");
    check("the server is currently unable to handle the request", "is starting");
    check(r#"Get "https://a:6443/api": dial tcp: connect: connection refused"#, "cannot reach");
}

/// A message that names another program or port is not about APIServices.
#[test]
fn another_program_is_named() {
    let said = messages(
        r#"
        etcd
            {"level":"warn","logger":"etcd-client","msg":"retrying","error":"read tcp 10.0.0.1:45274->10.0.0.2:2379: read: connection timed out"}
            dial tcp 10.0.0.2:2379: connect: connection refused
        etcd-down
            [-]etcd failed: error getting data from etcd: dial tcp 10.0.0.2:2379: connect: connection refused
        grpc
            failed to generate manifest: rpc error: code = Unavailable desc = error reading from server: EOF
            rpc error: code = DeadlineExceeded desc = context deadline exceeded
        apiserver-handshake
            Jan 01 00:00:00 node-1 kube-apiserver[77]: I0101 logs.go:41] http: TLS handshake error from 10.0.0.9:1234: remote error: tls: bad certificate
        "#,
    );
    for (id, text) in said {
        let found = explain(text);
        assert_eq!(first_of(&found), id, "{text}");
        assert_eq!(found.about, Some(About::Elsewhere), "{text}");
    }
    // The autoscaler's message is about the layer, even if it mentions gRPC.
    let text = "unable to fetch metrics from external metrics API: rpc error: code = Unavailable desc = connection error";
    assert_eq!(first_of(&explain(text)), "hpa-fetch");
    check(
        "TLS handshake error from 10.0.0.9:1: remote error: bad certificate",
        "handshake-bad-certificate",
        "",
    );
}

/// The cause that blocks a namespace deletion comes first, in any layout of the conditions.
#[test]
fn a_namespace_that_is_stuck() {
    let failed = "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: shop.example.io/v1:";
    for reason in [
        "the server is currently unable to handle the request",
        "stale GroupVersion discovery: shop.example.io/v1",
    ] {
        for text in [
            format!(
                "- type: NamespaceDeletionDiscoveryFailure\n  status: 'True'\n  reason: DiscoveryFailed\n  message: >-\n    {failed}\n    {reason}\n"
            ),
            format!(
                "- message: '{failed} {reason}'\n  reason: DiscoveryFailed\n  status: \"True\"\n  type: NamespaceDeletionDiscoveryFailure\n"
            ),
            format!(
                "  NamespaceDeletionDiscoveryFailure  True  Thu, 01 Jan 2026 00:00:00 +0000  DiscoveryFailed  {failed} {reason}\n"
            ),
        ] {
            check(&text, "namespace-stuck", "shop.example.io/v1");
            let quoted = &explain(&text).matches[0].text;
            assert!(quoted.starts_with("Discovery failed for some groups"), "{quoted}");
        }
    }
}

/// Older servers do not name a port, and extension servers name the user they refuse.
#[test]
fn messages_of_older_servers() {
    check_all(
        r#"
        missing-endpoints shop/web
            endpoints for service/web in "shop" have no addresses
        root-forbidden
            I0101 authorization.go:73] Forbidden: "/", Reason: ""
        path-forbidden shop.example.io/v1
            I0101 authorization.go:73] Forbidden: "/apis/shop.example.io/v1", Reason: ""
        "#,
    );
}
