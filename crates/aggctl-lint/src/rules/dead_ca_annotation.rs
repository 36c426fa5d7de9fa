//! Rule: an annotation requests a caBundle, but no injector reads it.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "dead-ca-annotation",
    category: Category::Certificates,
    severity: Severity::Warning,
    confidence: Confidence::High,
    fixable: false,
};

/// The annotations that make an injector fill in the caBundle.
const INJECTORS: [&str; 5] = [
    "cert-manager.io/inject-ca-from",
    "cert-manager.io/inject-ca-from-secret",
    "cert-manager.io/inject-apiserver-ca",
    "service.beta.openshift.io/inject-cabundle",
    "service.alpha.openshift.io/inject-cabundle",
];

/// Returns the annotation that requests a caBundle, if an injector reads it.
pub(super) fn injector(service: &ApiService<'_>) -> Option<&'static str> {
    INJECTORS
        .into_iter()
        .find(|key| service.annotation(key).is_some_and(|value| !matches!(value, "" | "false")))
}

/// Returns annotations that request a caBundle but that no injector reads, each with the intended
/// one.
pub(super) fn dead<'a>(
    service: &ApiService<'a>,
) -> impl Iterator<Item = (&'a located_document::Entry<'a>, &'static str)> {
    let entries = service.node(&["metadata", "annotations"]).map_or(&[][..], |n| n.entries());
    entries.iter().filter_map(|entry| {
        let (domain, name) = entry.key.split_once('/')?;
        let asks = name.starts_with("inject-") && name.contains("ca");
        if INJECTORS.contains(&&*entry.key) || !asks {
            return None;
        }
        if domain == "certmanager.k8s.io" {
            let meant = INJECTORS.iter().find(|i| i.ends_with(name));
            return Some((entry, *meant.unwrap_or(&INJECTORS[0])));
        }
        // Another domain may have its own injector.
        let own = INJECTORS.iter().any(|i| i.split('/').next() == Some(domain));
        let meant =
            kube_aggregation::nearest::nearest(&entry.key, INJECTORS).unwrap_or(INJECTORS[0]);
        own.then_some((entry, meant))
    })
}

pub(super) fn check(service: &ApiService<'_>, _scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    if service.service.is_none() || injector(service).is_some() {
        return;
    }
    for (entry, meant) in dead(service) {
        let message = format!("nothing reads `{}`, so no caBundle is injected", entry.key);
        let finding = Finding::new(&RULE, service.place_of(entry.key_span), message)
            .field("metadata.annotations")
            .object(service.title());
        out.push(finding.help(format!("write `{meant}`")));
    }
}
