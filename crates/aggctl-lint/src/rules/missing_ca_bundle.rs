//! Rule: nothing configures how to verify the Service's certificate.

use super::dead_ca_annotation::{dead, injector};
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-ca-bundle",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    fixable: false,
};

pub(super) fn check(service: &ApiService<'_>, scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    if service.insecure_skip_tls_verify
        || service.node(&["spec", "caBundle"]).is_some_and(|n| n.as_str() != Some(""))
    {
        return;
    }
    if filled_in_later(service, scope) || dead(service).next().is_some() {
        return;
    }
    // If the Service reference is rejected, that must be fixed first.
    if service.violations.iter().any(|v| v.field.starts_with("spec.service")) {
        return;
    }
    let host = match target.namespace.as_str() {
        "" => target.name.clone(),
        namespace => format!("{}.{namespace}.svc", target.name),
    };
    let message = format!("without a caBundle the API server cannot verify {host}");
    let help = "add it, or have it injected with `cert-manager.io/inject-ca-from`";
    out.push(service.finding(&RULE, "spec.caBundle", message).help(help));
}

/// Returns whether something else replaces the caBundle: an injector, a patch, or the extension
/// server itself, which then also ships the permission to do so.
pub(super) fn filled_in_later(service: &ApiService<'_>, scope: &LintContext<'_>) -> bool {
    let registers = |target| scope.registers_itself(target, service.object.file);
    service.trusted_later
        || injector(service).is_some()
        || service.service.as_ref().is_some_and(registers)
}
