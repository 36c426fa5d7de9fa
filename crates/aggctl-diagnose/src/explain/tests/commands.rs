//! Tests that suggested commands contain the names from the text, and no others.

use super::*;
use crate::access::AccessRefusal;

/// Returns the commands of the first entry.
fn commands(text: &str) -> Vec<String> {
    let report = ExplainReport::new(explain(text), vec![], None);
    let next = report.answers.into_iter().next().map(|answer| answer.next).unwrap_or_default();
    next.into_iter().map(|step| step.command).filter(|command| !command.is_empty()).collect()
}

fn check_has(text: &str, want: &[&str]) {
    let all = commands(text);
    for one in want {
        assert!(all.iter().any(|command| command == one), "{one}\nnot in {all:#?}");
    }
}

#[test]
fn who_was_refused_what() {
    check_has(
        r#"carts.custom.metrics.k8s.io "web" is forbidden: User "system:serviceaccount:shop:hpa" cannot get resource "carts/load" in API group "custom.metrics.k8s.io" in the namespace "shop""#,
        &[
            "kubectl auth can-i get carts.custom.metrics.k8s.io --subresource=load -n shop --as=system:serviceaccount:shop:hpa",
        ],
    );
    check_has(
        r#"pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope"#,
        &["kubectl auth can-i list pods --as=jane"],
    );
    check_has(
        r#"forbidden: User "system:anonymous" cannot get path "/apis/shop.example.io/v1""#,
        &["kubectl auth can-i get /apis/shop.example.io/v1 --as=system:anonymous"],
    );
    let forbidden = r#"configmaps "extension-apiserver-authentication" is forbidden"#;
    let placeholder = |command: &String| command.contains("NAMESPACE:NAME");
    assert!(!commands(forbidden).iter().any(placeholder), "no empty slots");
    // The refusal itself comes with the command that grants the missing rule.
    let refused = format!(
        r#"{forbidden}: User "system:serviceaccount:shop:web" cannot get resource "configmaps" in API group "" in the namespace "kube-system""#
    );
    assert!(!commands(&refused).iter().any(|command| command.contains(" create ")));
}

/// A group is enough for most commands. A typed kind adds the version.
#[test]
fn groups_without_a_version() {
    let gone = "the server is currently unable to handle the request (get carts.shop.example.io)";
    check_has(
        gone,
        &["kubectl get apiservices | grep -E shop.example.io", "aggctl doctor shop.example.io"],
    );
    check(gone, "unable-to-handle", "shop.example.io");
    let typed = format!("reflector.go:1] Failed to list *v1beta1.Cart: {gone}");
    check(&typed, "unable-to-handle", "shop.example.io/v1beta1");
    let other = format!("reflector.go:1] Failed to list *v1beta1.Shop: {gone}");
    check(&other, "unable-to-handle", "shop.example.io");
}

/// Versions elsewhere in the text are used.
#[test]
fn versions_of_the_rest_of_the_text() {
    let api = "unable to fetch metrics from custom metrics API: the server is currently unable to handle the request";
    let path = "GET /apis/custom.metrics.k8s.io/v1beta1/namespaces/shop/pods/web/load";
    check(&format!("{path}\n\n{api}"), "unable-to-handle", "custom.metrics.k8s.io/v1beta1");
    check(api, "unable-to-handle", "custom.metrics.k8s.io");
}

/// An APIService is suggested for deletion only if the text shows that its Service is gone, and
/// never if several owners' APIServices fail at once.
#[test]
fn no_mass_deletion() {
    let failing = |gvs: &[&str], table: &str| {
        let each = gvs
            .iter()
            .map(|gv| format!("{gv}: the server is currently unable to handle the request"));
        let each = each.collect::<Vec<_>>().join(", ");
        commands(&format!("unable to retrieve the complete list of server APIs: {each}{table}"))
    };
    let deletes = |all: &[String]| all.iter().any(|command| command.starts_with("kubectl delete"));
    let gone = "\nv1.a.example.io   shop/web   False (ServiceNotFound)   3d";
    assert!(!deletes(&failing(&["a.example.io/v1"], "")));
    assert!(deletes(&failing(&["a.example.io/v1"], gone)));
    assert!(!deletes(&failing(&["a.example.io/v1", "b.example.net/v1"], gone)));
}

/// A predefined role is bound rather than a new one created.
#[test]
fn ready_made_roles_are_bound() {
    let told = |text: &str| {
        let refused = refused(&AccessRefusal::find_all(text)[0], None);
        (refused.commands.join("; "), refused.rule.is_some(), refused.by.as_str())
    };
    assert_eq!(
        told(r#"configmaps "extension-apiserver-authentication" is forbidden: User "system:serviceaccount:shop:web" cannot get resource "configmaps" in API group "" in the namespace "kube-system""#),
        (
            "kubectl create rolebinding web-extension-apiserver-authentication-reader -n kube-system --role=extension-apiserver-authentication-reader --serviceaccount=shop:web".to_owned(),
            false,
            "kube-apiserver",
        ),
    );
    assert_eq!(
        told(r#"User "system:serviceaccount:shop:web" cannot create resource "tokenreviews" in API group "authentication.k8s.io" at the cluster scope"#),
        (
            "kubectl create clusterrolebinding web-system-auth-delegator --clusterrole=system:auth-delegator --serviceaccount=shop:web".to_owned(),
            false,
            "kube-apiserver",
        ),
    );
}

/// The quoted text begins and ends with whole words.
#[test]
fn quotations_are_whole() {
    for (text, want) in [
        ("fetch of x: EOF", "x: EOF"),
        (
            r#"{"message":"Get \"https://10.0.0.4:10250/containerLogs/a/b/c\": timeout","code":500}"#,
            r#"https://10.0.0.4:10250/containerLogs/a/b/c": timeout","code":500}"#,
        ),
        (
            r#"{"message": "forbidden: User \"system:anonymous\" cannot get path \"/apis/a.example.io/v1\"","#,
            r#"User "system:anonymous" cannot get path "/apis/a.example.io/v1""#,
        ),
    ] {
        assert_eq!(explain(text).matches[0].text, want, "{text}");
    }
}

/// A routine entry counts only if no other entry matches.
#[test]
fn routine_lines_name_nothing() {
    let item = "I0101 controller.go:107] OpenAPI AggregationController: Processing item";
    let routine = format!("{item} v1.well.example.io");
    check(&routine, "openapi-processing", "well.example.io/v1");
    let failed = r#"E0101 controller.go:114] loading OpenAPI spec for "v1.ill.example.io" failed with: OpenAPI spec does not exist"#;
    let text = format!("{item} v1.ill.example.io\n{failed}\n{routine}");
    check(&text, "openapi-aggregation", "ill.example.io/v1");
    assert_eq!(explain(&text).matches[0].line, 2);
}
