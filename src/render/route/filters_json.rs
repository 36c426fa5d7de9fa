//! The JSON of the filters before the chain.

use schemars::JsonSchema;
use serde::Serialize;

use aggctl_diagnose::access::{AccessDecision, Caller, FilterOutcome, FilterStep, Grant, NearMiss};
use kube_aggregation::model::PolicyRule;

/// The caller of a request.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CallerJson<'a> {
    user: &'a str,
    groups: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<&'a str>,
    impersonated: bool,
    /// The sender of an impersonated request, if it is known.
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

/// The decision of the authorizers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AuthorizationJson<'a> {
    /// `allowed`, `denied` or `unknown`
    decision: &'static str,
    /// The reason, as in the server's audit log.
    reason: Option<String>,
    #[serde(flatten)]
    grant: Option<GrantJson<'a>>,
    /// Other reasons that the server may give instead.
    also: Vec<String>,
    /// The rule that comes closest to allowing it.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<NearestJson<'a>>,
    /// The message of the 403.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A binding, and the rule that it grants.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct GrantJson<'a> {
    binding: ObjectJson<'a>,
    role: ObjectJson<'a>,
    subject: ObjectJson<'a>,
    rule: PolicyRuleJson<'a>,
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
struct PolicyRuleJson<'a> {
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
    /// The attribute that it does not match: `verb`, `group`, `resource`, `subresource`, `name`,
    /// `namespace`, `URL`.
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

impl<'a> From<&'a PolicyRule> for PolicyRuleJson<'a> {
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
