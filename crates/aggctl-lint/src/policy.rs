//! Rules as CEL expressions, for a ValidatingAdmissionPolicy.
//!
//! A policy sees one APIService and no other object, as the API server decoded it. [`form`] has the
//! expression of each rule, or why there cannot be one. tests/external/policy.rs compares both with
//! a real API server.

use kube_aggregation::model::{AGGREGATOR_GROUP, EXTENSIONS_GROUP};
use kube_aggregation::registry::Registry;
use std::collections::BTreeSet;

use crate::{Category, Rule};

/// A rule as CEL, or why it cannot be CEL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyForm {
    /// It can be checked in a policy.
    Check {
        /// True for an APIService that violates the rule.
        violated: &'static str,
        /// An expression for the message.
        message: &'static str,
    },
    /// It cannot.
    Impossible(Obstacle),
}

/// Why a rule cannot be checked in a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// The API server rejects such objects itself.
    ServerRejects,
    /// The rule compares with other objects.
    OtherObjects,
    /// The rule is about the text of a file, or fields that the API server replaces.
    FileOnly,
    /// CEL in Kubernetes cannot read certificates.
    Certificates,
}

/// Names for expressions that several rules use. Each may use those before it.
pub const VARIABLES: &[(&str, &str)] = &[
    ("group", "has(object.spec.group) ? object.spec.group : ''"),
    (
        "groupVersion",
        "variables.group + '/' + (has(object.spec.version) ? object.spec.version : '')",
    ),
    ("remote", "has(object.spec.service)"),
    (
        "serviceName",
        "variables.remote && has(object.spec.service.name) ? object.spec.service.name : ''",
    ),
    (
        "serviceNamespace",
        "variables.remote && has(object.spec.service.namespace) ? object.spec.service.namespace : ''",
    ),
    ("insecure", "has(object.spec.insecureSkipTLSVerify) && object.spec.insecureSkipTLSVerify"),
    // The base64 text. CEL cannot decode it.
    ("bundle", "has(object.spec.caBundle) ? object.spec.caBundle : ''"),
    ("annotations", "has(object.metadata.annotations) ? object.metadata.annotations : {}"),
    ("labels", "has(object.metadata.labels) ? object.metadata.labels : {}"),
    ("builtInGroups", "params.data.builtInGroups.split(' ')"),
    ("builtInGroupVersions", "params.data.builtInGroupVersions.split(' ')"),
    (
        "injectors",
        "['cert-manager.io/inject-ca-from', 'cert-manager.io/inject-ca-from-secret', 'cert-manager.io/inject-apiserver-ca', 'service.beta.openshift.io/inject-cabundle', 'service.alpha.openshift.io/inject-cabundle']",
    ),
    (
        "injectedBy",
        "variables.injectors.filter(key, key in variables.annotations && !(variables.annotations[key] in ['', 'false']))",
    ),
    (
        "deadAnnotations",
        "variables.annotations.filter(key, !(key in variables.injectors) && key.matches('^(certmanager[.]k8s[.]io|cert-manager[.]io|service[.](alpha|beta)[.]openshift[.]io)/inject-.*ca'))",
    ),
];

