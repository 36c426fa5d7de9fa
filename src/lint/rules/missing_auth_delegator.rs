//! The extension server may not ask the API server who a user is and what he may do.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-auth-delegator",
    category: Category::Operation,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "The extension server may not ask the API server who a user is and what he may do",
    docs: Docs {
        what: "Follows the Service to a Deployment, DaemonSet or StatefulSet in the input, and \
               reports a service account that no ClusterRoleBinding of the input gives \
               `system:auth-delegator`.",
        why: "An extension server delegates authentication and authorization to the API server. \
               Without that role it answers 403 or 500, often only to some requests.",
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
        remedy: "Bind the ClusterRole `system:auth-delegator` to the service account. If it has the \
               same rights another way, allow this rule with that reason.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(workload) = scope.workload_behind(service) else { return };
    let granted = scope.granted(workload, |grant| {
        grant.everywhere
            && grant.role == ("ClusterRole".to_owned(), "system:auth-delegator".to_owned())
    });
    if !granted {
        let message = format!(
            "{} {} runs as `{}`, which nothing in the input gives `system:auth-delegator`",
            workload.kind, workload.name, workload.service_account
        );
        out.push(service.finding(&RULE, "spec.service", message));
    }
}
