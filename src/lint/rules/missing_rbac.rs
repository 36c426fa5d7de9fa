//! What every extension server asks the API server for, and must be allowed to.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Permission, Scope, Severity};

pub(super) static AUTH_DELEGATOR: Rule = Rule {
    name: "missing-auth-delegator",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not ask what a user may do",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account whose roles do not let it create subjectaccessreviews. \
               Silent where the input binds no role to the account, or one \
               that it does not have.",
        why: "An extension server delegates authorization to the API server. Without this right it answers 403 or 500, often only to some requests.",
        example: include_str!("../../../testdata/lint/missing-auth-delegator/example.yaml"),
        remedy: "Bind the ClusterRole `system:auth-delegator` to the service account with a \
               ClusterRoleBinding.",
    },
    check: Check::Each(|service, scope, out| {
        // Without tokenreviews only those fail who ask the extension server directly.
        let review = [Permission {
            verb: "create",
            group: "authorization.k8s.io",
            resource: "subjectaccessreviews",
            name: None,
            namespace: None,
        }];
        let help = "bind the ClusterRole system:auth-delegator to it";
        check(service, scope, (&AUTH_DELEGATOR, &review, help), out);
    }),
};

pub(super) static AUTHENTICATION_READER: Rule = Rule {
    name: "missing-authentication-reader",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not read how to trust the API server",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account whose roles do not let it read the ConfigMap \
               `extension-apiserver-authentication` in `kube-system`. Silent where the input binds \
               no role to the account, or one that it does not have.",
        why: "The extension server needs that ConfigMap to verify the API server's client \
               certificate. Without it, it does not start, or treats everybody as anonymous.",
        example: include_str!("../../../testdata/lint/missing-authentication-reader/example.yaml"),
        remedy: "Bind the Role `extension-apiserver-authentication-reader` in `kube-system` to the \
               service account.",
    },
    check: Check::Each(|service, scope, out| {
        let read = [Permission {
            verb: "get",
            group: "",
            resource: "configmaps",
            name: Some("extension-apiserver-authentication"),
            namespace: Some("kube-system"),
        }];
        let help = "bind the Role extension-apiserver-authentication-reader in kube-system to it";
        check(service, scope, (&AUTHENTICATION_READER, &read, help), out);
    }),
};

/// Reports what the account of the workload behind the Service is not allowed to do.
fn check(
    service: &ApiService<'_>,
    scope: &Scope<'_>,
    (rule, needed, help): (&'static Rule, &[Permission], &str),
    out: &mut Vec<Finding>,
) {
    let Some(workload) = scope.workload_behind(service) else { return };
    let denied = |p: &&Permission| scope.allows(workload, p) == Some(false);
    let missing: Vec<String> = needed.iter().filter(denied).map(words).collect();
    if !missing.is_empty() {
        let message = format!(
            "{} {} runs as `{}`, which may not {}",
            workload.kind,
            workload.name,
            workload.service_account,
            missing.join(" and ")
        );
        out.push(service.finding(rule, "spec.service", message).help(help));
    }
}

fn words(permission: &Permission) -> String {
    match (permission.name, permission.namespace) {
        (Some(name), Some(namespace)) => {
            format!("{} {} {namespace}/{name}", permission.verb, permission.resource)
        }
        _ => format!("{} {}", permission.verb, permission.resource),
    }
}
