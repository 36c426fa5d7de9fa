//! The JSON of `upgrade`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::usage::UsageJson;
use kube_aggregation::upgrade::{Upgrade, UpgradeFinding, UpgradeImpact};

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct UpgradeJson<'a> {
    from: String,
    to: String,
    summary: UpgradeSummaryJson,
    /// The worst first.
    findings: Vec<UpgradeFindingJson<'a>>,
    /// With `--audit`: the requests that would end differently, and their clients.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<UsageJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct UpgradeSummaryJson {
    breaks: usize,
    risks: usize,
    changes: usize,
    comes: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct UpgradeFindingJson<'a> {
    /// `breaks`, `risks`, `changes` or `comes`.
    weight: &'static str,
    code: &'static str,
    /// The minor that causes it.
    since: Option<String>,
    /// Group versions, APIServices, CRDs or groups.
    subjects: Vec<String>,
    resources: &'a [String],
    message: String,
    advice: Option<&'static str>,
}

impl<'a> UpgradeJson<'a> {
    pub(super) fn new(upgrade: &'a Upgrade, requests: Option<UsageJson<'a>>) -> Self {
        Self {
            from: upgrade.from.to_string(),
            to: upgrade.to.to_string(),
            summary: UpgradeSummaryJson {
                breaks: upgrade.count(UpgradeImpact::Breaks),
                risks: upgrade.count(UpgradeImpact::Risks),
                changes: upgrade.count(UpgradeImpact::Changes),
                comes: upgrade.count(UpgradeImpact::Comes),
            },
            findings: upgrade.findings.iter().map(UpgradeFindingJson::new).collect(),
            requests,
        }
    }
}

impl<'a> UpgradeFindingJson<'a> {
    pub(super) fn new(finding: &'a UpgradeFinding) -> Self {
        Self {
            weight: finding.weight.as_str(),
            code: finding.what.code(),
            since: finding.since.map(|minor| minor.to_string()),
            subjects: finding.what.subjects(),
            resources: finding.what.resources(),
            message: finding.what.to_string(),
            advice: finding.what.advice(),
        }
    }
}
