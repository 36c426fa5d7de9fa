//! Explains a refused request: which server refused it, and which RBAC rule is missing.

use std::fmt;

use crate::access::{
    ANONYMOUS, AccessDecision, AccessRefusal, Attributes, Caller, RequestFilters, Rule, User,
    service_account,
};
use crate::doctor::quoted;
use crate::knowledge::{GroupKind, group_kind, is_front_proxy};
use kube_aggregation::model::{PolicyRule, RoleBinding};
use kube_aggregation::registry::Registry;

/// A refusal with what a source shows about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The refusal in the server's words: `User "u" cannot list resource "r" …`.
    pub said: String,
    /// Explanations of the server's reason.
    pub adds: Vec<String>,
    /// The server that refused.
    pub by: SaidNo,
    /// The rule that would allow the request, such as `list pods of the core group`; `None` if
    /// granting a rule would not help.
    pub missing: Option<String>,
    /// The missing rule as YAML for a Role; `None` if a predefined role contains it.
    pub rule: Option<String>,
    /// The namespace of the request; `None` if it has none.
    pub namespace: Option<String>,
    /// The user's rule that comes nearest to allowing the request.
    pub nearest: Option<String>,
    /// Commands that grant the rule to the user.
    pub commands: Vec<String>,
}

/// The server that refused a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaidNo {
    /// kube-apiserver. No extension server serves the group.
    NotAggregated {
        /// The reason why the source would allow the request, if it would.
        allowed: Option<String>,
    },
    /// kube-apiserver. Its rules do not allow the request, so it never reached the Service.
    BeforeProxying {
        /// The Service, as `namespace/name`.
        service: String,
        /// Whether the user may have groups with other bindings, which the text does not show.
        groups_unknown: bool,
    },
    /// The extension server. kube-apiserver allows the request.
    ExtensionServer {
        /// The Service, as `namespace/name`.
        service: String,
        /// Why kube-apiserver allows it.
        reason: String,
    },
    /// kube-apiserver if the request had no credentials. Otherwise the extension server, if there
    /// is one, which did not accept the identity headers.
    Anonymous {
        /// The Service, as `namespace/name`; `None` without an extension server.
        service: Option<String>,
    },
    /// Probably the extension server, which mistook kube-apiserver's client certificate for the
    /// user.
    FrontProxy,
    /// The text and the source do not show which server.
    Unknown {
        /// Whether there was a source.
        looked: bool,
        /// Whether the refused user is anonymous.
        anonymous: bool,
    },
}

impl SaidNo {
    /// Returns whether an extension server serves the group.
    pub fn is_aggregated(&self) -> bool {
        !matches!(
            self,
            Self::NotAggregated { .. }
                | Self::Anonymous { service: None }
                | Self::FrontProxy
                | Self::Unknown { .. }
        )
    }

    /// Returns the value used in the JSON output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::NotAggregated { .. }
            | Self::BeforeProxying { .. }
            | Self::Anonymous { service: None } => "kube-apiserver",
            Self::ExtensionServer { .. } => "extension-server",
            Self::Anonymous { .. } | Self::FrontProxy | Self::Unknown { .. } => "unknown",
        }
    }
}

