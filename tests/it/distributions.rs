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
    × v1.quota.openshift.io → Service openshift-apiserver/api, port 443
        whose       belongs to OpenShift's openshift-apiserver
      × service     the server's own check found no such Service
                    · Services are not in the source
      - port        the Service is not in the source
      - endpoints   the Service is not in the source
      - ready       the Service is not in the source
      - address     the Service is not in the source
      √ tls         not verified (insecureSkipTLSVerify): anyone on the way could
                    answer
      - discovery   not reached
      - fresh       the aggregated document /apis is not in the source
        condition   Available=False (ServiceNotFound)
                    “service/api in "openshift-apiserver" is not present”
        written by  not known: the source has no managed fields (kubectl get
                    --show-managed-fields)
        also        takes quota.openshift.io/v1 away from CRD
                    clusterresourcequotas.quota.openshift.io. Requests go to the
                    Service and never reach the CRDs, which would answer without
                    this APIService; where both publish OpenAPI for these paths,
                    /openapi/v2 may fail for all clients.
        also        /apis/quota.openshift.io/v1/ of openshift-apiserver/api is a
                    prefix of paths that CRD
                    clusterresourcequotas.quota.openshift.io has: if it publishes
                    /openapi/v2, as generic API servers do, nothing can be merged,
                    and a restarted API server answers 503. A path that is taken is
                    left out, unless a new path is a prefix of it, by letters; then
                    nothing at all can be merged. /apis/GROUP/VERSION/, which every
                    generic API server publishes and no CRD does, is such a prefix.
        also        may be left over: its Service does not exist. Deleting an
                    APIService deletes nothing but the registration.
        so          Every request under /apis/quota.openshift.io/v1 gets 503 service
                    unavailable.
        next        If its component is to run, bring the Service back, or point the
                    APIService at the right one.
                    $ kubectl -n openshift-apiserver get services
        next        If the component was removed for good, delete the registration;
                    nothing else is deleted with it.
                    $ kubectl delete apiservice v1.quota.openshift.io
        next        See what would answer without it; if the CRDs are meant to,
                    delete the registration.
                    $ kubectl delete apiservice v1.quota.openshift.io

    Until this is fixed:
    - Requests to an unavailable group version get 503 service unavailable.
    - Namespaces stay in Terminating, with NamespaceDeletionDiscoveryFailure, until
      discovery is complete.
    - Possibly: garbage collection and quota lag for kinds of the group versions
      that cannot be listed.
    - Possibly: clients that insist on complete discovery stop: kubectl
      api-resources up to 1.31 ends with an error, some versions of Helm and some
      controllers refuse to work at all.

    × v1.quota.openshift.io  the server's own check found no such Service

    1 APIService: 1 broken
    Kubernetes of unknown version, dump . (kubectl commands are for the cluster that
    this dump came from)
    2> warning: input is incomplete; the diagnosis may be less precise: Services are not in the source (kubectl get services -A -o json); EndpointSlices are not in the source (kubectl get endpointslices -A -o json); the server's version is not in the source (kubectl get --raw /version)
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    [exit 1]

    $ aggctl conflicts
    shadows-crd  quota.openshift.io/v1
      has it: APIService v1.quota.openshift.io → openshift-apiserver/api
      and:    CRD clusterresourcequotas.quota.openshift.io
      belongs to OpenShift's openshift-apiserver
      APIService v1.quota.openshift.io: takes quota.openshift.io/v1 away from CRD
      clusterresourcequotas.quota.openshift.io. Requests go to the Service and never
      reach the CRDs, which would answer without this APIService; where both publish
      OpenAPI for these paths, /openapi/v2 may fail for all clients.
      next: see what deleting the APIService would change
            $ aggctl diff --without v1.quota.openshift.io --dump .

    duplicated-path  quota.openshift.io/v1
      has it: CRD clusterresourcequotas.quota.openshift.io
      and:    APIService v1.quota.openshift.io → openshift-apiserver/api
      belongs to OpenShift's openshift-apiserver
      APIService v1.quota.openshift.io: /apis/quota.openshift.io/v1/ of
      openshift-apiserver/api is a prefix of paths that CRD
      clusterresourcequotas.quota.openshift.io has: if it publishes /openapi/v2, as
      generic API servers do, nothing can be merged, and a restarted API server
      answers 503. A path that is taken is left out, unless a new path is a prefix
      of it, by letters; then nothing at all can be merged. /apis/GROUP/VERSION/,
      which every generic API server publishes and no CRD does, is such a prefix.
      next: see who publishes what
            $ aggctl openapi --dump .
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: the server's version is not in the source; assuming 1.37
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale

    $ aggctl lint cluster.json
    warning[insecure-skip-tls-verify]: the certificate of the Service is not verified
     --> cluster.json:4:27
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                           ^^^^
      = in: APIService/v1.quota.openshift.io
      = help: give a caBundle instead

    warning[duplicated-path]: /apis/quota.openshift.io/v1/ of openshift-apiserver/api is a prefix of paths that CRD clusterresourcequotas.quota.openshift.io has: if it publishes /openapi/v2, as generic API servers do, nothing can be merged, and a restarted API server answers 503; the group belongs to OpenShift's openshift-apiserver
     --> cluster.json:4:32
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                                ^^^^^^^^^
      = in: APIService/v1.quota.openshift.io

    error[shadows-crd]: takes quota.openshift.io/v1 away from CRD clusterresourcequotas.quota.openshift.io; the group belongs to OpenShift's openshift-apiserver
     --> cluster.json:4:32
      |
    4 |   "insecureSkipTLSVerify":true,"service":{"namespace":"openshift-apiserver"...
      |                                ^^^^^^^^^
      = in: APIService/v1.quota.openshift.io
      = help: use another version or group, or remove the CRD's version once its objects were moved

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
