//! The extension server may not read how to trust the API server.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-authentication-reader",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not read how to trust the API server",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account that no RoleBinding in `kube-system` gives `extension- \
               apiserver-authentication-reader`.",
        why: "The extension server needs that ConfigMap to verify the API server's client \
               certificate. Without it, it does not start, or treats everybody as anonymous.",
        example: "\
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1.gauges.example.com
spec:
  group: gauges.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  service:
    namespace: monitoring
    name: metrics
---
apiVersion: v1
kind: Service
metadata: {namespace: monitoring, name: metrics}
spec:
  selector: {app: metrics}
  ports: [{port: 443}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: monitoring, name: metrics}
spec:
  template:
    metadata:
      labels: {app: metrics}
    spec:
      serviceAccountName: metrics
",
        remedy: "Bind the Role `extension-apiserver-authentication-reader` in `kube-system` to the \
               service account.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(workload) = scope.workload_behind(service) else { return };
    let granted = scope.granted(workload, |grant| {
        !grant.everywhere
            && grant.namespace.as_deref().is_none_or(|n| n == "kube-system")
            && grant.role.1 == "extension-apiserver-authentication-reader"
    });
    if !granted {
        let message = format!(
            "{} {} runs as `{}`, which nothing in the input gives `extension-apiserver-authentication-reader`",
            workload.kind, workload.name, workload.service_account
        );
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
