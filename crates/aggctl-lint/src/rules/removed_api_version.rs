//! Rule: an object uses an apiVersion that the server no longer serves.
//!
//! `server/` checks APIServices. This file checks every other object of the input, because an
//! install fails just as well if the Deployment next to an APIService is refused. It also checks
//! templates, as far as their text shows the apiVersion and the kind.

use super::server_rejections::rule;
use crate::api_service::ManifestObject;
use crate::found::text;
use crate::server::Removal;
use crate::template::Literal;
use crate::{Confidence, Finding, Fix, Place, Rule, Severity};
use kube_aggregation::model::Minor;
use located_document::Node;

pub(crate) static RULE: Rule = rule("removed-api-version", true);

/// Objects whose fields stayed the same when their version was removed, per the Deprecated API
/// Migration Guide (<https://kubernetes.io/docs/reference/using-api/deprecation-guide/>).
const UNCHANGED: &[(&str, &[&str])] = &[
    ("apiregistration.k8s.io/v1beta1", &["APIService"]),
    ("autoscaling/v2beta2", &["HorizontalPodAutoscaler"]),
    ("batch/v1beta1", &["CronJob"]),
    ("coordination.k8s.io/v1beta1", &["Lease"]),
    ("extensions/v1beta1", &["NetworkPolicy"]),
    ("networking.k8s.io/v1beta1", &["IngressClass"]),
    ("node.k8s.io/v1beta1", &["RuntimeClass"]),
    (
        "rbac.authorization.k8s.io/v1beta1",
        &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"],
    ),
    ("scheduling.k8s.io/v1beta1", &["PriorityClass"]),
    (
        "storage.k8s.io/v1beta1",
        &["CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment"],
    ),
];

/// Reports an object if the server does not serve its apiVersion any more. `kind` may come from the
/// list that the object is in.
pub(crate) fn check(object: ManifestObject<'_>, kind: &str, minor: Minor) -> Option<Finding> {
    let api_version = object.node.get("apiVersion")?;
    let written = api_version.as_str()?;
    let removal = Removal::find(written, kind, minor)?;
    let place = Place { file: object.file, document: object.document, span: api_version.span };
    let mut finding = finding(place, kind, text(object.node, &["metadata", "name"]), &removal);
    if let Some((instead, _)) = &removal.instead
        && stays_valid(object.node, &removal.group_version.to_string(), kind)
    {
        let instead = instead.to_string();
        finding = finding.help(format!("write `apiVersion: {instead}`"));
        let title = format!("use {instead}");
        finding.fix = Fix::set(object.node, &["apiVersion"], &instead, &title).map(Box::new);
    }
    Some(finding)
}

/// Reports an object of a template. In a conditional block the apiVersion may never be rendered.
pub(crate) fn in_template(
    (file, document): (usize, usize),
    literal: &Literal<'_>,
    minor: Minor,
) -> Option<Finding> {
    let removal = Removal::find(literal.api_version, literal.kind, minor)?;
    let place = Place { file, document, span: literal.span };
    let finding = finding(place, literal.kind, "", &removal);
    match (literal.conditional, &removal.instead) {
        (false, _) => Some(finding),
        (true, Some(_)) => Some(finding.severity(Severity::Warning).confidence(Confidence::Medium)),
        // An object without a replacement is usually optional.
        (true, None) => None,
    }
}

fn finding(place: Place, kind: &str, name: &str, removal: &Removal) -> Finding {
    let title = if name.is_empty() { kind.to_owned() } else { format!("{kind}/{name}") };
    let help = match &removal.instead {
        Some((instead, _)) if is_unchanged(&removal.group_version.to_string(), kind) => {
            format!("write `apiVersion: {instead}`")
        }
        Some((instead, _)) => format!("port it to {instead}: more than the apiVersion changes"),
        None => "delete the object: nothing serves this kind any more".to_owned(),
    };
    let message = format!("apiVersion: {kind} of {} {removal}", removal.group_version);
    Finding::new(&RULE, place, message).field("apiVersion").object(title).help(help)
}

/// Returns whether an object needs nothing but the new apiVersion.
fn stays_valid(node: &Node<'_>, group_version: &str, kind: &str) -> bool {
    let has = |key: &str| node.at(&["spec", key]).is_some_and(|value| !value.is_null());
    match (group_version, kind) {
        ("apps/v1beta1" | "apps/v1beta2" | "extensions/v1beta1", "Deployment" | "ReplicaSet") => {
            has("selector") && !has("rollbackTo")
        }
        // Their default update strategy was another one.
        ("apps/v1beta2", "DaemonSet" | "StatefulSet") => has("selector"),
        ("apps/v1beta1", "StatefulSet") | ("extensions/v1beta1", "DaemonSet") => {
            has("selector") && has("updateStrategy") && !has("templateGeneration")
        }
        // An empty selector selected no Pods, and selects all of them in policy/v1.
        ("policy/v1beta1", "PodDisruptionBudget") => {
            node.at(&["spec", "selector"]).is_some_and(|s| !s.entries().is_empty())
        }
        _ => is_unchanged(group_version, kind),
    }
}

fn is_unchanged(group_version: &str, kind: &str) -> bool {
    UNCHANGED.iter().any(|(gv, kinds)| *gv == group_version && kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(text: &str, minor: u32) -> Option<(String, bool)> {
        let document = located_document::parse(text.as_bytes()).remove(0).unwrap();
        let object = ManifestObject { file: 0, document: 0, node: &document.root };
        let kind = text_of(&document.root);
        let found = check(object, &kind, Minor::new(minor))?;
        Some((found.help.unwrap().into_owned(), found.fix.is_some()))
    }

    fn text_of(node: &Node<'_>) -> String {
        text(node, &["kind"]).to_owned()
    }

    #[test]
    fn a_fix_needs_the_same_fields() {
        let role = "apiVersion: rbac.authorization.k8s.io/v1beta1\nkind: Role\n";
        let v1 = "write `apiVersion: rbac.authorization.k8s.io/v1`".to_owned();
        assert_eq!(help(role, 37), Some((v1, true)));
        assert_eq!(help(role, 21), None);
        let deployment = "apiVersion: extensions/v1beta1\nkind: Deployment\nspec:\n";
        let port = "port it to apps/v1: more than the apiVersion changes".to_owned();
        assert_eq!(help(&format!("{deployment}  replicas: 1\n"), 37), Some((port, false)));
        let fixed = help(&format!("{deployment}  selector: {{matchLabels: {{a: b}}}}\n"), 37);
        assert_eq!(fixed, Some(("write `apiVersion: apps/v1`".to_owned(), true)));
        let psp = "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\n";
        assert!(help(psp, 37).is_some_and(|(help, fix)| help.starts_with("delete") && !fix));
        assert_eq!(help("apiVersion: example.com/v1beta1\nkind: Role\n", 37), None);
        assert_eq!(help("apiVersion: v1\nkind: Service\n", 37), None);
    }
}