impl fmt::Display for SaidNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAggregated { allowed } => {
                f.write_str("kube-apiserver; no extension server serves this group")?;
                match allowed {
                    Some(reason) => {
                        write!(f, "; the roles in the source allow the request ({reason})")
                    }
                    None => Ok(()),
                }
            }
            Self::BeforeProxying { service, groups_unknown } => {
                write!(
                    f,
                    "kube-apiserver: no role allows the request, so it never reached Service {service}"
                )?;
                if *groups_unknown {
                    f.write_str(" (unless one of the user's groups has a role; the text does not name them)")?;
                }
                Ok(())
            }
            Self::ExtensionServer { service, reason } => write!(
                f,
                "the extension server behind Service {service}: kube-apiserver allows the request ({reason})"
            ),
            Self::Anonymous { service: None } => {
                f.write_str("kube-apiserver: the request had no credentials")
            }
            Self::Anonymous { service: Some(service) } => write!(
                f,
                "kube-apiserver if the request had no credentials; otherwise the extension server behind Service {service}, which did not accept the identity headers"
            ),
            Self::FrontProxy => f.write_str(
                "probably an extension server: the user has the name of kube-apiserver's client certificate",
            ),
            Self::Unknown { anonymous: true, .. } => f.write_str(
                "kube-apiserver if the request had no credentials; otherwise an extension server that did not accept the identity headers",
            ),
            Self::Unknown { looked: true, .. } => {
                f.write_str("probably kube-apiserver; the source lacks the objects that decide")
            }
            Self::Unknown { .. } => {
                f.write_str("probably kube-apiserver; a cluster or dump would show it")
            }
        }
    }
}

/// Finds which server refused a request, and which rule is missing.
pub fn refused(refusal: &AccessRefusal, registry: Option<&Registry<'_>>) -> Refused {
    let request = refusal.attributes();
    let user = User::new(&*refusal.user, &[]);
    let caller = Caller::Authenticated(user.clone());
    let (by, nearest) = match registry {
        _ if is_front_proxy(&refusal.user) => (SaidNo::FrontProxy, None),
        Some(registry) => {
            let filters = RequestFilters::new(registry.snapshot, caller);
            (said_no(registry, &filters, &user, &request), filters.nearest(&request))
        }
        None if usually_its_own(group_of(&request)) && user.name != ANONYMOUS => {
            (SaidNo::NotAggregated { allowed: None }, None)
        }
        None => (SaidNo::Unknown { looked: false, anonymous: user.name == ANONYMOUS }, None),
    };
    let rule = refusal.needed();
    // Never suggest granting rights to the anonymous user.
    let is_missing = match &by {
        SaidNo::ExtensionServer { .. } | SaidNo::Anonymous { .. } | SaidNo::FrontProxy => false,
        SaidNo::NotAggregated { allowed } => allowed.is_none(),
        SaidNo::BeforeProxying { .. } | SaidNo::Unknown { .. } => user.name != ANONYMOUS,
    };
    let namespace = Some(request.namespace().to_owned()).filter(|name| !name.is_empty());
    Refused {
        said: request.forbidden(&refusal.user),
        adds: adds(refusal, registry),
        by,
        missing: is_missing.then(|| Rule(&rule).to_string()),
        rule: (is_missing && ready_made(&request).is_none()).then(|| snippet(&rule)),
        nearest: nearest.map(|nearest| nearest.to_string()),
        commands: if is_missing { commands(&user, &request, &rule) } else { vec![] },
        namespace,
    }
}

/// Explains the server's reason: roles that do not exist, or the message of another authorizer.
fn adds(refusal: &AccessRefusal, registry: Option<&Registry<'_>>) -> Vec<String> {
    let bindings =
        || registry.into_iter().flat_map(|registry| registry.snapshot.rbac.all_bindings());
    let lost = |(kind, name): (&str, &str)| {
        let names_role = |binding: &&RoleBinding| binding.role_kind == kind && binding.role == name;
        let by: Vec<String> = bindings().filter(names_role).map(RoleBinding::id).collect();
        let by = if by.is_empty() { "a binding of the user".to_owned() } else { by.join(", ") };
        format!("{by} names {kind} {name}, which does not exist, so it grants nothing")
    };
    let mut found: Vec<String> = match (refusal.lost_roles(), &refusal.added) {
        (roles, Some(added)) if roles.is_empty() => {
            vec![format!("details from the server: {added}")]
        }
        (roles, _) => roles.into_iter().map(lost).collect(),
    };
    // Since 1.36, servers report the constrained mode regardless of the user's rights.
    if let Some(mode) = refusal.attributes().verb().strip_prefix("impersonate-on:") {
        let mode = mode.split(':').next().unwrap_or_default();
        found.push(format!(
            "the request was impersonated: it needs this permission and impersonate:{mode} on the impersonated user, or impersonate alone"
        ));
    }
    found
}

