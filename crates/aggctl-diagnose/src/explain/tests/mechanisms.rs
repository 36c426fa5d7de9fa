//! Tests that what a text proves or rules out decides the causes and commands.

use super::*;

fn answer(text: &str) -> EntryAnswer {
    let report = ExplainReport::new(explain(text), vec![], None);
    report.answers.into_iter().next().unwrap_or_else(|| panic!("not recognized: {text}"))
}

/// Checks the entry, whether the text is about the layer, the group, and the first cause.
fn check_first(text: &str, id: &str, group: &str, words: &str) {
    check(text, id, group);
    assert_eq!(explain(text).about, Some(About::AggregationLayer), "{text}");
    let first = answer(text);
    assert!(first.causes[0].text.contains(words), "{text}: {}", first.causes[0].text);
}

/// Returns all commands, of causes and of steps.
fn commands(text: &str) -> Vec<String> {
    let answer = answer(text);
    let confirm = answer.causes.into_iter().filter_map(|cause| cause.confirm);
    confirm.chain(answer.next).map(|step| step.command).collect()
}

/// A solver is always behind an APIService, and 404 or 403 come from a server that was reached.
#[test]
fn an_acme_solver_is_an_aggregated_api() {
    let refused = r#"dns.acme.shop.example is forbidden: User "system:serviceaccount:certs:cert-manager" cannot create resource "dns" in API group "acme.shop.example" at the cluster scope"#;
    for text in [
        format!("Error presenting challenge: {refused}"),
        format!(
            r#"E1 controller.go:1] cert-manager/challenges "msg"="re-queuing item" "error"="{refused}""#
        ),
    ] {
        check_first(&text, "acme-forbidden", "acme.shop.example", "service account");
    }
    let missing = "Error presenting challenge: the server could not find the requested resource (post dns.acme.shop.example)";
    check_first(missing, "acme-not-found", "acme.shop.example", "No APIService exists");
    let causes = answer(missing).causes;
    assert!(causes.iter().all(|cause| !cause.text.contains("cannot reach")), "{causes:#?}");
    let failing = "Error presenting challenge: the server is currently unable to handle the request (post dns.acme.shop.example)";
    check_first(failing, "acme-solver", "acme.shop.example", "not running");
}

/// If the same Service works for another APIService, the network and the identity are fine.
#[test]
fn a_service_that_works_for_another_api_service() {
    let text = "v1.a.example.io   shop/web   False (FailedDiscoveryCheck)   3d\nv1.b.example.io   shop/web   True   3d";
    let causes = answer(text).causes;
    assert!(causes[0].text.contains("does not serve this group version"), "{causes:#?}");
    assert!(causes.iter().all(|cause| !cause.text.contains("cannot reach")), "{causes:#?}");
}

/// Users of managed clusters cannot log in to the control plane or change its flags.
#[test]
fn managed_control_planes() {
    let text = "failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1: bad status from https://10.0.0.9:443/apis/a.example.io/v1: 403";
    let on_control_plane =
        |all: &[String]| all.iter().any(|c| c.contains("component=kube-apiserver"));
    assert!(on_control_plane(&commands(text)));
    for platform in ["EKS", "our GKE cluster", "an AKS cluster"] {
        let text = format!("{platform}\n{text}");
        assert!(!on_control_plane(&commands(&text)), "{platform}");
        let causes = answer(&text).causes;
        assert!(causes.iter().all(|cause| !cause.text.contains("NO_PROXY")), "{causes:#?}");
    }
}

/// What a message about a kubelet contains is not evidence about the APIService.
#[test]
fn another_connection_is_not_evidence() {
    let down = "the server is currently unable to handle the request (get nodes.metrics.k8s.io)";
    let scrape = r#"E0101 scraper.go:1] "Failed to scrape node" err="Get \"https://10.0.0.4:10250/metrics/resource\": x509: certificate signed by unknown authority""#;
    let first = answer(&format!("{down}\n{scrape}"));
    assert_eq!(first.entry.id, "unable-to-handle");
    assert!(first.causes[0].text.contains("no kubelet can be scraped"), "{}", first.causes[0].text);
    assert_eq!(explain(scrape).about, Some(About::Elsewhere));
    assert!(answer(scrape).causes[0].text.contains("cluster CA"));
}

