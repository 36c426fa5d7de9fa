//! Rules for what the API server rejects: one rule per kind of violation that `server/` finds.

use crate::finding::bounded;
use crate::server::{ServerRejection, Violation};
use crate::{ApiService, Category, Confidence, Finding, Fix, Rule, Severity};

/// Reports what the server rejects, for the rule of its kind.
pub(crate) fn check(
    service: &ApiService<'_>,
    rule: &'static Rule,
    rejection: ServerRejection,
    out: &mut Vec<Finding>,
) {
    let mut joined = false;
    for violation in service.violations.iter().filter(|v| v.rejection == rejection) {
        // Two objects without a `---` between them repeat every field. One finding is enough.
        let again = rejection == ServerRejection::DuplicateField && is_joined(service, violation);
        if again && std::mem::replace(&mut joined, true) {
            continue;
        }
        let message = format!("{}: {}", violation.field, violation.message);
        let mut finding = Finding::new(rule, service.place_of(violation.span), message)
            .field(violation.field.clone())
            .object(service.title());
        finding.help = violation.help.clone().map(|help| bounded(help.into()));
        if again {
            finding.help = Some("separate the two objects with `---`".into());
        }
        finding.fix = fix(service, rejection, &violation.field).map(Box::new);
        out.push(finding);
    }
}

/// Returns whether a repeated field is the start of another object in the same document.
fn is_joined(service: &ApiService<'_>, violation: &Violation) -> bool {
    let repeats = |key: &str| {
        let all = service.object.node.entries().iter();
        all.filter(|entry| entry.key == key).count() > 1
    };
    !violation.field.contains('.') && repeats("apiVersion") && repeats("kind")
}

fn fix(service: &ApiService<'_>, rejection: ServerRejection, field: &str) -> Option<Fix> {
    match rejection {
        // Only an existing name can be replaced, and only by a valid one.
        ServerRejection::Name
            if field == "metadata.name"
                && service.has_group_version()
                && !service.name.is_empty() =>
        {
            let required = service.group_version.api_service_name();
            let title = format!("name it {required}");
            Fix::set(service.object.node, &["metadata", "name"], &required, &title)
        }
        ServerRejection::RemovedApiVersion => {
            let v1 = "apiregistration.k8s.io/v1";
            Fix::set(service.object.node, &["apiVersion"], v1, &format!("use {v1}"))
        }
        _ => None,
    }
}

pub(super) const fn rule(name: &'static str, fixable: bool) -> Rule {
    Rule {
        name,
        category: Category::Server,
        severity: Severity::Error,
        confidence: Confidence::High,
        fixable,
    }
}

pub(super) static CA_BUNDLE_NOT_BASE64: Rule = rule("ca-bundle-not-base64", false);
pub(super) static DUPLICATE_FIELD: Rule = rule("duplicate-field", false);
pub(super) static INCOMPLETE_SERVICE_REFERENCE: Rule = rule("incomplete-service-reference", false);
pub(super) static INSECURE_WITH_CA_BUNDLE: Rule = rule("insecure-with-ca-bundle", false);
pub(super) static INVALID_ANNOTATIONS: Rule = rule("invalid-annotations", false);
pub(super) static INVALID_GROUP: Rule = rule("invalid-group", false);
pub(super) static INVALID_GROUP_PRIORITY: Rule = rule("invalid-group-priority", false);
pub(super) static INVALID_LABELS: Rule = rule("invalid-labels", false);
pub(super) static INVALID_METADATA: Rule = rule("invalid-metadata", false);
pub(super) static INVALID_NAME: Rule = rule("invalid-name", true);
pub(super) static INVALID_PORT: Rule = rule("invalid-port", false);
pub(super) static INVALID_VERSION: Rule = rule("invalid-version", false);
pub(super) static INVALID_VERSION_PRIORITY: Rule = rule("invalid-version-priority", false);
pub(super) static LOCAL_WITH_TLS_SETTINGS: Rule = rule("local-with-tls-settings", false);
pub(super) static UNKNOWN_API_VERSION: Rule = rule("unknown-api-version", false);
pub(super) static UNKNOWN_FIELD: Rule = rule("unknown-field", false);
pub(super) static WRONG_TYPE: Rule = rule("wrong-type", false);
