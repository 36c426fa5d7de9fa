//! A request's way through the filters before the chain.

use schemars::JsonSchema;
use serde::Serialize;

use super::text::{SERVER_WIDTH, beside};
use crate::render::{TextBuilder, joined, sanitise};
use aggctl_diagnose::access::{AccessDecision, Caller, FilterOutcome, FilterStep, Grant, NearMiss};
use kube_aggregation::model::PolicyRule;
use kube_aggregation::routing::Outcome;

/// The filters, a line or more each, drawn as hops.
pub(super) fn filter_lines(sheet: &mut TextBuilder, passage: &FilterOutcome<'_, '_>) {
    let (paint, column) = (sheet.page.paint, beside(sheet.page.width));
    let mut rest = String::new();
    for FilterStep { filter, says, stops } in passage.steps() {
        let mark = match passage.end() {
            Some((Outcome::Unknown, _)) if stops => paint.odd("?"),
            Some(_) if stops => paint.bad("×"),
            _ => paint.faint("│"),
        };
        let name = format!("{:SERVER_WIDTH$}", filter.as_str().replace('-', " "));
        let name = if stops { paint.strong(name) } else { paint.faint(name) };
        let rail = if stops { " ".into() } else { paint.faint("│") };
        rest = format!("  {rail} {:column$}  ", "");
        if column == 0 {
            sheet.line(format_args!("  {mark} {}", name.to_string().trim_end()));
            sheet.paragraph(&rest, &rest, says);
        } else {
            sheet.paragraph(format_args!("  {mark} {name}  "), &rest, says);
        }
    }
    for more in details(passage) {
        sheet.paragraph(&rest, &rest, more);
    }
}

/// What there is to say of a decision beside its reason.
fn details(passage: &FilterOutcome<'_, '_>) -> Vec<String> {
    let mut lines = vec![];
    if let AccessDecision::Allowed(grant) = &passage.decision {
        lines.push(format!("rule: {}", grant.rule()));
    }
    match passage.also.as_slice() {
        [] => {}
        [one] => lines.push(format!("also allowed by {one}")),
        [one, more @ ..] => {
            lines.push(format!("also allowed by {one} and {} more", more.len()));
        }
    }
    if let Some(enough) = passage.enough() {
        lines.push(format!("enough would be: {enough}"));
    }
    if let Some(nearest) = &passage.nearest {
        lines.push(format!("nearest rule {nearest}"));
    }
    lines
}

/// The headers that an extension server gets, each once with all its values.
pub(super) fn identity(passage: &FilterOutcome<'_, '_>) -> String {
    let headers = passage.identity().into_iter();
    joined(headers.map(|(name, value)| format!("{name}: {}", sanitise(value))), ", ")
}

/// Whose request it is.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CallerJson<'a> {
    user: &'a str,
    groups: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<&'a str>,
    impersonated: bool,
    /// Who sends an impersonated request, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    sender: Option<SenderJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SenderJson<'a> {
    user: &'a str,
    groups: &'a [String],
}

/// One filter before the chain.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FilterJson {
    filter: &'static str,
    says: String,
}

/// What the authorizers say.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AuthorizationJson<'a> {
    /// `allowed`, `denied` or `unknown`
    decision: &'static str,
    /// As in the server's audit log; none where it gives none.
    reason: Option<String>,
    #[serde(flatten)]
    grant: Option<GrantJson<'a>>,
    /// The reasons that the server may have given as well.
    also: Vec<String>,
    /// The rule that almost allows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<NearestJson<'a>>,
    /// The body of the 403.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A binding, and the rule that it gives.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct GrantJson<'a> {
    binding: ObjectJson<'a>,
    role: ObjectJson<'a>,
    subject: ObjectJson<'a>,
    rule: RuleJson<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ObjectJson<'a> {
    kind: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'a str,
    name: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RuleJson<'a> {
    verbs: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    api_groups: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    resources: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    resource_names: &'a [String],
    #[serde(rename = "nonResourceURLs", skip_serializing_if = "<[_]>::is_empty")]
    urls: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct NearestJson<'a> {
    /// By what it misses: `verb`, `group`, `resource`, `subresource`, `name`, `namespace`, `URL`.
    misses: Vec<&'static str>,
    #[serde(flatten)]
    grant: GrantJson<'a>,
}

/// One header of a proxied request.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HeaderJson<'a> {
    name: &'static str,
    value: &'a str,
}

impl<'a> CallerJson<'a> {
    pub(super) fn new(caller: &'a Caller) -> Self {
        let user = caller.user();
        let (impersonated, sender) = match caller {
            Caller::Authenticated(_) => (false, None),
            Caller::Impersonated { sender, .. } => (true, sender.as_ref()),
        };
        let sender = sender.map(|by| SenderJson { user: &by.name, groups: &by.groups });
        let (groups, uid) = (&*user.groups, user.uid.as_deref());
        Self { user: &user.name, groups, uid, impersonated, sender }
    }
}

pub(super) fn filters(passage: &FilterOutcome<'_, '_>) -> Vec<FilterJson> {
    let json = |FilterStep { filter, says, .. }| FilterJson { filter: filter.as_str(), says };
    passage.steps().into_iter().map(json).collect()
}

pub(super) fn headers<'a>(passage: &'a FilterOutcome<'_, '_>) -> Vec<HeaderJson<'a>> {
    let headers = passage.identity().into_iter();
    headers.map(|(name, value)| HeaderJson { name, value }).collect()
}

impl<'a> AuthorizationJson<'a> {
    pub(super) fn new(passage: &'a FilterOutcome<'_, 'a>) -> Self {
        let decision = &passage.decision;
        let reason = |grant: &Grant<'_>| format!("RBAC: allowed by {grant}");
        Self {
            decision: decision.as_str(),
            reason: decision.reason(),
            grant: match decision {
                AccessDecision::Allowed(grant) => Some(grant.into()),
                _ => None,
            },
            also: passage.also.iter().map(reason).collect(),
            nearest: passage.nearest.as_ref().map(Into::into),
            message: passage.forbidden(),
        }
    }
}

impl<'a> From<&Grant<'a>> for GrantJson<'a> {
    fn from(grant: &Grant<'a>) -> Self {
        let Grant { binding, subject, rule } = *grant;
        let cluster_wide = binding.namespace.is_empty();
        Self {
            binding: ObjectJson {
                kind: if cluster_wide { "ClusterRoleBinding" } else { "RoleBinding" },
                namespace: &binding.namespace,
                name: &binding.name,
            },
            role: ObjectJson {
                kind: &binding.role_kind,
                namespace: if binding.role_kind == "Role" { &binding.namespace } else { "" },
                name: &binding.role,
            },
            subject: ObjectJson {
                kind: &subject.kind,
                namespace: match subject.kind.as_str() {
                    "ServiceAccount" if subject.namespace.is_empty() => &binding.namespace,
                    _ => &subject.namespace,
                },
                name: &subject.name,
            },
            rule: rule.into(),
        }
    }
}

impl<'a> From<&'a PolicyRule> for RuleJson<'a> {
    fn from(rule: &'a PolicyRule) -> Self {
        Self {
            verbs: &rule.verbs,
            api_groups: &rule.groups,
            resources: &rule.resources,
            resource_names: &rule.names,
            urls: &rule.urls,
        }
    }
}

impl<'a> From<&NearMiss<'a>> for NearestJson<'a> {
    fn from(miss: &NearMiss<'a>) -> Self {
        let misses = miss.by.iter().map(|aspect| aspect.as_str()).collect();
        Self { misses, grant: (&miss.grant).into() }
    }
}
