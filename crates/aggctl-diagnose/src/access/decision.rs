//! What the authorizers decide, and the rule that decides it.

use std::fmt;

use super::rule::Rule;
use kube_aggregation::model::{Gap, PolicyRule, RbacSubject, RoleBinding};

/// What the authorizers decide about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessDecision<'s> {
    /// The user is in `system:masters`, so that no authorizer is asked.
    Masters,
    /// The server's mode is AlwaysAllow.
    AlwaysAllowed,
    /// A rule allows the request.
    Allowed(Grant<'s>),
    /// No rule allows the request: 403. With the roles that bindings name and that do not exist, in
    /// the server's words.
    Denied(Vec<String>),
    /// No rule of the source allows the request, but the source has gaps.
    Unknown(Vec<Gap>),
}

impl AccessDecision<'_> {
    /// The word of the JSON contract.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Masters | Self::AlwaysAllowed | Self::Allowed(_) => "allowed",
            Self::Denied(_) => "denied",
            Self::Unknown(_) => "unknown",
        }
    }

    /// Whether the request continues.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Masters | Self::AlwaysAllowed | Self::Allowed(_))
    }

    /// The reason that the server gives in its audit log and in the body of a 403.
    pub fn reason(&self) -> Option<String> {
        match self {
            Self::Masters | Self::AlwaysAllowed | Self::Unknown(_) => None,
            Self::Allowed(grant) => Some(format!("RBAC: allowed by {grant}")),
            Self::Denied(errors) => match errors.as_slice() {
                [] => None,
                [one] => Some(format!("RBAC: {one}")),
                more => Some(format!("RBAC: [{}]", more.join(", "))),
            },
        }
    }
}

/// A rule that a binding grants to a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant<'s> {
    /// The binding.
    pub binding: &'s RoleBinding,
    /// The first of its subjects that matches the user.
    pub subject: &'s RbacSubject,
    /// The first rule of its role that allows the request.
    pub rule: &'s PolicyRule,
}

impl<'s> Grant<'s> {
    /// The role: `Role ns/name`, `ClusterRole name`.
    pub fn role_name(&self) -> String {
        let RoleBinding { namespace, role_kind, role, .. } = self.binding;
        match role_kind.as_str() {
            "Role" => format!("Role {namespace}/{role}"),
            kind => format!("{kind} {role}"),
        }
    }

    /// The subject: `Group a`, `ServiceAccount ns/name`.
    pub fn subject_name(&self) -> String {
        let RbacSubject { kind, name, .. } = self.subject;
        match kind.as_str() {
            "ServiceAccount" => {
                format!("{kind} {}/{name}", self.subject.namespace_in(&self.binding.namespace))
            }
            _ => format!("{kind} {name}"),
        }
    }

    /// The rule, for display.
    pub fn rule(&self) -> Rule<'s> {
        Rule(self.rule)
    }
}

/// In the server's words, name before namespace: `RoleBinding "b/ns" of Role "r" to User "u"`.
impl fmt::Display for Grant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RoleBinding { namespace, name, role_kind, role, .. } = self.binding;
        match namespace.as_str() {
            "" => write!(f, "ClusterRoleBinding {name:?}")?,
            namespace => write!(f, "RoleBinding {:?}", format!("{name}/{namespace}"))?,
        }
        let RbacSubject { kind, name, .. } = self.subject;
        write!(f, " of {role_kind} {role:?} to {kind} ")?;
        match kind.as_str() {
            "ServiceAccount" => {
                write!(f, "{:?}", format!("{name}/{}", self.subject.namespace_in(namespace)))
            }
            _ => write!(f, "{name:?}"),
        }
    }
}
