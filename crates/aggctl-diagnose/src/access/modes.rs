//! The authorizers that a server asks, as far as its flags show.

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::AccessDecision;
use super::user::User;
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::Assumption;

/// The authorizers of `--authorization-mode`, in order; `None` if they are unknown.
#[derive(Debug)]
pub(super) struct Modes<'s>(Option<Vec<&'s str>>);

impl<'s> Modes<'s> {
    /// The authorizers of the server that a snapshot describes.
    pub(super) fn of(snapshot: &'s Snapshot) -> Self {
        // No source has the configuration file.
        match snapshot.flag("authorization-config") {
            Some(file) if file.unwrap_or_default().is_empty() => {}
            _ => return Self(None),
        }
        let Some(modes) = snapshot.flag("authorization-mode") else { return Self(None) };
        let modes = modes.unwrap_or_default().trim_matches(['[', ']']).split([',', ' ']);
        let modes: Vec<&str> = modes.filter(|mode| !mode.is_empty()).collect();
        Self(Some(if modes.is_empty() { vec!["AlwaysAllow"] } else { modes }))
    }

    /// Whether the server is known to ask an authorizer.
    pub(super) fn has(&self, mode: &str) -> bool {
        self.0.as_ref().is_some_and(|modes| modes.contains(&mode))
    }

    /// Whether roles and bindings decide, as far as the flags show.
    pub(super) fn asks_rbac(&self) -> bool {
        self.0.is_none() || self.has("RBAC") && !self.has("AlwaysAllow")
    }

    /// The first authorizer with rules that no source has.
    pub(super) fn unseen(&self) -> Option<&'s str> {
        self.0.iter().flatten().find(|mode| matches!(**mode, "ABAC" | "Webhook")).copied()
    }

    /// Combines the decision of RBAC with the other authorizers.
    pub(super) fn decide(
        &self,
        authorizer: &Authorizer<'s>,
        user: &User,
        request: &Attributes<'_>,
    ) -> AccessDecision<'s> {
        let rbac = match &self.0 {
            Some(_) if !self.has("RBAC") && !user.is_masters() => AccessDecision::Denied(vec![]),
            _ => authorizer.decide(user, request),
        };
        let may_node = || self.0.is_none() || self.has("Node");
        match rbac {
            AccessDecision::Masters => rbac,
            _ if self.has("AlwaysAllow") => AccessDecision::AlwaysAllowed,
            AccessDecision::Denied(_) if self.unseen().is_some() => AccessDecision::Unknown(vec![]),
            AccessDecision::Denied(_) if may_node() && authorizer.may_be_of_node(user, request) => {
                AccessDecision::Unknown(vec![])
            }
            other => other,
        }
    }

    /// What a decision of RBAC assumes.
    pub(super) fn assumption(&self) -> Option<Assumption> {
        let Some(modes) = &self.0 else { return Some(Assumption::RbacAlone) };
        // Only a webhook can refuse what a later authorizer would allow.
        let before = modes.iter().take_while(|mode| **mode != "RBAC");
        before.copied().any(|mode| mode == "Webhook").then_some(Assumption::WebhookSilent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::NODES;
    use kube_aggregation::model::{
        Input, PolicyRule, Rbac, RbacListed, RbacSubject, Role, RoleBinding, ServerFlags,
    };
    use kube_aggregation::routing::{Method, Target};

    /// A cluster with these flags, where jane may list pods, and nodes may get secrets.
    fn cluster(flags: Option<&[(&str, &str)]>) -> Snapshot {
        let role = |name: &str, verb: &str, resource: &str| Role {
            name: name.to_owned(),
            rules: vec![PolicyRule {
                verbs: vec![verb.to_owned()],
                groups: vec![String::new()],
                resources: vec![resource.to_owned()],
                ..PolicyRule::default()
            }],
            ..Role::default()
        };
        let jane = RbacSubject {
            kind: "User".to_owned(),
            name: "jane".to_owned(),
            ..RbacSubject::default()
        };
        let binding = RoleBinding {
            role_kind: "ClusterRole".to_owned(),
            role: "r".to_owned(),
            subjects: vec![jane],
            ..RoleBinding::default()
        };
        let rbac = Rbac {
            cluster_roles: Input::Loaded(vec![
                role("r", "list", "pods"),
                role("system:node", "get", "secrets"),
            ]),
            cluster_role_bindings: Input::Loaded(vec![binding]),
            roles: Input::Loaded(vec![]),
            role_bindings: Input::Loaded(vec![]),
            listed: RbacListed {
                cluster_roles: true,
                cluster_role_bindings: true,
                roles: true,
                role_bindings: true,
            },
        };
        let flags = flags.map_or(Input::Absent, |flags| {
            let flag = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
            let values = flags.iter().map(flag).collect();
            Input::Loaded(vec![ServerFlags { from: "a".to_owned(), values }])
        });
        Snapshot { rbac, flags, ..Snapshot::default() }
    }

    fn check(modes: Option<&str>, user: &str, path: &str, want: &str) {
        let flags = modes.map(|modes| [("authorization-mode", modes)]);
        let snapshot = cluster(flags.as_ref().map(|flags| flags.as_slice()));
        let authorizer = Authorizer::new(&snapshot.rbac);
        let groups = [NODES.to_owned()];
        let user = User::new(user, if user.starts_with("system:node") { &groups } else { &[] });
        let target = Target::parse(Method::Get, path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        let decision = Modes::of(&snapshot).decide(&authorizer, &user, &request);
        assert_eq!(decision.as_str(), want, "{modes:?} {} {path}", user.name);
    }

    #[test]
    fn every_authorizer_counts() {
        let (pods, nodes, secret) =
            ("/api/v1/pods", "/api/v1/nodes", "/api/v1/namespaces/a/secrets/b");
        for modes in
            [None, Some("RBAC"), Some("Node,RBAC"), Some("[Node RBAC]"), Some("RBAC,AlwaysDeny")]
        {
            check(modes, "jane", pods, "allowed");
            check(modes, "jane", nodes, "denied");
            check(modes, "system:node:a", nodes, "denied");
            check(modes, "system:nodes", secret, "denied");
        }
        check(None, "system:node:a", secret, "unknown");
        check(Some("Node,RBAC"), "system:node:a", secret, "unknown");
        check(Some("RBAC"), "system:node:a", secret, "denied");
        check(Some("Webhook,RBAC"), "jane", pods, "allowed");
        check(Some("RBAC,ABAC"), "jane", nodes, "unknown");
        check(Some("AlwaysAllow"), "jane", nodes, "allowed");
        check(Some(""), "jane", nodes, "allowed");
        check(Some("AlwaysDeny"), "jane", pods, "denied");
        check(Some("Webhook"), "jane", pods, "unknown");
    }

    #[test]
    fn a_webhook_before_rbac_is_an_assumption() {
        let assumption = |flags: Option<&[(&str, &str)]>| Modes::of(&cluster(flags)).assumption();
        assert_eq!(assumption(None), Some(Assumption::RbacAlone));
        let file = [("authorization-mode", "RBAC"), ("authorization-config", "/x")];
        assert_eq!(assumption(Some(&file)), Some(Assumption::RbacAlone));
        assert_eq!(assumption(Some(&[("authorization-mode", "RBAC,Webhook")])), None);
        let first = [("authorization-mode", "Webhook,RBAC")];
        assert_eq!(assumption(Some(&first)), Some(Assumption::WebhookSilent));
    }
}
