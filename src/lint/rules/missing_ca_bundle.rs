//! Nothing says how to verify the Service's certificate.

use super::dead_ca_annotation::{dead, injector};
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "missing-ca-bundle",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    server_rejects: false,
    fixable: false,
    summary: "Nothing says how to verify the Service's certificate",
    docs: Docs {
        what: "Reports an APIService with a Service, but without `caBundle`, without \
               `insecureSkipTLSVerify`, and without an annotation that lets cert-manager or \
               OpenShift inject the bundle. Silent where a service account of that namespace may \
               change APIServices: then it can write the caBundle itself.",
        why: "The API server then trusts only the roots of its own image. A certificate for \
               `<service>.<namespace>.svc` is never signed by one of those, so every request fails \
               with `x509: certificate signed by unknown authority`. Before Kubernetes 1.36 the \
               APIService still shows as available.",
        example: include_str!("../../../testdata/lint/missing-ca-bundle/example.yaml"),
        remedy: "Add the authority's certificate as `caBundle`, or `cert-manager.io/inject-ca-from: \
               <namespace>/<certificate>`. If something else injects it, allow this rule with that \
               reason.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, scope: &Scope<'_>, out: &mut Vec<Finding>) {
    let Some(target) = &service.service else { return };
    if service.insecure_skip_tls_verify
        || service.node(&["spec", "caBundle"]).is_some_and(|n| n.as_str() != Some(""))
    {
        return;
    }
    // What writes its own caBundle ships the right to do so.
    if injector(service).is_some()
        || dead(service).next().is_some()
        || scope.registers_itself(target)
    {
        return;
    }
    let message = format!(
        "without a caBundle the API server cannot verify {}.{}.svc",
        target.name, target.namespace
    );
    let help = "add it, or have it injected with `cert-manager.io/inject-ca-from`";
    out.push(service.finding(&RULE, "spec.caBundle", message).help(help));
}
