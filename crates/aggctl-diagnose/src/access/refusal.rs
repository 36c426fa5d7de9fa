//! Parses the server's words in a 403: who cannot do what.

use std::borrow::Cow;

use super::attributes::{Attributes, ResourceAttributes};
use kube_aggregation::model::PolicyRule;

/// One refusal in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccessRefusal {
    /// The user that was refused.
    pub user: String,
    verb: String,
    group: String,
    resource: String,
    subresource: String,
    name: String,
    namespace: String,
    /// Set if the request was not for a resource.
    path: Option<String>,
    /// The server's reason: `RBAC: clusterrole.rbac.authorization.k8s.io "x" not found`.
    pub added: Option<String>,
}

impl AccessRefusal {
    /// Finds all refusals in a text: `User "u" cannot list resource "r" in API group "g" at the
    /// cluster scope`; before 1.12, `User "u" cannot list r.g at the cluster scope`.
    pub fn find_all(text: &str) -> Vec<Self> {
        let mut found: Vec<Self> = vec![];
        for (at, _) in text.match_indices("User \"") {
            let (before, rest) = text.split_at(at);
            let name = before.trim_end().strip_suffix(" is forbidden:").and_then(object_name);
            let refusal = rest.strip_prefix("User ").and_then(|rest| Self::read(rest, name));
            found.extend(refusal.filter(|refusal| !found.contains(refusal)));
        }
        found
    }

    fn read(text: &str, name: Option<&str>) -> Option<Self> {
        let (user, rest) = quoted(text)?;
        let (verb, rest) = rest.strip_prefix(" cannot ")?.split_once(' ')?;
        let mut refusal = Self {
            user: user.to_owned(),
            verb: verb.to_owned(),
            name: name.unwrap_or_default().to_owned(),
            ..Self::default()
        };
        if let Some(path) = rest.strip_prefix("path ") {
            let (path, rest) = quoted(path)?;
            (refusal.path, refusal.added) = (Some(path.to_owned()), added(rest));
            return Some(refusal);
        }
        let (resource, group, scope) = if let Some(rest) = rest.strip_prefix("resource ") {
            let (resource, rest) = quoted(rest)?;
            let (group, scope) = quoted(rest.strip_prefix(" in API group ")?)?;
            (resource, Some(group), scope)
        } else {
            let (resource, scope) = rest.split_at(rest.find(' ')?);
            (resource, None, scope)
        };
        let (resource, sub) = resource.split_once('/').unwrap_or((resource, ""));
        let (resource, group) = match group {
            Some(group) => (resource, group),
            None => resource.split_once('.').unwrap_or((resource, "")),
        };
        refusal.resource = resource.to_owned();
        refusal.subresource = sub.to_owned();
        refusal.group = group.to_owned();
        let rest = match scope.strip_prefix(" in the namespace ").and_then(quoted) {
            Some((namespace, rest)) => {
                refusal.namespace = namespace.to_owned();
                rest
            }
            None => scope.strip_prefix(" at the cluster scope")?,
        };
        refusal.added = added(rest);
        Some(refusal)
    }

    /// What the request was authorized by.
    pub fn attributes(&self) -> Attributes<'_> {
        match &self.path {
            Some(path) => Attributes::Url { verb: &self.verb, path },
            None => Attributes::Resource(ResourceAttributes {
                verb: &self.verb,
                group: &self.group,
                resource: &self.resource,
                subresource: &self.subresource,
                name: Cow::Borrowed(&self.name),
                namespace: &self.namespace,
            }),
        }
    }

    /// The kinds and names of roles that do not exist, although bindings of the user name them.
    pub fn lost_roles(&self) -> Vec<(&'static str, &str)> {
        let mut found = vec![];
        let mut rest = self.added.as_deref().unwrap_or_default();
        while let Some((before, after)) = rest.split_once("role.rbac.authorization.k8s.io ") {
            let kind = if before.ends_with("cluster") { "ClusterRole" } else { "Role" };
            if let Some((name, _)) =
                quoted(after).filter(|(_, rest)| rest.starts_with(" not found"))
            {
                found.push((kind, name));
            }
            rest = after;
        }
        found
    }

    /// The narrowest rule that would allow the request. For impersonation it names the user.
    pub fn needed(&self) -> PolicyRule {
        let verbs = vec![self.verb.clone()];
        let named = self.verb.starts_with("impersonate") && !self.name.is_empty();
        match self.attributes() {
            Attributes::Url { path, .. } => {
                PolicyRule { verbs, urls: vec![path.to_owned()], ..PolicyRule::default() }
            }
            Attributes::Resource(about) => PolicyRule {
                verbs,
                groups: vec![self.group.clone()],
                resources: vec![about.combined().into_owned()],
                names: if named { vec![self.name.clone()] } else { vec![] },
                ..PolicyRule::default()
            },
        }
    }
}

