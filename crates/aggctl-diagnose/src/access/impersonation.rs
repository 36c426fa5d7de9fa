//! Decides whether a sender may act as another user. Mirrors the server's impersonation filter.

use std::borrow::Cow;

use super::attributes::{Attributes, ResourceAttributes};
use super::decision::AccessDecision;
use super::nearest::NearMiss;
use super::user::{MASTERS, NODES, User, service_account};
use kube_aggregation::gates::gate;
use kube_aggregation::model::{Minor, Snapshot};

/// The API group of impersonation rights, except for users, groups and accounts in the legacy mode.
const AUTHENTICATION: &str = "authentication.k8s.io";

/// What the authorizers decide about an impersonation.
#[derive(Debug, Clone)]
pub(super) struct Impersonation<'s> {
    /// The decision of the first right that is denied, or of the last one.
    pub(super) decision: AccessDecision<'s>,
    /// That right: `impersonate resource "users" in API group "" at the cluster scope`.
    pub(super) right: String,
    /// The body of the 403, if it is denied.
    pub(super) message: String,
    /// The rule that almost allows it.
    pub(super) nearest: Option<NearMiss<'s>>,
    /// The groups that the server gives an impersonated node.
    pub(super) groups: Option<[String; 1]>,
}

/// A set of rights, all of which are needed.
struct Mode<'a> {
    /// `None` for the legacy mode, which all servers have.
    constrained: Option<&'static str>,
    checks: Vec<ResourceAttributes<'a>>,
}

/// Tries every mode as the server does. One that passes is enough; if none does, the server reports
/// the first.
pub(super) fn decide<'s>(
    snapshot: &Snapshot,
    (sender, user): (&User, &User),
    request: &Attributes<'_>,
    decide: impl Fn(&Attributes<'_>) -> (AccessDecision<'s>, Option<NearMiss<'s>>),
) -> Option<Impersonation<'s>> {
    let mut stopped: Vec<Impersonation<'s>> = vec![];
    for mode in modes(user, is_constrained(snapshot)) {
        let mut last = None;
        let on = mode.constrained.map(|mode| format!("impersonate-on:{mode}:{}", request.verb()));
        let on = on.as_deref().map(|verb| request.with_verb(verb));
        let verb = mode.constrained.map(|mode| format!("impersonate:{mode}"));
        let verb = verb.as_deref().unwrap_or("impersonate");
        let checks = mode.checks.into_iter().map(|check| ResourceAttributes { verb, ..check });
        for check in on.into_iter().chain(checks.map(Attributes::Resource)) {
            let (mut decision, nearest) = decide(&check);
            let mut reason = decision.reason();
            if mode.constrained.is_some() && is_masters(&check) {
                decision = AccessDecision::Denied(vec![]);
                reason = Some("impersonating the system:masters group is not allowed".to_owned());
            }
            let message = check.body(&sender.name, reason);
            let allowed = decision.is_allowed();
            let groups = match mode.constrained {
                Some(ARBITRARY_NODE) => Some([NODES.to_owned()]),
                _ => None,
            };
            let right = check.to_string();
            last = Some(Impersonation { decision, right, message, nearest, groups });
            if !allowed {
                break;
            }
        }
        match last {
            Some(passed) if passed.decision.is_allowed() => return Some(passed),
            other => stopped.extend(other),
        }
    }
    let unknown = stopped.iter().position(|one| matches!(one.decision, AccessDecision::Unknown(_)));
    let counts = unknown.unwrap_or_default();
    stopped.into_iter().nth(counts)
}

/// The rights that a sender needs: `impersonate users "jane", groups "a"`.
pub(super) fn rights(user: &User) -> String {
    let right = |check: &ResourceAttributes<'_>| match check.namespace {
        "" => format!("{} {:?}", check.resource, check.name),
        namespace => format!("{} {:?}", check.resource, format!("{namespace}/{}", check.name)),
    };
    let modes = modes(user, false);
    let rights: Vec<String> = modes.iter().flat_map(|mode| &mode.checks).map(right).collect();
    format!("impersonate {}", rights.join(", "))
}

/// Whether the server supports constrained impersonation, which limits what the sender may do as
/// the user.
fn is_constrained(snapshot: &Snapshot) -> bool {
    let gates = snapshot.flag("feature-gates").flatten().unwrap_or_default();
    let since = || snapshot.minor().is_some_and(|minor| minor >= Minor::new(36));
    gate(gates, "ConstrainedImpersonation").unwrap_or_else(since)
}

const ARBITRARY_NODE: &str = "arbitrary-node";

