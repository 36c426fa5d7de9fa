//! Measures authorization decisions with an absurd number of roles and bindings.
//!
//! `cargo bench --bench access` prints times of this machine.

#![expect(clippy::unwrap_used, reason = "benchmarks fail loudly")]

use std::hint::black_box;

use aggctl_diagnose::access::{ANONYMOUS, Attributes, Authorizer, User};
use divan::Bencher;
use kube_aggregation::model::{
    Input, PolicyRule, Rbac, RbacListed, RbacSubject, Role, RoleBinding,
};
use kube_aggregation::routing::{Method, Target};

fn main() {
    divan::main();
}

/// Returns this number of roles and bindings: a tenth cluster-wide, the rest in a hundred
/// namespaces. Each binding has a user and a group, and ten users share a group.
fn rbac(size: usize) -> Rbac {
    let rule = |index: usize| PolicyRule {
        verbs: ["get", "list", "watch"].map(str::to_owned).to_vec(),
        groups: vec![format!("g{}.example.com", index % 50)],
        resources: vec![format!("things{index}"), format!("things{index}/status")],
        ..PolicyRule::default()
    };
    let subject = |kind: &str, name: String| RbacSubject {
        kind: kind.to_owned(),
        namespace: String::new(),
        name,
    };
    let (mut roles, mut bindings) = ([vec![], vec![]], [vec![], vec![]]);
    for index in 0..size {
        let inside = usize::from(index % 10 != 0);
        let namespace =
            if inside == 0 { String::new() } else { format!("n{:02}", index / 10 % 100) };
        let name = format!("r{index:05}");
        roles[inside].push(Role {
            namespace: namespace.clone(),
            name: name.clone(),
            rules: (0..5).map(|more| rule(index + more)).collect(),
            ..Role::default()
        });
        bindings[inside].push(RoleBinding {
            namespace,
            name: format!("b{index:05}"),
            role_kind: if inside == 0 { "ClusterRole" } else { "Role" }.to_owned(),
            role: name,
            subjects: vec![
                subject("User", format!("u{}", index % 1000)),
                subject("Group", format!("g{}", index % 100)),
            ],
        });
    }
    let [cluster_roles, roles] = roles.map(Input::Loaded);
    let [cluster_role_bindings, role_bindings] = bindings.map(Input::Loaded);
    Rbac {
        cluster_roles,
        cluster_role_bindings,
        roles,
        role_bindings,
        listed: RbacListed {
            cluster_roles: true,
            cluster_role_bindings: true,
            roles: true,
            role_bindings: true,
        },
    }
}

const DENIED: &str = "/apis/g7.example.com/v1/namespaces/n07/things9/x";
const ALLOWED: &str = "/apis/g20.example.com/v1/namespaces/n07/things170/x";

#[divan::bench(args = [100, 10_000])]
fn index(bencher: Bencher<'_, '_>, size: usize) {
    let rbac = rbac(size);
    bencher.bench(|| {
        Authorizer::new(black_box(&rbac))
            .decide(&User::new(ANONYMOUS, &[]), &request("/"))
            .is_allowed()
    });
}

fn request(path: &'static str) -> Attributes<'static> {
    Attributes::Url { verb: "get", path }
}

#[divan::bench(args = [100, 10_000], consts = [true, false])]
fn decide<const ALLOW: bool>(bencher: Bencher<'_, '_>, size: usize) {
    let rbac = rbac(size);
    let authorizer = Authorizer::new(&rbac);
    let target = Target::parse(Method::Get, if ALLOW { ALLOWED } else { DENIED }).unwrap();
    let user = User::new("u70", &["g70".to_owned()]);
    bencher.bench(|| {
        let request = Attributes::of(target.info().unwrap(), &target.path);
        authorizer.decide(black_box(&user), &request).is_allowed()
    });
}

#[divan::bench(args = [100, 10_000])]
fn nearest(bencher: Bencher<'_, '_>, size: usize) {
    let rbac = rbac(size);
    let authorizer = Authorizer::new(&rbac);
    let target = Target::parse(Method::Get, DENIED).unwrap();
    let user = User::new("u70", &["g70".to_owned()]);
    let request = Attributes::of(target.info().unwrap(), &target.path);
    bencher.bench(|| authorizer.nearest(black_box(&user), &request).is_some());
}