/// Splits a text after the quoted string that it begins with.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

/// The reason that follows a refusal in the same sentence.
fn added(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix(": ")?.lines().next()?;
    // In a Status, the message ends before the next field.
    let rest = rest.split("\",\"").next().unwrap_or(rest).trim();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The last word of a text, if it is quoted: `pods "x"`.
fn object_name(text: &str) -> Option<&str> {
    text.strip_suffix('"')?.rsplit_once('"').map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_parsed() {
        let sentence =
            r#"User "jane" cannot list resource "pods" in API group "" at the cluster scope"#;
        let check = |added: &str, want: Option<&str>, roles: &[(&str, &str)]| {
            let [refusal] =
                AccessRefusal::find_all(&format!("{sentence}{added}")).try_into().unwrap();
            assert_eq!(refusal.added.as_deref(), want, "{added}");
            assert_eq!(refusal.lost_roles(), roles, "{added}");
        };
        check("", None, &[]);
        check("\nand more: of it", None, &[]);
        check(": no RBAC policy matched\nx", Some("no RBAC policy matched"), &[]);
        let one = r#"RBAC: role.rbac.authorization.k8s.io "a" not found"#;
        check(&format!(r#": {one}","reason":"Forbidden""#), Some(one), &[("Role", "a")]);
        let two = r#"RBAC: [clusterrole.rbac.authorization.k8s.io "b" not found, role.rbac.authorization.k8s.io "a" not found]"#;
        check(&format!(": {two}"), Some(two), &[("ClusterRole", "b"), ("Role", "a")]);
    }

    #[test]
    fn refusals_are_parsed() {
        let check = |text: &str, want: &str| {
            let found = AccessRefusal::find_all(text);
            let said = found.iter().map(|refusal| {
                let name = if refusal.name.is_empty() { "-" } else { &refusal.name };
                format!("{} {name}", refusal.attributes().forbidden(&refusal.user))
            });
            assert_eq!(said.collect::<Vec<_>>().join("; "), want, "{text}");
        };
        let said =
            r#"User "jane" cannot get resource "pods/log" in API group "" in the namespace "a""#;
        check(
            &format!(r#"Error from server (Forbidden): pods "x" is forbidden: {said}: RBAC: y"#),
            &format!("{said} x"),
        );
        let nodes = r#"User "jane" cannot list resource "nodes" in API group "metrics.k8s.io" at the cluster scope"#;
        check(&format!("nodes.metrics.k8s.io is forbidden: {nodes}"), &format!("{nodes} -"));
        check(
            r#"is forbidden: User "jane" cannot list nodes.metrics.k8s.io at the cluster scope"#,
            &format!("{nodes} -"),
        );
        let path = r#"User "system:anonymous" cannot get path "/apis""#;
        check(&format!("forbidden: {path}"), &format!("{path} -"));
        check(&format!("{nodes} {nodes}"), &format!("{nodes} -"));
        for text in [
            "",
            r#"User ""#,
            r#"User "a" cannot"#,
            r#"User "a" cannot list"#,
            r#"User "a" cannot be found here"#,
        ] {
            check(text, "");
        }
    }
}
