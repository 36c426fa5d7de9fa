//! Tests APIServices and CRDs that belong to a distribution, such as OpenShift.

use crate::{Place, session};

/// A dump with an unavailable APIService of OpenShift and a CRD of the same group version, which
/// every OpenShift cluster has.
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
fn doctor_conflicts_and_lint_name_the_owner() {
    let place = Place::with(&[("cluster.json", CLUSTER)]);
    let run = |arguments: &[&str]| match arguments[0] {
        "lint" => place.run(arguments),
        _ => place.ask(arguments),
    };
    insta::assert_snapshot!(session(run, [
        "doctor v1.quota.openshift.io --now 2026-11-16T12:00:00Z",
        "conflicts",
        "lint cluster.json",
    ]), @r#"
    $ aggctl doctor v1.quota.openshift.io --now 2026-11-16T12:00:00Z
    ✗ v1.quota.openshift.io → Service openshift-apiserver/api:443

      ✗ service      the API server's own check found no such Service
                     · Services are not in the source
      - port         not checked: the Service is not in the source
      - endpoints    not checked: the Service is not in the source
      - ready        not checked: the Service is not in the source
      - address      not checked: the Service is not in the source
      ! tls          not verified (insecureSkipTLSVerify): an attacker on the
                     network could answer
      - discovery    not reached
      - fresh        the aggregated document /apis is not in the source

    cause      The API server's own check found no such Service.
    condition  Available=False (ServiceNotFound)
               “service/api in "openshift-apiserver" is not present”
    fix        Reinstall the component, or point the APIService at the right
               Service.
               kubectl -n openshift-apiserver get services
               If the component is gone for good, delete the APIService. This
               removes only the registration, no data.
               kubectl delete apiservice v1.quota.openshift.io
               If the CRDs should serve this group version, delete the APIService.
    impact     Every request under /apis/quota.openshift.io/v1 returns 503.
    changed by unknown (the source has no managed fields; kubectl get needs
               --show-managed-fields)
    part of    belongs to OpenShift's openshift-apiserver
    note       Shadows quota.openshift.io/v1 of CRD
               clusterresourcequotas.quota.openshift.io. Requests go to the Service
               and never reach the CRDs, which would answer without this APIService.
               If both publish OpenAPI for these paths, /openapi/v2 may fail for all
               clients.
    note       /apis/quota.openshift.io/v1/ of openshift-apiserver/api is a prefix
               of paths of CRD clusterresourcequotas.quota.openshift.io. If the
               Service publishes OpenAPI, as generic API servers do, the API server
               cannot merge /openapi/v2, and answers 503 for it after a restart. The
               merge skips a path that another server already publishes. It fails if
               a new path is a string prefix of an existing one. Every generic API
               server publishes such a prefix, /apis/GROUP/VERSION/, and no CRD
               does.
    note       May be left over: its Service does not exist. Uninstalling a
               component can leave its APIService behind.

    Impact until fixed
      Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
      Possible: garbage collection and quota lag for kinds that cannot be listed.
      Possible: clients that require complete discovery fail: kubectl api-resources
        up to 1.31, some versions of Helm, some controllers.

    Kubernetes of unknown version, dump . (run kubectl commands in the dumped
    cluster)
    2> warning: input is incomplete; the diagnosis may be less precise: Services are not in the source (kubectl get services -A -o json); EndpointSlices are not in the source (kubectl get endpointslices -A -o json); the server's version is not in the source (kubectl get --raw /version)
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    [exit 1]

    $ aggctl conflicts
    shadows-crd  quota.openshift.io/v1
      winner:       APIService v1.quota.openshift.io → openshift-apiserver/api
      also claims:  CRD clusterresourcequotas.quota.openshift.io
      part of:      belongs to OpenShift's openshift-apiserver
      APIService v1.quota.openshift.io: shadows quota.openshift.io/v1 of CRD
      clusterresourcequotas.quota.openshift.io. Requests go to the Service and never
      reach the CRDs, which would answer without this APIService. If both publish
      OpenAPI for these paths, /openapi/v2 may fail for all clients.
      next: see what deleting the APIService would change
            aggctl diff --without v1.quota.openshift.io --dump .

    duplicated-path  quota.openshift.io/v1
      claimed by:   CRD clusterresourcequotas.quota.openshift.io
      claimed by:   APIService v1.quota.openshift.io → openshift-apiserver/api
      part of:      belongs to OpenShift's openshift-apiserver
      APIService v1.quota.openshift.io: /apis/quota.openshift.io/v1/ of
      openshift-apiserver/api is a prefix of paths of CRD
      clusterresourcequotas.quota.openshift.io. If the Service publishes OpenAPI, as
      generic API servers do, the API server cannot merge /openapi/v2, and answers
      503 for it after a restart. The merge skips a path that another server already
      publishes. It fails if a new path is a string prefix of an existing one. Every
      generic API server publishes such a prefix, /apis/GROUP/VERSION/, and no CRD
      does.
      next: see which server publishes what
            aggctl openapi --dump .
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: the server's version is not in the source; assuming 1.37
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl lint cluster.json
    warning[insecure-skip-tls-verify]: the certificate of the Service is not
        verified
     --> cluster.json:4:27
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                           ^^^^
      = in: APIService/v1.quota.openshift.io
      = help: set a caBundle instead

    warning[duplicated-path]: /apis/quota.openshift.io/v1/ of
        openshift-apiserver/api is a prefix of paths of CRD
        clusterresourcequotas.quota.openshift.io. If the Service publishes OpenAPI,
        as generic API servers do, the API server cannot merge /openapi/v2, and
        answers 503 for it after a restart; the group belongs to OpenShift's
        openshift-apiserver
     --> cluster.json:4:32
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                                ^^^^^^^^^
      = in: APIService/v1.quota.openshift.io

    error[shadows-crd]: shadows quota.openshift.io/v1 of CRD
        clusterresourcequotas.quota.openshift.io; the group belongs to OpenShift's
        openshift-apiserver
     --> cluster.json:4:32
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                                ^^^^^^^^^
      = in: APIService/v1.quota.openshift.io
      = help: use another version or group, or move the CRD's objects and remove its
        version

    warning[status-in-manifest]: status belongs to the server, which ignores it here
     --> cluster.json:5:2
      |
    5 |  "status":{"conditions":[{"type":"Available","status":"False","reason":"Ser...
      |  ^^^^^^^^
      = in: APIService/v1.quota.openshift.io

    1 error, 3 warnings in 1 APIService in 1 file, 1 fixable with --fix
    [exit 1]
    "#);
    let answer = place.ask(&["doctor", "v1.quota.openshift.io", "-o", "json"]).json();
    let owner = &answer["items"][0]["belongsTo"];
    assert_eq!(owner["distribution"], "OpenShift");
    assert_eq!(owner["component"], "openshift-apiserver");
}
