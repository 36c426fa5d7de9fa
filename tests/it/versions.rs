//! Tests `aggctl versions`, and how other commands report removed and new group versions.

use crate::{Place, json, run, session};

#[test]
fn history_is_a_table() {
    insta::assert_snapshot!(session(run, [
        "versions policy",
        "versions batch/v1 -o name",
        "versions batch -o markdown",
        "versions polcy",
    ]), @r#"
    $ aggctl versions policy
    KUBERNETES 1.          25 28 29 30 31 32 33 34 35 36 37 SERVED
    policy/v1               ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  ● 1.21+
      poddisruptionbudgets  ●  ●  ●  ●  ●  ●  ●  ●  ●  ●  ● 1.21+
    policy/v1beta1          ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 1.5-1.24
      poddisruptionbudgets  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 1.5-1.24
      podsecuritypolicies   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 1.10-1.24

    policy/v1beta1: last served by Kubernetes 1.24; use policy/v1 (since 1.21)
    podsecuritypolicies of policy/v1beta1: last served by Kubernetes 1.24

    $ aggctl versions batch/v1 -o name
    batch/v1
    batch/v1beta1

    $ aggctl versions batch -o markdown
    | | 1.25 | 1.28 | 1.29 | 1.30 | 1.31 | 1.32 | 1.33 | 1.34 | 1.35 | 1.36 | 1.37 | served |
    |---|:-:|:-:|:-:|:-:|:-:|:-:|:-:|:-:|:-:|:-:|:-:|---|
    | **batch/v1** | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | 1.2+ |
    | cronjobs | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | 1.21+ |
    | jobs | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | ● | 1.2+ |
    | **batch/v1beta1** | | | | | | | | | | | | 1.8-1.24 |
    | cronjobs | | | | | | | | | | | | 1.8-1.24 |

    $ aggctl versions polcy
    2> error: unknown API group or resource "polcy"
    2> hint: did you mean policy?
    [exit 2]
    "#);
    let all = run(&["versions"]).out;
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
}

#[test]
fn history_has_other_forms() {
    let document = run(&["versions", "resource.k8s.io", "-o", "json"]).json();
    assert_eq!(document["kubernetes"][0], "1.25");
    let whole = &document["items"][0];
    assert_eq!(whole["groupVersion"], "resource.k8s.io/v1");
    assert_eq!(whole["served"], serde_json::json!(["1.34", "1.35", "1.36", "1.37"]));
    assert_eq!((&whole["since"], &whole["until"]), (&"1.34".into(), &serde_json::Value::Null));
    let gone = json(run(&["versions", "autoscaling", "-o", "jsonl"]).out.lines().last().unwrap());
    assert_eq!(gone["instead"]["groupVersion"], "autoscaling/v2");
    assert_eq!(gone["instead"]["since"], "1.23");
}

/// Every command about a group version says when it was served.
#[test]
fn removed_and_new_group_versions_are_named() {
    insta::assert_snapshot!(session(run, [
        "discovery /apis/policy/v1beta1 --builtin",
        "explain 'no matches for kind \"PodDisruptionBudget\" in version \"policy/v1beta1\"' --builtin",
        "route /apis/storagemigration.k8s.io/v1 --builtin 1.36",
        "route /apis/storage.k8s.io/v1/volumeattributesclasses --builtin 1.33",
        // A typo below an existing group version does not show its history.
        "route /apis/apps/v1/nothing --builtin 1.36",
    ]), @r#"
    $ aggctl discovery /apis/policy/v1beta1 --builtin
    2> error: no discovery document at /apis/policy/v1beta1
    2> hint: policy/v1beta1: served by Kubernetes up to 1.24, v1 since 1.21
    [exit 2]

    $ aggctl explain 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"' --builtin
    The client knows no group version with that kind

      about      policy/v1beta1
      note       kube-apiserver serves this group itself. No extension server is
                 involved.
      meaning    The client found no such kind in discovery, and never requested the
                 resource itself.
      versions   poddisruptionbudgets of policy/v1beta1: served by Kubernetes up to
                 1.24, v1 since 1.21

    Likely causes
      1. The version is no longer served: an upgrade removed it. Use the new
         apiVersion.

    Next
      kubectl api-resources --cached=false
          bypasses the cache
      aggctl route /apis/policy/v1beta1 --builtin
          shows which server answers
      aggctl discovery /apis/policy/v1beta1 --builtin
          lists its kinds

    Now
      in built-in Kubernetes 1.37
      APIService v1beta1.policy
          not registered in the source now

    $ aggctl route /apis/storagemigration.k8s.io/v1 --builtin 1.36
    GET /apis/storagemigration.k8s.io/v1

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ✗ apiextensions-apiserver   no CRD serves this group version

    404 Not Found.
    2> hint: storagemigration.k8s.io/v1: new in Kubernetes 1.37

    $ aggctl route /apis/storage.k8s.io/v1/volumeattributesclasses --builtin 1.33
    GET /apis/storage.k8s.io/v1/volumeattributesclasses
    list volumeattributesclasses (storage.k8s.io/v1)

      │ kube-aggregator   APIService v1.storage.k8s.io is local
      ✗ kube-apiserver    built-in storage.k8s.io/v1 has nothing at this path

    404 Not Found.
    2> hint: volumeattributesclasses of storage.k8s.io/v1: new in Kubernetes 1.34

    $ aggctl route /apis/apps/v1/nothing --builtin 1.36
    GET /apis/apps/v1/nothing    list nothing (apps/v1)

      │ kube-aggregator   APIService v1.apps is local
      ✗ kube-apiserver    built-in apps/v1 has nothing at this path

    404 Not Found.
    "#);
}

#[test]
fn lint_says_when_a_group_version_was_served() {
    let manifest = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  name: v1beta1.policy\nspec:\n  group: policy\n  version: v1beta1\n  groupPriorityMinimum: 1000\n  versionPriority: 15\n";
    let place = Place::with(&[("ghost.yaml", manifest)]);
    insta::assert_snapshot!(place.run(&["lint", "ghost.yaml", "--kubernetes-version", "1.36"]), @"
    error[joins-built-in-group]: adds policy/v1beta1 to a built-in group
     --> ghost.yaml:6:10
      |
    6 |   group: policy
      |          ^^^^^^
      = in: APIService/v1beta1.policy
      = help: policy/v1beta1: served by Kubernetes up to 1.24, v1 since 1.21

    warning[group-priority-mismatch]: groupPriorityMinimum 1000 has no effect:
        v1.policy gives the group 17100, and the highest counts
     --> ghost.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v1beta1.policy

    1 error, 1 warning in 1 APIService in 1 file
    [exit 1]
    ");
}

/// What is off by default is marked, and a replacement that is gone, too, is still named.
#[test]
fn off_by_default_is_marked() {
    let document = run(&["versions", "storage.k8s.io", "extensions", "-o", "json"]).json();
    let items = document["items"].as_array().unwrap();
    let item = |gv: &str, resource: &str| {
        let found = items.iter().find(|i| i["groupVersion"] == gv && i["resource"] == resource);
        found.unwrap_or_else(|| panic!("{gv} {resource}"))
    };
    let optional = item("storage.k8s.io/v1beta1", "volumeattributesclasses");
    assert_eq!(optional["offByDefault"], true);
    assert_eq!((&optional["since"], &optional["until"]), (&"1.31".into(), &"1.36".into()));
    assert_eq!(item("storage.k8s.io/v1", "csinodes")["offByDefault"], false);
    let policies = &item("extensions/v1beta1", "podsecuritypolicies")["instead"];
    assert_eq!(policies["groupVersion"], "policy/v1beta1");
    assert_eq!(policies["until"], "1.24");
    let text = run(&["versions", "lifecycle.k8s.io"]).out;
    assert!(text.ends_with("\n○ off by default; --runtime-config enables it\n"), "{text}");
}
