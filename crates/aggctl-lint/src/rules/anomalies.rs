//! Rules for anomalies that an APIService would have once applied: one rule per code of the
//! registry. The entries of the codes provide the text.

use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use aggctl_diagnose::knowledge;
use kube_aggregation::baseline;
use kube_aggregation::model::Minor;
use kube_aggregation::registry::Code;

/// Reports an anomaly, for the rule of its code.
pub(crate) fn check(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    rule: &'static Rule,
    code: Code,
    out: &mut Vec<Finding>,
) {
    let anomalies = scope.anomalies(service);
    let Some(anomaly) = anomalies.iter().find(|anomaly| anomaly.code == code) else {
        if code == Code::ShadowsCrd {
            out.extend(crd_elsewhere(service, scope, rule));
        }
        return;
    };
    let field = match code {
        Code::Ghost => "spec.version",
        Code::DuplicatedPath
        | Code::ShadowsCrd
        | Code::ShadowsBuiltIn
        | Code::StuckBuiltInApiservice => "spec.service",
        _ => "spec.group",
    };
    let mut says = knowledge::describe(anomaly).what;
    if let Some(owner) = knowledge::owner(&service.group_version.group) {
        says.push_str(&format!("; the group {owner}"));
    }
    let mut finding = service.finding(rule, field, says);
    let minor = Some(Minor::new(scope.options.minor));
    if let Code::Ghost | Code::JoinsBuiltInGroup = code
        && let Some(when) = baseline::when(&service.group_version, None, minor)
    {
        finding = finding.help(when.to_string());
    }
    out.push(match code {
        Code::Ghost if !scope.knows_crds() => {
            finding.severity(Severity::Warning).confidence(Confidence::Medium)
        }
        // kube-apiserver answers 404 for unknown versions of its own groups.
        Code::JoinsBuiltInGroup if service.service.is_none() => finding.severity(Severity::Error),
        _ => finding,
    });
}

/// Reports a CRD that files elsewhere in the input would apply to the same cluster.
fn crd_elsewhere(
    service: &ApiService<'_>,
    scope: &LintContext<'_>,
    rule: &'static Rule,
) -> Option<Finding> {
    service.service.as_ref().filter(|_| service.has_group_version())?;
    let (crd, file) = scope.crd_elsewhere(&service.group_version, service.object.file)?;
    let message = format!("if the CRD {} is applied too, requests never reach it", crd.name);
    let help = format!("the CRD is in {}; install one of the two", scope.inputs[file].name);
    let finding = service.finding(rule, "spec.service", message).help(help);
    Some(finding.severity(Severity::Warning).confidence(Confidence::Medium))
}

const fn rule(name: &'static str, severity: Severity, confidence: Confidence) -> Rule {
    Rule { name, category: Category::Conflicts, severity, confidence, fixable: false }
}

pub(super) static AGGREGATOR_OWN_GROUP: Rule =
    rule("aggregator-own-group", Severity::Error, Confidence::High);
pub(super) static DUPLICATED_PATH: Rule =
    rule("duplicated-path", Severity::Warning, Confidence::Medium);
pub(super) static GHOST: Rule = rule("ghost", Severity::Error, Confidence::High);
pub(super) static JOINS_BUILT_IN_GROUP: Rule =
    rule("joins-built-in-group", Severity::Warning, Confidence::Medium);
pub(super) static SHADOWS_BUILT_IN: Rule =
    rule("shadows-built-in", Severity::Error, Confidence::High);
pub(super) static SHADOWS_CRD: Rule = rule("shadows-crd", Severity::Error, Confidence::High);
pub(super) static STUCK_BUILT_IN_APISERVICE: Rule =
    rule("stuck-built-in-apiservice", Severity::Error, Confidence::Medium);