/// Returns a rule as CEL.
pub fn form(rule: &Rule) -> PolicyForm {
    let (violated, message) = match rule.name {
        "aggregator-own-group" => (
            "variables.group == 'apiregistration.k8s.io' && variables.groupVersion != 'apiregistration.k8s.io/v1'",
            "'kube-aggregator serves ' + variables.group + ' itself, so this APIService has no effect'",
        ),
        "automanaged-label" => (
            "'kube-aggregator.kubernetes.io/automanaged' in variables.labels && variables.labels['kube-aggregator.kubernetes.io/automanaged'] in ['onstart', 'true']",
            "'with this label, controllers overwrite or delete the object'",
        ),
        // "-----BEGIN " in base64, at each of the three offsets that it can have.
        "ca-bundle-not-pem" => (
            "variables.bundle != '' && size(variables.injectedBy) == 0 && !['LS0tLS1CRUdJTi', '0tLS0tQkVHSU4g', 'tLS0tLUJFR0lOI'].exists(text, variables.bundle.contains(text))",
            "'the caBundle is not PEM, so the API server cannot connect with it'",
        ),
        // "PRIVATE KEY-----", likewise.
        "ca-bundle-with-private-key" => (
            "['UFJJVkFURSBLRVktLS0tL', 'BSSVZBVEUgS0VZLS0tLS', 'QUklWQVRFIEtFWS0tLS0t'].exists(text, variables.bundle.contains(text))",
            "'the caBundle contains a private key, readable by everyone who can list APIServices'",
        ),
        "dead-ca-annotation" => (
            "variables.remote && size(variables.injectedBy) == 0 && size(variables.deadAnnotations) > 0",
            "'nothing reads ' + variables.deadAnnotations[0] + ', so no caBundle is injected'",
        ),
        "group-without-dot" => (
            "variables.group != '' && !variables.group.contains('.') && !(variables.group in variables.builtInGroups)",
            "'the group ' + variables.group + ' has no domain; only groups of Kubernetes have none'",
        ),
        "impossible-service-reference" => (
            "(variables.serviceName != '' && !variables.serviceName.matches('^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$')) || (variables.serviceNamespace != '' && !variables.serviceNamespace.matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'))",
            "'no Service can be called ' + variables.serviceNamespace + '/' + variables.serviceName",
        ),
        "insecure-skip-tls-verify" => (
            "variables.insecure && variables.remote",
            "'the certificate of the Service is not verified'",
        ),
        "insecure-with-injection" => (
            "variables.insecure && size(variables.injectedBy) > 0",
            "variables.injectedBy[0] + ' requests a caBundle, which the server rejects together with insecureSkipTLSVerify'",
        ),
        "joins-built-in-group" => (
            "variables.group in variables.builtInGroups && !(variables.groupVersion in variables.builtInGroupVersions)",
            "variables.group + ' is a built-in group of Kubernetes'",
        ),
        "missing-ca-bundle" => (
            "variables.remote && !variables.insecure && variables.bundle == '' && size(variables.injectedBy) == 0 && size(variables.deadAnnotations) == 0",
            "'without a caBundle the API server cannot verify ' + variables.serviceName + '.' + variables.serviceNamespace + '.svc'",
        ),
        "outranks-built-in-groups" => (
            "!(variables.group in variables.builtInGroups) && object.spec.groupPriorityMinimum > int(params.data.maxGroupPriority)",
            "'groupPriorityMinimum ' + string(object.spec.groupPriorityMinimum) + ' puts this group before built-in groups'",
        ),
        "protected-group" => (
            "variables.group.matches('(^|[.])(k8s|kubernetes)[.]io$') && !(variables.group in ['metrics.k8s.io', 'custom.metrics.k8s.io', 'external.metrics.k8s.io', 'apiregistration.k8s.io']) && !(variables.group in variables.builtInGroups) && !('api-approved.kubernetes.io' in variables.annotations)",
            "'the group ' + variables.group + ' is reserved for the Kubernetes project'",
        ),
        "service-is-the-api-server" => (
            "variables.serviceName == 'kubernetes' && variables.serviceNamespace == 'default'",
            "'the Service default/kubernetes is the API server itself: requests loop'",
        ),
        "shadows-built-in" => (
            "variables.remote && variables.groupVersion in variables.builtInGroupVersions",
            "variables.groupVersion + ' is built in, and this APIService shadows it'",
        ),
        _ => return PolicyForm::Impossible(obstacle(rule)),
    };
    PolicyForm::Check { violated, message }
}

fn obstacle(rule: &Rule) -> Obstacle {
    match (rule.category, rule.name) {
        (Category::Server, _) => Obstacle::ServerRejects,
        (Category::Certificates, _) => Obstacle::Certificates,
        (Category::Input, _)
        | (_, "namespace-in-manifest" | "server-set-metadata" | "status-in-manifest") => {
            Obstacle::FileOnly
        }
        _ => Obstacle::OtherObjects,
    }
}

/// The parameters of the expressions, which depend on the version of Kubernetes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyParameters {
    /// The built-in groups, separated by spaces.
    pub built_in_groups: String,
    /// The built-in group versions, separated by spaces.
    pub built_in_group_versions: String,
    /// The lowest priority of a built-in group.
    pub max_group_priority: i32,
}

impl PolicyParameters {
    /// Returns the parameters for an API server without anything installed.
    pub fn new(server: &Registry<'_>) -> Self {
        let all = || server.api_services().map(|(service, _)| service);
        let groups: BTreeSet<&str> = all()
            .map(|service| service.group_version.group.as_str())
            .chain([EXTENSIONS_GROUP])
            .collect();
        let versions: BTreeSet<String> = all()
            .filter(|service| service.group_version.group != AGGREGATOR_GROUP)
            .map(|service| {
                format!("{}/{}", service.group_version.group, service.group_version.version)
            })
            .collect();
        Self {
            built_in_groups: groups.into_iter().collect::<Vec<_>>().join(" ").trim().to_owned(),
            built_in_group_versions: versions.into_iter().collect::<Vec<_>>().join(" "),
            max_group_priority: all().map(|service| service.group_priority).min().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn rules_that_read_one_object_are_checks() {
        let checks = rules::all().filter(|rule| matches!(form(rule), PolicyForm::Check { .. }));
        assert_eq!(checks.count(), 15);
    }

    #[test]
    fn expressions_use_known_variables_in_order() {
        let used = |text: &str| -> Vec<String> {
            let parts = text.split("variables.").skip(1);
            let name = |part: &str| part.chars().take_while(char::is_ascii_alphanumeric).collect();
            parts.map(name).collect()
        };
        for (position, (name, expression)) in VARIABLES.iter().enumerate() {
            for other in used(expression) {
                let earlier = VARIABLES[..position].iter().any(|(known, _)| *known == other);
                assert!(earlier, "{name} uses {other}");
            }
        }
        for rule in rules::all() {
            let PolicyForm::Check { violated, message } = form(rule) else { continue };
            for other in used(violated).into_iter().chain(used(message)) {
                assert!(
                    VARIABLES.iter().any(|(known, _)| *known == other),
                    "{} {other}",
                    rule.name
                );
            }
        }
    }
}