/// Returns the group of a request; empty for the core group and for paths outside `/apis`.
pub(super) fn group_of<'a>(request: &Attributes<'a>) -> &'a str {
    match request {
        Attributes::Resource(about) => about.group,
        Attributes::Url { path, .. } => {
            path.strip_prefix("/apis/").and_then(|rest| rest.split('/').next()).unwrap_or_default()
        }
    }
}

/// Returns whether only kube-apiserver itself can serve a group.
fn is_its_own(group: &str) -> bool {
    matches!(group, "" | "apiregistration.k8s.io")
}

/// Returns whether kube-apiserver or CRDs usually serve a group.
fn usually_its_own(group: &str) -> bool {
    is_its_own(group) || matches!(group_kind(group), GroupKind::BuiltIn | GroupKind::Crds)
}

fn said_no(
    registry: &Registry<'_>,
    filters: &RequestFilters<'_>,
    user: &User,
    request: &Attributes<'_>,
) -> SaidNo {
    let group = group_of(request);
    let services = registry.api_services().filter(|(s, _)| s.group_version.group == group);
    let mut services = services.filter_map(|(service, _)| service.service.as_ref());
    let service = services.next().map(|reference| reference.id());
    let decision = filters.decide(request);
    let Some(service) = service else {
        return match decision {
            _ if !registry.api_services_complete && !is_its_own(group) => {
                SaidNo::Unknown { looked: true, anonymous: user.name == ANONYMOUS }
            }
            _ if user.name == ANONYMOUS => SaidNo::Anonymous { service: None },
            decision if decision.is_allowed() => {
                SaidNo::NotAggregated { allowed: Some(decision.reason().unwrap_or_default()) }
            }
            _ => SaidNo::NotAggregated { allowed: None },
        };
    };
    match decision {
        decision @ (AccessDecision::Allowed(_)
        | AccessDecision::Masters
        | AccessDecision::AlwaysAllowed) => {
            SaidNo::ExtensionServer { service, reason: decision.reason().unwrap_or_default() }
        }
        AccessDecision::Denied(_) if user.name == ANONYMOUS => {
            SaidNo::Anonymous { service: Some(service) }
        }
        AccessDecision::Denied(_) => SaidNo::BeforeProxying {
            service,
            groups_unknown: service_account(&user.name).is_none(),
        },
        AccessDecision::Unknown(_) => {
            SaidNo::Unknown { looked: true, anonymous: user.name == ANONYMOUS }
        }
    }
}

/// Formats a rule as YAML for a Role.
fn snippet(rule: &PolicyRule) -> String {
    let lists = [
        ("apiGroups", &rule.groups),
        ("resources", &rule.resources),
        ("resourceNames", &rule.names),
        ("nonResourceURLs", &rule.urls),
        ("verbs", &rule.verbs),
    ];
    let line = |(key, list): (&str, &Vec<String>)| format!("{key}: {list:?}");
    let lines = lists.into_iter().filter(|(_, list)| !list.is_empty()).map(line);
    format!("- {}", lines.collect::<Vec<_>>().join("\n  "))
}

/// Returns the `kubectl auth` arguments for the refused request.
pub(super) fn can_i(refusal: &AccessRefusal) -> String {
    let user = quoted(&refusal.user);
    match refusal.attributes() {
        Attributes::Url { verb, path } => {
            format!("can-i {} {} --as={user}", quoted(verb), quoted(path))
        }
        Attributes::Resource(about) => {
            let dot = if about.group.is_empty() { "" } else { "." };
            let resource = format!("{}{dot}{}", about.resource, about.group);
            let mut words = format!("can-i {} {}", quoted(about.verb), quoted(&resource));
            for (flag, value) in [("--subresource=", about.subresource), ("-n ", about.namespace)] {
                if !value.is_empty() {
                    words += &format!(" {flag}{}", quoted(value));
                }
            }
            format!("{words} --as={user}")
        }
    }
}