/// The host of the URL shows whether the client is a Pod.
#[test]
fn clients_of_kube_apiserver() {
    let text = |host: &str| format!(r#"Get "https://{host}/api/v1/nodes": dial tcp: i/o timeout"#);
    let first = |host: &str| answer(&text(host)).causes.remove(0).text;
    assert!(first("10.96.0.1:443").contains("A Pod cannot reach"));
    assert!(first("kubernetes.default.svc").contains("A Pod cannot reach"));
    for host in ["api.shop.example:443", "10.0.0.4:6443"] {
        assert!(first(host).contains("VPN"), "{host}");
    }
}

/// The group decides whether kube-apiserver, CRDs or an extension server refused.
#[test]
fn a_refusal_by_group() {
    let text = |group: &str| {
        format!(
            r#"x is forbidden: User "jane" cannot list resource "x" in API group "{group}" in the namespace "shop""#
        )
    };
    for (group, id, by) in [
        ("apps", "rbac", "kube-apiserver; no extension server"),
        ("cert-manager.io", "rbac", "kube-apiserver; no extension server"),
        ("shop.example.io", "rbac", "probably kube-apiserver"),
        ("projectcalico.org", "rbac-aggregated", "probably kube-apiserver"),
    ] {
        let found = explain(&text(group));
        assert_eq!(first_of(&found), id, "{group}");
        let by_text = refused(&found.refusals[0], None).by.to_string();
        assert!(by_text.starts_with(by), "{group}: {by_text}");
    }
    let old = r#"unable to fetch metrics from API: pods.custom.metrics.k8s.io "*" is forbidden: User "jane" cannot get pods.custom.metrics.k8s.io/load in the namespace "shop""#;
    check(old, "rbac-aggregated", "custom.metrics.k8s.io");
}

/// The autoscaler quotes the adapter, which was reached if it reports an error of its own.
#[test]
fn an_adapter_that_fails_itself() {
    let text = r#"unable to fetch metrics from external metrics API: no matches for kind "Scaler" in version "scale.shop.example/v1""#;
    let first = answer(text);
    assert_eq!(first.entry.id, "hpa-fetch");
    assert!(first.causes[0].text.contains("was reached and fails itself"));
}

/// Several servers take the plural.
#[test]
fn leads_agree_with_their_subject() {
    let lead = |gvs: &[&str]| {
        let each = gvs
            .iter()
            .map(|gv| format!("{gv}: the server is currently unable to handle the request"));
        answer(&format!(
            "unable to retrieve the complete list of server APIs: {}",
            each.collect::<Vec<_>>().join(", ")
        ))
        .lead
    };
    assert!(lead(&["metrics.k8s.io/v1beta1"]).ends_with("metrics-server does not answer"));
    assert!(
        lead(&["a.example.io/v1", "b.example.io/v1"])
            .ends_with("the server behind these APIServices does not answer")
    );
    assert!(
        lead(&["a.example.io/v1", "b.example.net/v1"])
            .ends_with("the servers behind these APIServices do not answer")
    );
}

/// The name of an APIService alone is a question about it.
#[test]
fn the_name_of_an_api_service() {
    for (text, id, about) in [
        ("v1beta1.metrics.k8s.io", "api-service", "metrics.k8s.io/v1beta1"),
        ("shop.example.io/v1", "api-service", "shop.example.io/v1"),
        ("v1.apps", "local", "apps/v1"),
        ("v1.cert-manager.io", "local", "cert-manager.io/v1"),
    ] {
        check(text, id, about);
        assert_eq!(explain(text).about, Some(About::AggregationLayer), "{text}");
    }
}

/// TLS and HTTP errors prove that kube-apiserver was reached.
#[test]
fn a_client_that_reached_kube_apiserver() {
    let text = |error: &str| format!(r#"Get "https://10.96.0.1:443/api/v1/nodes": {error}"#);
    for (error, words) in [
        ("x509: certificate signed by unknown authority", "The CA in the kubeconfig"),
        ("x509: certificate has expired or is not yet valid", "has expired"),
        ("stream error: stream ID 7; INTERNAL_ERROR", "failed while it answered"),
        ("dial tcp 10.96.0.1:443: i/o timeout", "A Pod cannot reach"),
    ] {
        let causes = answer(&text(error)).causes;
        assert!(causes[0].text.contains(words), "{error}: {causes:#?}");
        let reach = causes.iter().any(|cause| cause.text.contains("A Pod cannot reach"));
        assert_eq!(reach, error.starts_with("dial"), "{error}: {causes:#?}");
    }
    let outside = "The connection to the server 127.0.0.1:6443 was refused - did you specify the right host or port?";
    let causes = answer(outside).causes;
    assert!(causes[0].text.contains("is down or restarting"), "{causes:#?}");
    assert!(causes.iter().all(|cause| !cause.text.contains("A Pod")), "{causes:#?}");
}

/// A URL that is not an API's belongs to the program that printed it.
#[test]
fn a_request_to_another_server() {
    let text = "Error fetching catalog: Get https://broker.shop.svc:1338/v2/catalog: x509: certificate signed by unknown authority";
    assert_eq!(explain(text).about, Some(About::Elsewhere));
    let first = answer(text);
    assert_eq!(first.entry.id, "other-request");
    assert!(first.causes[0].text.contains("does not trust"), "{:#?}", first.causes);
    assert!(commands(text)[0].contains("-n shop get endpointslices"), "{:?}", commands(text));
}

/// kube-apiserver and CRDs serve some groups, so no extension server is involved.
#[test]
fn groups_without_an_extension_server() {
    for (group, words) in [("velero.io", "etcd"), ("batch", "etcd")] {
        let text = format!(
            "the server was unable to return a response in the time allotted (get x.{group}) group={group}/v1"
        );
        assert_eq!(explain(&text).about, Some(About::Elsewhere), "{group}");
        assert!(answer(&text).causes[0].text.contains(words), "{group}");
        assert!(commands(&text).iter().all(|command| !command.contains("doctor")), "{group}");
    }
    let unknown =
        "the server was unable to return a response in the time allotted (get x.shop.example.io)";
    assert_eq!(explain(unknown).about, Some(About::Possibly));
}

/// The API decides what a missing metric means.
#[test]
fn missing_metrics_by_api() {
    let all = |text: &str| {
        answer(text).causes.into_iter().map(|cause| cause.text).collect::<Vec<_>>().join("\n")
    };
    let custom = all("unable to get metric load: no metrics returned from custom metrics API");
    assert!(custom.contains("The adapter") && !custom.contains("kubelet"), "{custom}");
    let resource = all(
        "unable to get metrics for resource cpu: no metrics returned from resource metrics API",
    );
    assert!(!resource.contains("The adapter") && resource.contains("kubelet"), "{resource}");
}

/// The code shows which half of the tunnel of k3s failed.
#[test]
fn the_code_of_a_tunnel() {
    let text = |code: &str| {
        format!(
            "failing or missing response from https://10.0.0.9:443/apis/a.example.io/v1: proxy error from 127.0.0.1:6443 while dialing 10.0.0.9:443, code {code}: x"
        )
    };
    assert!(answer(&text("502")).causes[0].text.contains("could not reach the Pod"));
    assert!(answer(&text("500")).causes[0].text.contains("is not connected"));
    assert!(commands(&text("502")).iter().any(|c| c.ends_with("| grep -wF 10.0.0.9")));
}

/// The tail of a client's message decides: 429 is an answer.
#[test]
fn too_many_requests() {
    let text = "couldn't get resource list for a.example.io/v1: the server has received too many requests and has asked us to try again later";
    let first = answer(text);
    assert_eq!(first.entry.id, "too-many-requests");
    assert!(first.causes.iter().all(|cause| !cause.text.contains("not running")));
}
