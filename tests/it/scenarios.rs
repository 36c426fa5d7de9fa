//! Tests public bug reports and questions, each with the dump or the text that its author would
//! have had (names are our own), and the answer that would have helped.

use crate::{Run, aggctl, finish, repository, session};

/// Runs a command on a folder in `testdata/scenarios`. `HERE` is replaced with the folder.
fn run(thread: &str, arguments: &[&str], more: &[&str]) -> Run {
    let folder = format!("testdata/scenarios/{thread}");
    let mut command = aggctl(&[]);
    command.args(arguments.iter().chain(more).map(|word| word.replace("HERE", &folder)));
    finish(command.env("KUBECONFIG", "/dev/null"))
}

/// Runs a command with the folder as the dump.
fn with_dump(thread: &str, command: &str) -> String {
    session(|arguments| run(thread, arguments, &["--dump", "HERE"]), [command])
}

/// Runs a command without a source.
fn without_dump(thread: &str, command: &str) -> String {
    session(|arguments| run(thread, arguments, &[]), [command])
}

const PASTED: &str = "explain --file HERE/pasted.txt";

#[test]
fn one_dead_api_service_stops_a_tool() {
    insta::assert_snapshot!(with_dump("helm-6361", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    Helm stopped because the server behind harvest/harvest-adapter does not answer

      line 2     INSTALLATION FAILED: could not get apiVersions from Kubernetes
      about      APIService v1beta1.custom.harvest.example
      said by    a client that lists all APIs; kube-apiserver's answer follows the
                 group version
      meaning    Before it renders a chart, Helm requests all group versions. Some
                 Helm versions stop if one fails, even if the chart does not need
                 it.

    Likely causes
      1. v1beta1.custom.harvest.example does not work now: the API server's own
         check found no such Service.
         confirm: aggctl doctor v1beta1.custom.harvest.example --dump testdata/scenarios/helm-6361
      2. The Service does not exist: the component was removed and its APIService
         was left behind, or the APIService names the wrong Service.
         confirm: kubectl describe apiservice v1beta1.custom.harvest.example
                  ServiceNotFound means yes
      3. The server behind harvest/harvest-adapter is not running or not ready: Pods
         are starting, crashing or missing.
         confirm: kubectl -n harvest get endpointslices -l kubernetes.io/service-name=harvest-adapter
                  no ready address means yes

    Next
      kubectl -n harvest get services
          if the component runs under another Service, correct the APIService
      kubectl delete apiservice v1beta1.custom.harvest.example
          only if its component was removed for good; this removes only the
          registration

    Now
      in dump testdata/scenarios/helm-6361
      APIService v1beta1.custom.harvest.example
          backend: Service harvest/harvest-adapter, port 443; unavailable,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the API server's own check found no such Service
          doctor: Reinstall the component, or point the APIService at the right
          Service.
          its Service does not exist: if the component runs under another Service,
          correct the APIService; delete it only if the component was removed for
          good

    also recognized: complete-list, unable-to-handle
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    "#);
}

#[test]
fn the_rest_of_the_cluster_is_still_shown() {
    insta::assert_snapshot!(with_dump("helm-6361", "apiservices"), @"
    $ aggctl apiservices
    NAME                              SERVED BY                 ISSUES
    v1beta1.custom.harvest.example    harvest/harvest-adapter   ServiceNotFound
    v1.admissionregistration.k8s.io   kube-apiserver            inferred
    v1.apiextensions.k8s.io           apiextensions-apiserver   inferred
    v1.authentication.k8s.io          kube-apiserver            inferred
    v1.authorization.k8s.io           kube-apiserver            inferred
    v1.autoscaling                    kube-apiserver            inferred
    v1.batch                          kube-apiserver            inferred
    v1.certificates.k8s.io            kube-apiserver            inferred
    v1.coordination.k8s.io            kube-apiserver            inferred
    v1.discovery.k8s.io               kube-apiserver            inferred
    v1.events.k8s.io                  kube-apiserver            inferred
    v1.flowcontrol.apiserver.k8s.io   kube-apiserver            inferred
    v1.networking.k8s.io              kube-apiserver            inferred
    v1.node.k8s.io                    kube-apiserver            inferred
    v1.policy                         kube-apiserver            inferred
    v1.rbac.authorization.k8s.io      kube-apiserver            inferred
    v1.scheduling.k8s.io              kube-apiserver            inferred
    v1.storage.k8s.io                 kube-apiserver            inferred
    v2.autoscaling                    kube-apiserver            inferred

    2 healthy built-in APIServices hidden (use --all).
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    ");
}

#[test]
fn a_namespace_waits_for_an_api_service() {
    insta::assert_snapshot!(with_dump("kubernetes-75788", "explain namespace old-team"), @r#"
    $ aggctl explain namespace old-team
    namespace old-team stays in Terminating: some group versions do not answer
    discovery

    NamespaceDeletionDiscoveryFailure
      Discovery failed for some groups, 1 failing: unable to retrieve the complete
      list of server APIs: custom.harvest.example/v1beta1: the server is currently
      unable to handle the request
      The controller must list every kind of object, and these group versions do not
      answer. Fix their APIServices; delete one only if its component was removed
      for good.
      APIService v1beta1.custom.harvest.example
          backend: Service harvest/harvest-adapter, port 443; unavailable,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the API server's own check found no such Service
          doctor: Reinstall the component, or point the APIService at the right
          Service.
          its Service does not exist: if the component runs under another Service,
          correct the APIService; delete it only if the component was removed for
          good

    Next
      aggctl doctor v1beta1.custom.harvest.example --dump testdata/scenarios/kubernetes-75788
          shows each check from the APIService to the Pod
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    "#);
}

#[test]
fn a_namespace_waits_for_finalizers() {
    insta::assert_snapshot!(with_dump("kubernetes-75788", "explain namespace slow-team"), @"
    $ aggctl explain namespace slow-team
    namespace slow-team stays in Terminating: some objects wait for their finalizers

    NamespaceFinalizersRemaining
      Some content in the namespace has finalizers remaining: till.example/cart in 2
      resource instances
      These objects wait for the controllers that set their finalizers. If one is
      gone, its objects wait forever.

    NamespaceContentRemaining
      Some resources are remaining: carts.till.example has 2 resource instances
      Something must finish deleting these objects; see their finalizers.

    Next
      kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl get -n slow-team --ignore-not-found --show-kind
          lists what is left in the namespace
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    ");
}

#[test]
fn who_has_a_reason_now() {
    insta::assert_snapshot!(with_dump("kubernetes-75788", "explain ServiceNotFound"), @r#"
    $ aggctl explain ServiceNotFound
    The Service of the server behind v1beta1.custom.harvest.example does not exist

      said by    kube-apiserver's availability check
      meaning    The availability check found no Service with the name and namespace
                 in spec.service. Every request to the group version gets 503, and
                 clients that list all APIs report it.

    Likely causes
      1. The component was uninstalled and its APIService was left behind.
      2. The manifest names another Service or namespace than the installed one.
      3. The APIService was applied before its Service; then it recovers within 30
         seconds.

    Next
      kubectl describe apiservice v1beta1.custom.harvest.example
          Message shows the reason, Service the backend
      aggctl doctor v1beta1.custom.harvest.example --dump testdata/scenarios/kubernetes-75788
          shows each check from the APIService to the Pod
      kubectl delete apiservice v1beta1.custom.harvest.example
          only if its component was removed for good; this removes only the
          registration

    Now
      in dump testdata/scenarios/kubernetes-75788
      APIService v1beta1.custom.harvest.example
          backend: Service harvest/harvest-adapter, port 443; unavailable,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the API server's own check found no such Service
          doctor: Reinstall the component, or point the APIService at the right
          Service.
          its Service does not exist: if the component runs under another Service,
          correct the APIService; delete it only if the component was removed for
          good
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    "#);
}

#[test]
fn available_is_not_the_same_as_fresh() {
    insta::assert_snapshot!(with_dump("kubernetes-119662", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    kube-apiserver cannot refresh the resources of the server behind
    dock/package-server

      about      APIService v1.packages.dock.example
      said by    a client that lists all APIs; kube-apiserver's answer follows the
                 group version
      meaning    kube-apiserver lists the group version, but its last fetch of the
                 resources failed. An APIService can be available and still stale.

    Likely causes
      1. v1.packages.dock.example is flawed now: available, but stale in aggregated
         discovery.
         confirm: aggctl doctor v1.packages.dock.example --dump testdata/scenarios/kubernetes-119662
      2. It is Available but fails on discovery: it returns an invalid document or
         an error, or responds too late.
      3. The server behind dock/package-server is not running or not ready: Pods are
         starting, crashing or missing.
         confirm: kubectl -n dock get endpointslices -l kubernetes.io/service-name=package-server
                  no ready address means yes
      4. It is restarting, or became available a moment ago. The next fetch, within
         a minute, fixes it.

    Next
      kubectl describe apiservice v1.packages.dock.example
          Message shows the reason, Service the backend
      kubectl get --raw /apis/packages.dock.example/v1
          requests it from the server behind it

    Now
      in dump testdata/scenarios/kubernetes-119662
      APIService v1.packages.dock.example
          backend: Service dock/package-server, port 443; available; stale in
          aggregated discovery
          doctor: available but stale in aggregated discovery
          doctor: Compare the extension API server's responses to kube-aggregator's
          two discovery requests, GET /apis and GET /apis/packages.dock.example/v1.
          Only the second can be sent through kube-apiserver.

    also recognized: resource-list
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: Services are not in the source; cannot tell whether a Service exists and has the port
    ");
}

#[test]
fn a_firewall_before_the_target_port() {
    insta::assert_snapshot!(with_dump("metrics-server-45", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    kube-apiserver answers 503: the server behind kube-system/gauge is unavailable

      about      group gauge.example
      meaning    kube-apiserver answered 503 itself: the APIService is unavailable,
                 or its Service cannot be reached. The APIService's condition shows
                 the reason.

    Likely causes
      1. v1beta1.gauge.example does not work now: the address does not answer in
         time.
         confirm: aggctl doctor v1beta1.gauge.example --dump testdata/scenarios/metrics-server-45
      2. The control plane cannot reach the server behind kube-system/gauge: a
         firewall, the network plugin, a network policy, or a broken tunnel to the
         nodes.
         confirm: kubectl -n kube-system get endpointslices -l kubernetes.io/service-name=gauge
                  shows the Pod address and port that the control plane must be able
                  to reach
      3. The server behind kube-system/gauge accepts the request but responds too
         slowly: no CPU, out of memory, or waiting for other servers.
         confirm: kubectl -n kube-system logs service/gauge --tail=50
                  shows slow or failing requests
      4. The server behind kube-system/gauge is not running or not ready: Pods are
         starting, crashing or missing.

    Next
      kubectl describe apiservice v1beta1.gauge.example
          Message shows the reason, Service the backend

    Now
      in dump testdata/scenarios/metrics-server-45
      APIService v1beta1.gauge.example
          backend: Service kube-system/gauge, port 443; unavailable,
          FailedDiscoveryCheck: failing or missing response from
          https://10.96.0.40:443/apis/gauge.example/v1beta1: Get
          "https://10.96.0.40:443/apis/gauge.example/v1beta1": context deadline
          exceeded
          doctor: the address does not answer in time
          doctor: Look for a network policy, a firewall or a security group between
          the control plane and the target port of the Pods, and for a Pod that
          hangs.
          not left over, because its Service exists: fix it; deleting it removes the
          API for its users
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    "#);
}

#[test]
fn the_timeout_itself() {
    let command = "explain 'failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1: context deadline exceeded'";
    insta::assert_snapshot!(without_dump("metrics-server-45", command), @"
    $ aggctl explain 'failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1: context deadline exceeded'
    kube-apiserver cannot reach the server behind v1beta1.gauge.example: no reply in
    time

      about      APIService v1beta1.gauge.example
      said by    kube-apiserver's availability check
      meaning    No reply: traffic is dropped, or the server is too slow. The
                 availability check waits 5 seconds. Test from the control plane's
                 network; success from another Pod proves nothing.

    Likely causes
      1. A firewall, security group or network policy drops traffic from the control
         plane to the Pod's port. Managed clusters open few ports by default.
         confirm: kubectl describe apiservice v1beta1.gauge.example
                  Message shows the reason, Service the backend
      2. The Pod network does not connect the control plane nodes with the Pod's
         node: VXLAN, BGP or IPIP is blocked, the MTU is wrong, or kube-proxy does
         not run there.
         confirm: kubectl get pods -A -o wide | grep -E 'calico|cilium|flannel|kube-proxy'
                  one must be ready on each node
      3. The tunnel from the control plane to the nodes is broken: konnectivity, the
         k3s or RKE2 agent tunnel, tunnelfront.
         confirm: kubectl -n kube-system get pods -o wide | grep -E 'konnectivity|tunnel'
                  all agents must be ready; on k3s and RKE2, check the agent's log
      4. The server behind v1beta1.gauge.example accepts the request but responds
         too slowly: no CPU, out of memory, or waiting for other servers.

    Next
      aggctl doctor v1beta1.gauge.example
          shows each check from the APIService to the Pod

    also recognized: failed-discovery-check
    ");
}

#[test]
fn pods_that_are_not_ready() {
    insta::assert_snapshot!(with_dump("metrics-server-525", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    The server behind kube-system/gauge is not ready: the Service has no ready
    endpoint

      about      Service kube-system/gauge
      meaning    EndpointSlices exist, but none has a ready address with the name of
                 the Service's port.

    Likely causes
      1. The Pods are not ready: crashing, starting, or failing their readiness
         probe.
      2. The port name in the slice differs from the Service's port, as with
         hand-written slices.
      3. There are no Pods: scaled to zero, or not schedulable.

    Next
      kubectl -n kube-system get pods -o wide
          shows the Pods
      kubectl -n kube-system get endpointslices -l kubernetes.io/service-name=gauge -o yaml
          shows the addresses and port names
      aggctl doctor v1beta1.gauge.example --dump testdata/scenarios/metrics-server-525
          shows each check from the APIService to the Pod

    Now
      in dump testdata/scenarios/metrics-server-525
      APIService v1beta1.gauge.example
          backend: Service kube-system/gauge, port 443; unavailable,
          MissingEndpoints: endpoints for service/gauge in "kube-system" have no
          addresses with port name "https"
          doctor: the API server's own check found no ready endpoint
          doctor: Find out why no Pod of the Service is ready.
          not left over, because its Service exists: fix it; deleting it removes the
          API for its users
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    "#);
}

#[test]
fn a_manifest_that_names_no_service() {
    let command =
        "route /apis/external.scale.example/v1beta1 -f testdata/scenarios/manifests/keda-4772.yaml";
    insta::assert_snapshot!(with_dump("keda-4772", command), @r#"
    $ aggctl route /apis/external.scale.example/v1beta1 -f testdata/scenarios/manifests/keda-4772.yaml
    NOW
    GET /apis/external.scale.example/v1beta1

      │ kube-aggregator           no match
      │ kube-apiserver            no match
      ? apiextensions-apiserver   no CRD serves this group version

    200 or 404 or 503. The source does not have enough data to tell.
    assumed: APIServices are incomplete in the source; using built-in Kubernetes
             1.33
    assumed: CRDs are not in the source; another one might answer

    WHAT IF
    GET /apis/external.scale.example/v1beta1

      ✗ kube-aggregator   APIService v1beta1.external.scale.example is unavailable
                          ServiceNotFound: service/scale-metrics-apiserver in
                          "scale" is not present

    503 Service Unavailable. The request never reaches the extension API server.
    2> what if: APIService v1beta1.external.scale.example would not be available: service/scale-metrics-apiserver in "scale" is not present
    "#);
}

#[test]
fn a_certificate_for_another_name() {
    insta::assert_snapshot!(without_dump("keda-5946", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    The serving certificate of the server behind scale/scale-metrics is for another
    name

      about      Service scale/scale-metrics
      said by    kube-apiserver, which proxied the request
      meaning    kube-apiserver expects the TLS name SERVICE.NAMESPACE.svc, whatever
                 address it dials. The serving certificate does not have it among
                 its subject alternative names.

    Likely causes
      1. The certificate was made for another Service, another namespace, or only
         for the cluster domain: the release was renamed or moved, or the APIService
         names another Service than the chart creates.
      2. The APIService names a second Service in front of the same Pods.
      3. The Service routes to another server than intended.

    Next
      aggctl doctor
          shows the expected name
      issue a certificate with the name after "not" in the message among its subject
      alternative names

    also recognized: trying-to-reach
    "#);
}

#[test]
fn a_bundle_that_was_taken_out() {
    insta::assert_snapshot!(with_dump("kapp-291", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    kube-apiserver does not trust the serving certificate of the server behind
    pack/pack-api

      about      APIService v1alpha1.data.pack.example
      said by    kube-apiserver, which proxied the request
      meaning    No certificate in spec.caBundle signed the server's certificate. If
                 spec.caBundle is empty, the control plane's system roots count.

    Likely causes
      1. Nothing is wrong now: v1alpha1.data.pack.example is available in this
         source.
         confirm: aggctl doctor v1alpha1.data.pack.example --dump testdata/scenarios/kapp-291
      2. The serving certificate was rotated, but spec.caBundle was not.
      3. A tool applied a manifest without caBundle and removed the injected one.
      4. The server serves another certificate than intended, such as a self-signed
         one created at startup.

    Next
      kubectl get apiservice v1alpha1.data.pack.example -o yaml --show-managed-fields
          shows who wrote caBundle last

    Now
      in dump testdata/scenarios/kapp-291
      APIService v1alpha1.data.pack.example
          backend: Service pack/pack-api, port 443; available

    also recognized: complete-list, trying-to-reach
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: Services are not in the source; cannot tell whether a Service exists and has the port
    ");
}

#[test]
fn a_certificate_that_has_expired() {
    insta::assert_snapshot!(without_dump("linkerd2-3497", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    The serving certificate of the server behind v1alpha1.tap.mesh.example has
    expired

      about      APIService v1alpha1.tap.mesh.example
      said by    kube-apiserver's availability check
      meaning    A certificate is outside its validity; the message shows the times.
                 In kube-apiserver's check it is the serving certificate or
                 spec.caBundle. In an extension server's log it is the caller's
                 certificate.

    Likely causes
      1. The serving certificate was not renewed, or was renewed without a restart
         of the server.
      2. The CA in spec.caBundle has expired.
      3. The clocks of the control plane and of the issuer differ.

    Next
      aggctl doctor v1alpha1.tap.mesh.example --direct
          shows the served certificate; run it inside the cluster network
      kubectl get apiservice v1alpha1.tap.mesh.example -o jsonpath='{.spec.caBundle}' | base64 -d | openssl x509 -noout -dates
          shows the dates of the CA
      kubectl describe apiservice v1alpha1.tap.mesh.example
          Message shows the reason, Service the backend

    also recognized: failed-discovery-check, log-failed-with
    ");
}

#[test]
fn endpoint_routing_refuses_external_names() {
    insta::assert_snapshot!(without_dump("k3s-7817", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    kube-apiserver cannot use a Service of this type

      about      APIService v1alpha1.fleet.example → Service fleet/fleet-api
      said by    kube-apiserver's OpenAPI controller
      meaning    With --enable-aggregator-routing, kube-apiserver dials endpoints
                 itself and rejects Services of type ExternalName. Without the flag,
                 the same Service works.

    Likely causes
      1. The distribution turns endpoint routing on, and the APIService's Service
         has type ExternalName.

    Next
      kubectl -n fleet get service fleet-api -o jsonpath='{.spec.type}'
          shows the type
      use a Service with a cluster IP (and hand-written EndpointSlices for an
      external address), or a kube-apiserver without the flag
      aggctl lint
          finds it in manifests

    also recognized: openapi-aggregation, error-resolving
    ");
}

#[test]
fn two_adapters_for_one_group_version() {
    let command = "diff -f testdata/scenarios/manifests/keda-470.yaml";
    insta::assert_snapshot!(with_dump("keda-470", command), @"
    $ aggctl diff -f testdata/scenarios/manifests/keda-470.yaml
    from dump testdata/scenarios/keda-470
    to   dump testdata/scenarios/keda-470 with testdata/scenarios/manifests/keda-470.yaml

    APISERVICES  1 changed
    ~ v1beta1.external.scale.example  available True → Unknown (NotCheckedYet),
                                      served by monitoring/first-adapter:443 →
                                      scale/second-adapter:443

    GROUP VERSIONS  1 changed
    ~ external.scale.example/v1beta1  served by monitoring/first-adapter →
                                      scale/second-adapter

    ROUTES  GET only, no subresources
    ~ GET /apis/external.scale.example/v1beta1
          proxied to monitoring/first-adapter → proxied to scale/second-adapter

    assumed: the first source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the first source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the first source: the APIResourceList of external.scale.example/v1beta1
             is not in the source; cannot tell which resources it has

    assumed: the second source: APIServices are incomplete in the source; inferred
             those that must exist, others may be missing

    assumed: the second source: CRDs are not in the source; custom resources are
             inferred from the rest of the source

    assumed: the second source: the APIResourceList of
             external.scale.example/v1beta1 is not in the source; cannot tell which
             resources it has
    2> what if: v1beta1.external.scale.example: counts as available, although its Service has no EndpointSlices yet: they appear when Pods are ready
    ");
}

#[test]
fn two_writers_of_one_api_service() {
    insta::assert_snapshot!(with_dump("keda-470", "conflicts"), @"
    $ aggctl conflicts
    two-owners  APIService v1beta1.external.scale.example
      changed by:   first-adapter-operator
      changed by:   helm
      APIService v1beta1.external.scale.example: has several writers of
      spec.service. A group version has one APIService. The last writer decides
      where its requests go, until another writes again.
      next: see who wrote what
            kubectl get apiservice v1beta1.external.scale.example -o yaml --show-managed-fields
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are not in the source; custom resources are inferred from the rest of the source
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    2> warning: the APIResourceList of external.scale.example/v1beta1 is not in the source; its names were not checked
    ");
}

#[test]
fn a_crd_and_an_api_service_on_one_path() {
    insta::assert_snapshot!(with_dump("kubernetes-122668", "conflicts"), @"
    $ aggctl conflicts
    shadows-crd  orders.till.example/v1
      winner:       APIService v1.orders.till.example → till/till-api
      also claims:  CRD orders.orders.till.example
      APIService v1.orders.till.example: shadows orders.till.example/v1 of CRD
      orders.orders.till.example. Requests go to the Service and never reach the
      CRDs, which would answer without this APIService. If both publish OpenAPI for
      these paths, /openapi/v2 may fail for all clients.
      next: see what deleting the APIService would change
            aggctl diff --without v1.orders.till.example --dump testdata/scenarios/kubernetes-122668

    duplicated-path  orders.till.example/v1
      claimed by:   CRD orders.orders.till.example
      claimed by:   APIService v1.orders.till.example → till/till-api
      APIService v1.orders.till.example: /apis/orders.till.example/v1/ of
      till/till-api is a prefix of paths of CRD orders.orders.till.example. If the
      Service publishes OpenAPI, as generic API servers do, the API server cannot
      merge /openapi/v2, and answers 503 for it after a restart. The merge skips a
      path that another server already publishes. It fails if a new path is a string
      prefix of an existing one. Every generic API server publishes such a prefix,
      /apis/GROUP/VERSION/, and no CRD does.
      next: see which server publishes what
            aggctl openapi --dump testdata/scenarios/kubernetes-122668
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are incomplete in the source; others may exist
    2> warning: the aggregated document /apis is not in the source; cannot tell which group versions are stale
    2> warning: the APIResourceList of orders.till.example/v1 is not in the source; its names were not checked
    ");
}

#[test]
fn argo_cd_says_unknown() {
    insta::assert_snapshot!(with_dump("kubernetes-122668", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A client could not get the OpenAPI document

      meaning    /openapi/v2 is merged from all servers, so one server with a broken
                 or clashing document can break it for all. The client (such as Argo
                 CD) then shows applications as Unknown.

    Likely causes
      1. A CRD and an APIService, or two servers, publish the same paths with
         different content.
         confirm: kubectl get --raw /openapi/v2 | head -c 300
                  shows an error, if any
      2. An extension server does not respond, or returns an invalid document.
      3. kube-apiserver was starting.
      4. The server is much older than the client and has no /openapi/v2: version
         skew, harmless.
         confirm: kubectl version
                  shows the versions of client and server

    Next
      aggctl conflicts --dump testdata/scenarios/kubernetes-122668
          lists group versions with two owners

    also recognized: unable-to-handle
    ");
}

#[test]
fn a_ghost_from_a_backup() {
    insta::assert_snapshot!(with_dump("velero-4027", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A group version is listed but answers 404

      about      APIService v1alpha2.old.press.example
      said by    a client that lists all APIs; kube-apiserver's answer follows the
                 group version
      meaning    Discovery lists the group version, so clients request its resources
                 and get 404. Either the server behind the APIService answers 404,
                 or the APIService is local and nothing serves it.

    Likely causes
      1. A ghost: a local APIService for a group or version that no longer exists,
         for example from a backup.
      2. The server behind the APIService answers 404: it does not serve this group
         version, is broken or starting, or is an adapter without metrics.
      3. A CRD of the group was created or deleted between the two requests: try
         again.
      4. An upgrade removed the version, and the client has an old discovery cache.

    Next
      kubectl get apiservice v1alpha2.old.press.example
          SERVICE shows the backend; Local means none
      kubectl get --raw /apis/old.press.example/v1alpha2
          shows its answer
      kubectl delete apiservice v1alpha2.old.press.example
          only if its component was removed for good; this removes only the
          registration

    Now
      in dump testdata/scenarios/velero-4027
      APIService v1alpha2.old.press.example
          local, but nothing serves it (a ghost)
          doctor: is available, but neither kube-apiserver nor a CRD serves it:
          requests get 404
          doctor: Install its CRDs, or delete the APIService if nothing should serve
          it.
          can be deleted if nothing should serve it: no server and no CRD does now

    also recognized: complete-list, could-not-find
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: Services are not in the source; cannot tell whether a Service exists and has the port
    ");
}

#[test]
fn an_api_service_before_the_crds() {
    let command = "route /apis/nets.wire.example/v3/policies --without v3.nets.wire.example";
    insta::assert_snapshot!(with_dump("calico-12012", command), @r#"
    $ aggctl route /apis/nets.wire.example/v3/policies --without v3.nets.wire.example
    NOW
    GET /apis/nets.wire.example/v3/policies    list policies (nets.wire.example/v3)

      ✗ kube-aggregator   APIService v3.nets.wire.example is unavailable
                          ServiceNotFound: service/wire-api in "wire-system" is not
                          present

    503 Service Unavailable. The request never reaches the extension API server.
    warning[shadows-crd]: APIService v3.nets.wire.example: shadows
                          nets.wire.example/v3 of CRD policies.nets.wire.example

    WHAT IF
    GET /apis/nets.wire.example/v3/policies    list policies (nets.wire.example/v3)

      │ kube-aggregator           APIService v3.nets.wire.example is local
      │ kube-apiserver            no match
      ✓ apiextensions-apiserver   CRD policies.nets.wire.example

    200 from apiextensions-apiserver.
    2> what if: APIService v3.nets.wire.example is created: a CRD serves nets.wire.example/v3
    "#);
}

#[test]
fn another_group_after_an_install() {
    insta::assert_snapshot!(with_dump("kubernetes-110218", "conflicts buckets bk"), @"
    $ aggctl conflicts buckets bk
    name  kubectl get buckets
      kubectl uses: buckets.v1.alpha.cloud.example (Bucket)
      ignored:      buckets.v1.beta.cloud.example (Bucket)
      Both groups have priority 1000, so the name of the group decides.

    name  kubectl get bk
      kubectl uses: buckets.v1.beta.cloud.example (Bucket)
      No other group has this name.
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    2> warning: CRDs are incomplete in the source; others may exist
    ");
}

#[test]
fn why_one_group_comes_first() {
    let command = "order --explain alpha.cloud.example beta.cloud.example";
    insta::assert_snapshot!(with_dump("kubernetes-110218", command), @"
    $ aggctl order --explain alpha.cloud.example beta.cloud.example
    alpha.cloud.example (#20) comes before beta.cloud.example (#21): both have
    groupPriorityMinimum 1000; the name of the APIService breaks the tie, and
    v1.alpha.cloud.example sorts before v1.beta.cloud.example.
    2> warning: APIServices are incomplete in the source; inferred those that must exist, others may be missing
    ");
}

#[test]
fn version_names_that_are_not_kube_like() {
    let command = "sort-versions --explain v1api20230101 v1beta20220101preview v1api20180501";
    insta::assert_snapshot!(without_dump("kubernetes-110218", command), @"
    $ aggctl sort-versions --explain v1api20230101 v1beta20220101preview v1api20180501
    #   VERSION                 WHY
    1   v1api20180501           not a Kubernetes version: sorted last, by bytes
    2   v1api20230101           not a Kubernetes version: sorted last, by bytes
    3   v1beta20220101preview   not a Kubernetes version: sorted last, by bytes
    ");
}

#[test]
fn starting_is_not_the_same_as_missing() {
    insta::assert_snapshot!(without_dump("kubernetes-104342", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    kube-apiserver is still starting

      meaning    Nothing matched, and the server has not installed all of its routes
                 yet, so it answers 503 instead of 404. A 404 a moment later means
                 that the path does not exist.

    Likely causes
      1. kube-apiserver was restarted seconds ago. With several of them, the request
         reached the one that is starting.
      2. CRDs or APIServices are not synced yet, because etcd is slow.

    Next
      aggctl health --wait 2m
          waits until it is ready
      try again: clients should treat this as temporary

    also recognized: unable-to-handle
    ");
}

#[test]
fn a_bundle_beside_no_verification() {
    insta::assert_snapshot!(without_dump("cert-controller-160", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    caBundle and insecureSkipTLSVerify are mutually exclusive

      about      APIService v1beta1.external.scale.example
      meaning    The API server rejects an APIService that has both. Often a
                 controller injects caBundle into a manifest with
                 insecureSkipTLSVerify: true.

    Likely causes
      1. A certificate injector patches an APIService that was installed without
         verification.

    Next
      remove insecureSkipTLSVerify in the same change that adds caBundle
      aggctl lint
          finds it in manifests
    ");
}

#[test]
fn one_line_in_minutes_of_noise() {
    insta::assert_snapshot!(without_dump("sofka-78", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A client could not list the resources of the server behind
    v1alpha1.tap.mesh.example

      line 41    couldn't get resource list for tap.mesh.example/v1alpha1:
      about      APIService v1alpha1.tap.mesh.example
      said by    a client that lists all APIs; kube-apiserver's answer follows the
                 group version
      meaning    The group version is registered, so clients request its resources,
                 and no server answers. kubectl continues without it: the message is
                 noise unless you need that group.

    Likely causes
      1. The server behind v1alpha1.tap.mesh.example is not running or not ready:
         Pods are starting, crashing or missing.
         confirm: kubectl describe apiservice v1alpha1.tap.mesh.example
                  Message shows the reason, Service the backend
      2. The control plane cannot reach the server behind v1alpha1.tap.mesh.example:
         a firewall, the network plugin, a network policy, or a broken tunnel to the
         nodes.
      3. The Service does not exist: the component was removed and its APIService
         was left behind, or the APIService names the wrong Service.
      4. The serving certificate is rejected: expired, for another name, or not
         signed by spec.caBundle.

    Next
      aggctl doctor v1alpha1.tap.mesh.example
          shows each check from the APIService to the Pod

    also recognized: unable-to-handle
    ");
}

/// Every folder has a test.
#[test]
fn every_folder_is_used() {
    let this = std::fs::read_to_string(repository("tests/it/scenarios.rs")).unwrap();
    for entry in std::fs::read_dir(repository("testdata/scenarios")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let used = name == "manifests" || this.contains(&format!("dump({name:?}"));
        assert!(used, "{name} is in no scenario");
    }
}

/// A message that other programs print too says which ones.
#[test]
fn messages_of_other_programs() {
    insta::assert_snapshot!(session(crate::run, [
        "explain 'dial tcp: connect: connection refused' --builtin",
        "explain 'the server could not find the requested resource' --builtin",
        "explain 'Unable to authenticate the request' --builtin",
        "explain 'Failed to scrape node' --builtin",
    ]), @"
    $ aggctl explain 'dial tcp: connect: connection refused' --builtin
    Connection refused: nothing listens on that address and port
      Any program that uses the network or TLS prints this. The rest applies only if
      the message is about an APIService.
      1. No process listens there: on a Service IP no endpoint is ready, on a Pod IP
         the container is starting, crashing or on another port.
      2. On a Service IP: kube-proxy, or what replaces it, does not run on the
         control plane node, so the address is not translated.
      kubectl get apiservices | grep False

    $ aggctl explain 'the server could not find the requested resource' --builtin
    404: nothing serves that path
      CRDs and built-in resources give the same error. If no APIService serves this
      group, skip what is about APIServices.
      1. Nothing is registered for the group version: its component is not
         installed, or its APIService was deleted.
      2. The version is no longer served: an upgrade removed it, or the CRD does not
         serve it.
      3. The version is not served yet: the server is older than the client expects.
      kubectl get apiservices | grep -v Local

    $ aggctl explain 'Unable to authenticate the request' --builtin
    An API server rejects the certificate or token of its caller
      Other servers print this too, such as kube-apiserver, a webhook or
      kube-rbac-proxy. The rest applies to an extension API server.
      1. kube-apiserver's front-proxy client certificate has expired. Renew it on
         the control plane; restarting the extension server does not help.
      2. The front-proxy (requestheader) CA was rotated, and the extension server
         still has the old one.
      openssl x509 -noout -subject -dates -in /etc/kubernetes/pki/front-proxy-client.crt

    $ aggctl explain 'Failed to scrape node' --builtin
    A program cannot scrape the kubelets: this is not the aggregation layer

      meaning    metrics-server or Prometheus requested data from the kubelets and
                 failed. kube-apiserver and APIServices are not involved. Without
                 any data, metrics-server is not ready, and its APIService has
                 MissingEndpoints.

    Likely causes
      1. The kubelet's serving certificate is not signed by the cluster CA: turn on
         serverTLSBootstrap and approve the requests. Use --kubelet-insecure-tls
         only for a test.
      2. The kubelet's serving certificate has expired. Renew it
         (serverTLSBootstrap, then approve the requests).
         confirm: kubectl get certificatesigningrequests
                  shows requests that wait for approval
      3. The Pod cannot reach the node's address:
         --kubelet-preferred-address-types=InternalIP, or a firewall on port 10250.
      4. The service account may not read nodes/metrics, or the kubelet does not
         accept its token (--authentication-token-webhook).

    Next
      kubectl get nodes -o wide
          shows the addresses that are scraped
    ");
}

/// The name of a state is not evidence for any of its causes.
#[test]
fn a_state_alone_does_not_rank_its_causes() {
    for source in [&["--builtin"][..], &["--dump", "examples/cluster"], &[]] {
        let arguments = [&["explain", "FailedDiscoveryCheck", "-o", "json"], source].concat();
        let causes = &run("", &arguments, &[]).json()["matches"][0]["causes"];
        let likely = causes.as_array().unwrap().iter().filter(|cause| cause["likely"] == true);
        assert_eq!(likely.count(), 0, "{causes}");
        assert!(causes[0]["text"].as_str().unwrap().contains("is not running"), "{causes}");
    }
}

/// `namespaces/NAME` is what kubectl prints; a sentence that starts with it is a message.
#[test]
fn a_message_that_starts_with_a_namespace_is_not_its_name() {
    let explain = |text: &str| run("", &["explain", text, "--builtin"], &[]);
    let message = explain("namespaces/old-team is stuck: NamespaceDeletionDiscoveryFailure");
    assert!(message.out.starts_with("Namespace deletion is blocked"), "{}", message.out);
    assert!(explain("namespaces/old-team").err.contains("the source has no namespaces"));
}