/// The modes for a user, in the order in which the server tries them.
fn modes(user: &User, constrained: bool) -> Vec<Mode<'_>> {
    let only_name = user.given_groups().is_empty() && user.uid.is_none();
    let account = service_account(&user.name);
    let node = user.name.strip_prefix("system:node:").filter(|name| !name.is_empty());
    let named = match (account, node) {
        (None, None) => Some("user-info"),
        _ if !only_name => None,
        (Some(_), _) => Some("serviceaccount"),
        (_, Some(_)) => Some(ARBITRARY_NODE),
    };
    let check = |group, resource, namespace, name| ResourceAttributes {
        verb: "",
        group,
        resource,
        subresource: "",
        name: Cow::Borrowed(name),
        namespace,
    };
    let checks = |constrained_mode: bool| {
        let group = if constrained_mode { AUTHENTICATION } else { "" };
        let who = match (account, node.filter(|_| constrained_mode)) {
            (Some((namespace, name)), _) => check(group, "serviceaccounts", namespace, name),
            (_, Some(node)) => check(group, "nodes", "", node),
            _ => check(group, "users", "", user.name.as_str()),
        };
        let groups = user.given_groups().iter().map(|name| check(group, "groups", "", name));
        let uid = user.uid.iter().map(|uid| check(AUTHENTICATION, "uids", "", uid));
        // Servers with constrained modes ask for the UID before the groups.
        let (groups, uid): (Vec<_>, Vec<_>) = (groups.collect(), uid.collect());
        let (first, then) = if constrained { (uid, groups) } else { (groups, uid) };
        [who].into_iter().chain(first).chain(then).collect()
    };
    let named = named.filter(|_| constrained);
    let named = named.map(|mode| Mode { constrained: Some(mode), checks: checks(true) });
    named.into_iter().chain([Mode { constrained: None, checks: checks(false) }]).collect()
}

/// Whether a right is about the group system:masters, which constrained modes never grant.
fn is_masters(check: &Attributes<'_>) -> bool {
    matches!(check, Attributes::Resource(about) if about.resource == "groups" && about.name == MASTERS)
}

#[cfg(test)]
mod tests {
    use crate::access::{Caller, Filter, RequestFilters, User};
    use crate::testing::snapshot_of_yaml;
    use kube_aggregation::model::{Input, ServerFlags};
    use kube_aggregation::routing::{Method, Target};

    /// Checks the body with which impersonation ends a request for all Pods, if it does. `name` is
    /// `USER[,GROUP…][#UID]`.
    fn check(constrained: bool, sender: &str, name: &str, want: Option<&str>) {
        let objects = include_str!("../../../../testdata/access/impersonation.yaml");
        let mut snapshot = snapshot_of_yaml(&[objects]);
        let gates = format!("ConstrainedImpersonation={constrained}");
        let mode = ("authorization-mode".to_owned(), "RBAC".to_owned());
        let values = [("feature-gates".to_owned(), gates), mode].into();
        snapshot.flags = Input::Loaded(vec![ServerFlags { from: "a".to_owned(), values }]);
        let (name, uid) = name.split_once('#').map_or((name, None), |(n, uid)| (n, Some(uid)));
        let mut names = name.split(',').map(str::to_owned);
        let name = names.next().unwrap();
        let user = User::new(&*name, &names.collect::<Vec<_>>());
        let user = user.with_uid(uid.map(str::to_owned).as_ref());
        let caller = Caller::Impersonated { sender: Some(User::new(sender, &[])), user };
        let filters = RequestFilters::new(&snapshot, caller);
        let target = Target::parse(Method::Get, "/api/v1/pods").unwrap();
        let outcome = filters.pass(&target).unwrap();
        let last = outcome.steps().pop().unwrap();
        let stopped = (last.filter == Filter::Impersonation).then(|| outcome.forbidden().unwrap());
        assert_eq!(stopped.as_deref(), want, "{constrained} {sender} as {name}");
    }

    #[test]
    fn every_right_is_needed() {
        for constrained in [false, true] {
            check(constrained, "bob", "jane", None);
            check(constrained, "bob", "jane,dev", None);
            check(constrained, "bob", "jane,dev,system:masters", None);
            check(constrained, "bob", "system:serviceaccount:shop:robot", None);
        }
        let cannot = |user: &str, who: &str, cannot: &str| {
            check(false, user, who, Some(cannot));
        };
        cannot(
            "bob",
            "joe",
            r#"users "joe" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope"#,
        );
        cannot(
            "bob",
            "jane,dev,ops",
            r#"groups "ops" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope"#,
        );
        cannot(
            "bob",
            "jane#7",
            r#"uids.authentication.k8s.io "7" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope"#,
        );
        cannot(
            "bob",
            "system:serviceaccount:other:robot",
            r#"serviceaccounts "robot" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "other""#,
        );
        cannot(
            "carol",
            "jane",
            r#"users "jane" is forbidden: User "carol" cannot impersonate resource "users" in API group "" at the cluster scope"#,
        );
    }

    /// Servers of 1.36 and later try the constrained modes first, and report them.
    #[test]
    fn constrained_rights_are_enough() {
        check(true, "carol", "jane", None);
        check(true, "carol", "jane,dev#7", None);
        check(true, "nora", "system:node:a", None);
        let masters = r#"groups.authentication.k8s.io "system:masters" is forbidden: User "carol" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed"#;
        check(true, "carol", "jane,system:masters", Some(masters));
        let on = |user: &str, mode: &str| {
            format!(
                r#"pods is forbidden: User "{user}" cannot impersonate-on:{mode}:list resource "pods" in API group "" at the cluster scope"#
            )
        };
        check(true, "bob", "joe", Some(&on("bob", "user-info")));
        check(true, "carol", "system:node:a", Some(&on("carol", "arbitrary-node")));
        let account = "system:serviceaccount:a:b";
        check(true, "carol", account, Some(&on("carol", "serviceaccount")));
        let plain = r#"serviceaccounts "b" is forbidden: User "carol" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a""#;
        check(true, "carol", &format!("{account},dev"), Some(plain));
    }
}
