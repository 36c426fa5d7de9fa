//! The roles in `deploy/cronjob.yaml` allow what `aggctl doctor` requests, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

use aggctl_diagnose::access::{Attributes, Authorizer, User};
use aggctl_source::{Source, load};
use kube_aggregation::model::{Input, PolicyRule, Rbac, Role};
use kube_aggregation::routing::{Method, Target};

use crate::world::{World, recording};

/// The service account of the CronJob.
const ACCOUNT: &str = "system:serviceaccount:aggctl:aggctl-doctor";

#[test]
fn the_role_of_the_cronjob_is_minimal() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/cronjob.yaml");
    let rbac = load(&Source::Dump(vec![file])).unwrap().snapshot.rbac;
    let asked = asked();
    assert_eq!(refused(&rbac, &asked), Vec::<&String>::new());
    let mut permissions = 0;
    for at in 0..2 {
        let role = one(&rbac, at);
        for (index, rule) in role.rules.iter().enumerate() {
            for less in lesser(rule) {
                permissions += 1;
                let (mut role, mut rbac) = (role.clone(), rbac.clone());
                role.rules[index] = less.clone();
                let place = if at == 0 { &mut rbac.cluster_roles } else { &mut rbac.roles };
                *place = Input::Loaded(vec![role]);
                let missing = refused(&rbac, &asked);
                assert!(!missing.is_empty(), "{less:?} would do instead of {rule:?}");
            }
        }
    }
    assert!(permissions > 12, "{permissions}");
}

/// Returns the requests of doctor to servers that use EndpointSlices or Endpoints.
fn asked() -> BTreeSet<String> {
    let paths = ["v1.36-mixed", "v1.25-mixed"].map(|name| {
        let world = World::new(&recording(name));
        world.live(&["doctor", "-o", "openmetrics"]);
        world.server.seen().into_iter().map(|seen| seen.path).collect::<Vec<_>>()
    });
    paths.into_iter().flatten().collect()
}

fn refused<'a>(rbac: &Rbac, asked: &'a BTreeSet<String>) -> Vec<&'a String> {
    let authorizer = Authorizer::new(rbac);
    let user = User::new(ACCOUNT, &[]);
    let refused = |path: &&String| {
        let target = Target::parse(Method::Get, path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        !authorizer.decide(&user, &request).is_allowed()
    };
    asked.iter().filter(refused).collect()
}

/// Returns the ClusterRole (0) or the Role (1).
fn one(rbac: &Rbac, at: usize) -> &Role {
    let [one] = [&rbac.cluster_roles, &rbac.roles][at].loaded().unwrap().as_slice() else {
        panic!("one of each kind")
    };
    one
}

/// Returns all versions of a rule with one word less. Without a resource name, a rule would allow more.
fn lesser(rule: &PolicyRule) -> Vec<PolicyRule> {
    let mut all = vec![];
    let lists: [fn(&mut PolicyRule) -> &mut Vec<String>; 4] =
        [|r| &mut r.verbs, |r| &mut r.groups, |r| &mut r.resources, |r| &mut r.urls];
    for list in lists {
        for index in 0..list(&mut rule.clone()).len() {
            let mut less = rule.clone();
            list(&mut less).remove(index);
            all.push(less);
        }
    }
    all
}