/// Returns the predefined role for a request that every extension server sends. kube-apiserver
/// creates these roles.
fn ready_made(request: &Attributes<'_>) -> Option<&'static str> {
    let Attributes::Resource(about) = request else { return None };
    match (about.group, about.resource, about.namespace, &*about.name) {
        ("", "configmaps", "kube-system", "extension-apiserver-authentication") => {
            Some("extension-apiserver-authentication-reader")
        }
        ("authentication.k8s.io", "tokenreviews", "", _)
        | ("authorization.k8s.io", "subjectaccessreviews", "", _) => Some("system:auth-delegator"),
        _ => None,
    }
}

/// Returns the kubectl commands that grant the missing rule to a user.
fn commands(user: &User, request: &Attributes<'_>, rule: &PolicyRule) -> Vec<String> {
    let (verb, mut what) = match request {
        Attributes::Url { verb, path } => (verb, format!("--non-resource-url={}", quoted(path))),
        Attributes::Resource(about) => {
            let group = if about.group.is_empty() { "" } else { "." };
            let sub = if about.subresource.is_empty() { "" } else { "/" };
            let (resource, subresource) = (about.resource, about.subresource);
            let resource = format!("{resource}{group}{}{sub}{subresource}", about.group);
            (&about.verb, format!("--resource={}", quoted(&resource)))
        }
    };
    for name in &rule.names {
        what += &format!(" --resource-name={}", quoted(name));
    }
    let (kind, at) = match request.namespace() {
        "" => ("clusterrole", String::new()),
        namespace => ("role", format!(" -n {}", quoted(namespace))),
    };
    let whom = match service_account(&user.name) {
        Some((space, name)) => format!("--serviceaccount={}", quoted(&format!("{space}:{name}"))),
        None => format!("--user={}", quoted(&user.name)),
    };
    let account = service_account(&user.name).map_or(user.name.as_str(), |(_, name)| name);
    if let Some(role) = ready_made(request) {
        let name = new_name(&[account, role]);
        return vec![format!("kubectl create {kind}binding {name}{at} --{kind}={role} {whom}")];
    }
    let object = match request {
        Attributes::Url { path, .. } => *path,
        Attributes::Resource(about) => about.resource,
    };
    let name = new_name(&[account, verb, object]);
    vec![
        format!("kubectl create {kind} {name}{at} --verb={} {what}", quoted(verb)),
        format!("kubectl create {kind}binding {name}{at} --{kind}={name} {whom}"),
    ]
}

/// Returns a name for a new role or binding, so that the command runs as printed.
fn new_name(parts: &[&str]) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = parts.join("-").chars().map(plain).collect();
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::snapshot_of_yaml;

    /// Looks up the only refusal in a text.
    fn look_up_only(text: &str, registry: Option<&Registry<'_>>) -> Refused {
        let [refusal] = AccessRefusal::find_all(text).try_into().unwrap();
        refused(&refusal, registry)
    }

    /// Checks which server refused in the cluster of `testdata/access/shop`.
    fn check(user: &str, cannot: &str, by: &str, nearest: bool) {
        let snapshot = snapshot_of_yaml(&[
            include_str!("../../../../testdata/access/shop/api.yaml"),
            include_str!("../../../../testdata/access/shop/kube-apiserver.yaml"),
            include_str!("../../../../testdata/access/shop/rbac.yaml"),
            include_str!("../../../../testdata/access/shop/version.json"),
        ]);
        let registry = Registry::new(&snapshot);
        let text = format!("is forbidden: User {user:?} cannot {cannot}");
        let refused = look_up_only(&text, Some(&registry));
        assert!(refused.by.to_string().starts_with(by), "{text}: {}", refused.by);
        assert_eq!(refused.nearest.is_some(), nearest, "{text}: {:?}", refused.nearest);
    }

    #[test]
    fn who_said_no() {
        let articles = r#"resource "articles" in API group "stock.shop.io" at the cluster scope"#;
        let (list, delete) = (format!("list {articles}"), format!("delete {articles}"));
        check("jane", &list, "the extension server behind Service shop/stock", false);
        check("jane", &delete, "kube-apiserver: no role allows the request", true);
        check("system:anonymous", &list, "kube-apiserver if the request had no", false);
        let pods = r#"list resource "pods" in API group "" in the namespace "shop""#;
        check("jane", pods, "kube-apiserver; no extension server serves this group", false);
        let anonymous = "kube-apiserver: the request had no credentials";
        check("system:anonymous", pods, anonymous, false);
        check("system:anonymous", r#"get path "/version""#, anonymous, false);
        let other = r#"list resource "a" in API group "b.io" at the cluster scope"#;
        check("jane", other, "probably kube-apiserver; the source lacks", false);
    }

    #[test]
    fn the_servers_reason_is_explained() {
        let check = |verb: &str, added: &str, want: &str| {
            let text = format!(
                r#"User "jane" cannot {verb} resource "pods" in API group "" at the cluster scope{added}"#
            );
            assert_eq!(look_up_only(&text, None).adds, [want], "{text}");
        };
        check(
            "list",
            r#": RBAC: clusterrole.rbac.authorization.k8s.io "x" not found"#,
            "a binding of the user names ClusterRole x, which does not exist, so it grants nothing",
        );
        check(
            "list",
            ": no RBAC policy matched",
            "details from the server: no RBAC policy matched",
        );
        check(
            "impersonate-on:user-info:list",
            "",
            "the request was impersonated: it needs this permission and impersonate:user-info on the impersonated user, or impersonate alone",
        );
    }

    #[test]
    fn the_anonymous_user_gets_no_rights() {
        let refused =
            look_up_only(r#"forbidden: User "system:anonymous" cannot get path "/apis""#, None);
        assert_eq!((refused.rule, refused.commands), (None, vec![]));
    }

    #[test]
    fn the_missing_rule_can_be_copied() {
        let check = |text: &str, want: [&str; 2]| -> String {
            let refused = look_up_only(text, None);
            assert_eq!(refused.commands, want);
            refused.rule.unwrap()
        };
        let rule = check(
            r#"User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "a""#,
            [
                "kubectl create role jane-get-deployments -n a --verb=get --resource=deployments.apps/scale",
                "kubectl create rolebinding jane-get-deployments -n a --role=jane-get-deployments --user=jane",
            ],
        );
        let lines = [
            r#"- apiGroups: ["apps"]"#,
            r#"  resources: ["deployments/scale"]"#,
            r#"  verbs: ["get"]"#,
        ];
        assert_eq!(rule, lines.join("\n"));
        let rule = check(
            r#"users "admin" is forbidden: User "jane" cannot impersonate resource "users" in API group "" at the cluster scope"#,
            [
                "kubectl create clusterrole jane-impersonate-users --verb=impersonate --resource=users --resource-name=admin",
                "kubectl create clusterrolebinding jane-impersonate-users --clusterrole=jane-impersonate-users --user=jane",
            ],
        );
        assert!(rule.contains("resourceNames: [\"admin\"]"), "{rule}");
        let rule = check(
            r#"User "system:serviceaccount:a:b" cannot get path "/metrics""#,
            [
                "kubectl create clusterrole b-get-metrics --verb=get --non-resource-url=/metrics",
                "kubectl create clusterrolebinding b-get-metrics --clusterrole=b-get-metrics --serviceaccount=a:b",
            ],
        );
        assert_eq!(rule, "- nonResourceURLs: [\"/metrics\"]\n  verbs: [\"get\"]");
    }
}
