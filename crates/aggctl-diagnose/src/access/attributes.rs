//! What a request is authorized by, and how the server words a refusal.

use std::borrow::Cow;
use std::fmt;

use kube_aggregation::routing::RequestInfo;

/// What a request is authorized by. Mirrors the server's `authorizer.Attributes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attributes<'a> {
    /// A request for a resource.
    Resource(ResourceAttributes<'a>),
    /// Any other request.
    Url {
        /// The method in lower case.
        verb: &'a str,
        /// The path, decoded.
        path: &'a str,
    },
}

/// What a request for a resource is authorized by; what the request does not have is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceAttributes<'a> {
    pub verb: &'a str,
    pub group: &'a str,
    pub resource: &'a str,
    pub subresource: &'a str,
    pub name: Cow<'a, str>,
    pub namespace: &'a str,
}

impl<'a> Attributes<'a> {
    /// Takes the attributes from what the server parsed.
    pub fn of(info: RequestInfo<'a>, path: &'a str) -> Self {
        if !info.resource_request {
            return Self::Url { verb: info.verb, path };
        }
        Self::Resource(ResourceAttributes {
            verb: info.verb,
            group: info.group,
            resource: info.resource,
            subresource: info.subresource,
            name: info.name,
            namespace: info.namespace,
        })
    }

    pub fn verb(&self) -> &'a str {
        match self {
            Self::Resource(about) => about.verb,
            Self::Url { verb, .. } => verb,
        }
    }

    /// The resource; empty for a path.
    pub fn resource(&self) -> &'a str {
        match self {
            Self::Resource(about) => about.resource,
            Self::Url { .. } => "",
        }
    }

    /// Replaces the verb.
    pub(super) fn with_verb<'b>(&'b self, verb: &'b str) -> Attributes<'b> {
        match self {
            Self::Url { path, .. } => Attributes::Url { verb, path },
            Self::Resource(about) => {
                let name = Cow::Borrowed(about.name.as_ref());
                Attributes::Resource(ResourceAttributes { verb, name, ..*about })
            }
        }
    }

    /// The namespace of the RoleBindings that apply; empty if only ClusterRoleBindings do.
    pub fn namespace(&self) -> &'a str {
        match self {
            Self::Resource(about) => about.namespace,
            Self::Url { .. } => "",
        }
    }

    /// The sentence of a 403 about a user, in the server's words.
    pub fn forbidden(&self, user: &str) -> String {
        format!("User {user:?} cannot {self}")
    }

    /// The body of a 403: `pods "a" is forbidden: User "u" cannot …: RBAC: …`.
    pub fn body(&self, user: &str, reason: Option<String>) -> String {
        let mut text = match self {
            Self::Url { .. } => String::new(),
            Self::Resource(about) => {
                let group = if about.group.is_empty() { "" } else { "." };
                let name =
                    if about.name.is_empty() { "".into() } else { format!(" {:?}", about.name) };
                format!("{}{group}{}{name} is ", about.resource, about.group)
            }
        };
        text += &format!("forbidden: {}", self.forbidden(user));
        text + &reason.map(|reason| format!(": {reason}")).unwrap_or_default()
    }
}

impl ResourceAttributes<'_> {
    /// The resource as rules name it: `pods`, `pods/log`.
    pub fn combined(&self) -> Cow<'_, str> {
        match self.subresource {
            "" => Cow::Borrowed(self.resource),
            sub => Cow::Owned(format!("{}/{sub}", self.resource)),
        }
    }
}

/// As in the body of a 403: `list resource "pods" in API group "" in the namespace "a"`.
impl fmt::Display for Attributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url { verb, path } => write!(f, "{verb} path {path:?}"),
            Self::Resource(about) => {
                let (verb, resource, group) = (about.verb, about.combined(), about.group);
                write!(f, "{verb} resource {resource:?} in API group {group:?}")?;
                match about.namespace {
                    "" => f.write_str(" at the cluster scope"),
                    namespace => write!(f, " in the namespace {namespace:?}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::routing::{Method, Target};

    #[test]
    fn refusals_are_worded_as_the_server_does() {
        let check = |path: &str, want: &str| {
            let target = Target::parse(Method::Get, path).unwrap();
            let attributes = Attributes::of(target.info().unwrap(), &target.path);
            assert_eq!(attributes.forbidden("jane"), want);
        };
        check(
            "/apis/apps/v1/namespaces/a/deployments/x/scale",
            r#"User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "a""#,
        );
        check(
            "/api/v1/nodes",
            r#"User "jane" cannot list resource "nodes" in API group "" at the cluster scope"#,
        );
        check("/metrics/slis", r#"User "jane" cannot get path "/metrics/slis""#);
    }
}
