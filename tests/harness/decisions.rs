//! Compares authorization decisions with those that a real API server made.

use aggctl_diagnose::access::{AccessDecision, Attributes, Authorizer, User};
use kube_aggregation::model::Snapshot;
use kube_aggregation::routing::{Method, Target};
use serde::Deserialize;

use crate::harness::assert_none;

#[derive(Deserialize)]
struct Recorded {
    user: String,
    groups: Vec<String>,
    method: String,
    path: String,
    verb: String,
    allowed: bool,
    reason: Option<String>,
}

/// Compares decision, verb and reason of each line. If several bindings allow a request, the server
/// names whichever its store, a Go map, returned first. That one must be among ours, and it is a
/// RoleBinding only if no ClusterRoleBinding allows the request.
pub(crate) fn check(lines: &str, snapshot: &Snapshot) {
    let authorizer = Authorizer::new(&snapshot.rbac);
    let (mut wrong, mut several) = (vec![], 0);
    for line in lines.lines() {
        let want: Recorded = serde_json::from_str(line).unwrap();
        let target = Target::parse(Method::parse(&want.method).unwrap(), &want.path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        let user = User::new(&*want.user, &want.groups);
        assert_eq!(user.groups, want.groups, "{line}");
        let decision = authorizer.decide(&user, &request);
        let reasons: Vec<Option<String>> = match decision {
            AccessDecision::Allowed(first) => {
                let cluster_wide = first.binding.namespace.is_empty();
                (authorizer.grants(&user, &request))
                    .filter(|grant| grant.binding.namespace.is_empty() == cluster_wide)
                    .map(|grant| AccessDecision::Allowed(grant).reason())
                    .collect()
            }
            ref other => vec![other.reason()],
        };
        several += usize::from(reasons.len() > 1);
        let agrees = decision.is_allowed() == want.allowed
            && request.verb() == want.verb
            && reasons.contains(&want.reason);
        if !agrees {
            wrong.push(format!("{line}\n  {} {decision:?}", request.verb()));
        }
    }
    assert!(several > 10, "{several} requests that several bindings allow");
    assert_none(&wrong);
}
