//! Lint rules as ValidatingAdmissionPolicies: one policy per severity, because a binding has one
//! action for all checks of its policy.

use crate::render::{Answer, TextOptions, to_yaml};
use aggctl_lint::policy::{PolicyForm, PolicyParameters, VARIABLES, form};
use aggctl_lint::{Rule, Severity};
use kube_aggregation::model::{AGGREGATOR_GROUP, Minor};
use serde::Serialize;
use serde_json::{Value, json};

/// The name of the parameters, and the start of the policies' names.
const NAME: &str = "aggctl-apiservices";

/// The namespace of the parameters.
const NAMESPACE: &str = "kube-system";

const ADMISSION: &str = "admissionregistration.k8s.io/v1";

/// Policies that check the same as lint rules.
#[derive(Debug)]
pub struct Policies {
    /// The rules to include. Those that cannot be a policy are left out.
    pub rules: Vec<&'static Rule>,
    /// The parameters for a version of Kubernetes.
    pub parameters: PolicyParameters,
    /// That version.
    pub minor: Minor,
    /// Whether to record violations in the audit log instead of rejecting or warning.
    pub audit: bool,
}

impl Policies {
    fn objects(&self) -> Vec<Value> {
        let mut objects = vec![self.parameters()];
        for (severity, suffix) in [(Severity::Error, "errors"), (Severity::Warning, "warnings")] {
            let checks: Vec<_> = self.checks(severity).collect();
            if checks.is_empty() {
                continue;
            }
            let name = format!("{NAME}-{suffix}");
            let actions = match severity {
                _ if self.audit => json!(["Audit"]),
                Severity::Error => json!(["Deny"]),
                _ => json!(["Warn"]),
            };
            objects.push(policy(&name, &checks));
            objects.push(json!({
                "apiVersion": ADMISSION,
                "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": { "name": name },
                "spec": {
                    "policyName": name,
                    "paramRef": {
                        "name": NAME,
                        "namespace": NAMESPACE,
                        "parameterNotFoundAction": "Deny",
                    },
                    "validationActions": actions,
                },
            }));
        }
        objects
    }

    fn parameters(&self) -> Value {
        let parameters = &self.parameters;
        json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": NAME,
                "namespace": NAMESPACE,
                "annotations": { "aggctl/kubernetes-version": self.minor.to_string() },
            },
            "data": {
                "builtInGroups": parameters.built_in_groups,
                "builtInGroupVersions": parameters.built_in_group_versions,
                "maxGroupPriority": parameters.max_group_priority.to_string(),
            },
        })
    }

    /// Returns the validations of the rules with a severity.
    fn checks(&self, severity: Severity) -> impl Iterator<Item = Value> {
        self.rules.iter().filter(move |rule| rule.severity == severity).filter_map(|rule| {
            let PolicyForm::Check { violated, message } = form(rule) else { return None };
            let name = rule.name;
            Some(json!({
                // The same annotation allows a finding of lint.
                "expression": format!("'allow.aggctl/{name}' in variables.annotations || !({violated})"),
                "messageExpression": format!("{message} + ' [{name}; aggctl explain {name}]'"),
            }))
        })
    }
}

fn policy(name: &str, checks: &[Value]) -> Value {
    let variables: Vec<_> = VARIABLES
        .iter()
        .map(|(name, expression)| json!({ "name": name, "expression": expression }))
        .collect();
    json!({
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": name },
        "spec": {
            // A policy that cannot be evaluated must not block the registration of an API.
            "failurePolicy": "Ignore",
            "paramKind": { "apiVersion": "v1", "kind": "ConfigMap" },
            "matchConstraints": {
                "resourceRules": [{
                    "apiGroups": [AGGREGATOR_GROUP],
                    "apiVersions": ["v1"],
                    "operations": ["CREATE", "UPDATE"],
                    "resources": ["apiservices"],
                }],
            },
            "matchConditions": [
                // kube-apiserver registers built-in groups and CRDs itself.
                {
                    "name": "not-the-api-server",
                    "expression": "request.userInfo.username != 'system:apiserver'",
                },
                // An object that is being deleted must not be stuck because of its finalizers.
                {
                    "name": "not-being-deleted",
                    "expression": "!has(object.metadata.deletionTimestamp)",
                },
            ],
            "variables": variables,
            "validations": checks,
        },
    })
}

impl Answer for Policies {
    fn text(&self, _: TextOptions) -> String {
        let documents = self.objects().into_iter().map(|object| to_yaml(&object));
        documents.flatten().collect::<Vec<_>>().join("---\n")
    }

    fn json(&self) -> impl Serialize {
        json!({ "apiVersion": "v1", "kind": "List", "items": self.objects() })
    }
}
