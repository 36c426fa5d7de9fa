//! Whose APIServices and CRDs are whose, where a distribution brings them along.

use crate::{run, run_on};

/// A dump with an APIService of OpenShift's that does not work, and a CRD of the same group
/// version, as every OpenShift has one.
const CLUSTER: &str = r#"{"kind":"List","apiVersion":"v1","items":[
{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"v1.quota.openshift.io"},
 "spec":{"group":"quota.openshift.io","version":"v1","groupPriorityMinimum":9900,"versionPriority":15,
  "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver","name":"api"}},
 "status":{"conditions":[{"type":"Available","status":"False","reason":"ServiceNotFound","message":"service/api in \"openshift-apiserver\" is not present"}]}},
{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1","metadata":{"name":"clusterresourcequotas.quota.openshift.io"},
 "spec":{"group":"quota.openshift.io","scope":"Cluster","names":{"plural":"clusterresourcequotas","kind":"ClusterResourceQuota"},
  "versions":[{"name":"v1","served":true,"storage":true}]},
 "status":{"conditions":[{"type":"Established","status":"True"},{"type":"NamesAccepted","status":"True"}]}}]}"#;

#[test]
fn doctor_conflicts_and_lint_say_whose_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("cluster.json");
    std::fs::write(&file, CLUSTER).unwrap();
    let on_it = |arguments: &[&str]| run_on(&file, arguments);
    let says = "belongs to OpenShift's openshift-apiserver";
    let doctor = on_it(&["doctor", "v1.quota.openshift.io"]).out;
    assert!(doctor.contains(says), "{doctor}");
    let answer = on_it(&["doctor", "v1.quota.openshift.io", "-o", "json"]).json();
    let owner = &answer["items"][0]["belongsTo"];
    assert_eq!(
        (&owner["distribution"], &owner["component"]),
        (&"OpenShift".into(), &"openshift-apiserver".into())
    );
    let conflicts = on_it(&["conflicts"]).out;
    assert!(conflicts.contains(&format!("  {says}\n")), "{conflicts}");
    let lint = run(&["lint", file.to_str().unwrap()]).out;
    assert!(lint.contains(&format!("; the group {says}")), "{lint}");
}
