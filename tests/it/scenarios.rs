//! Public bug reports and questions, each with the dump or the text that its author would have had
//! (names are our own), and the answer that would have helped.

use crate::{Run, aggctl, finish, repository, session};

/// Runs a command about a folder in `testdata/scenarios`, which `HERE` stands for.
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
    helm stopped because of one group version that does not answer
      line 2: INSTALLATION FAILED: could not get apiVersions from Kubernetes

    WHAT IT MEANS
      helm asks for all group versions before it renders a chart, and some versions
      of it stop when one of them fails, whatever the chart needs.

    WHAT IT IS ABOUT
      group version custom.harvest.example/v1beta1 (APIService
      v1beta1.custom.harvest.example)

      in dump testdata/scenarios/helm-6361
      APIService v1beta1.custom.harvest.example
          leads to Service harvest/harvest-adapter, port 443; not available,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the server's own check found no such Service
          doctor: If its component is to run, bring the Service back, or point the
          APIService at the right one.
          its Service is gone, so it is probably left over: deleting it is safe
          unless its component is about to come back

    USUAL CAUSES
      1. Its component was removed and the APIService was left behind: its Service
         is gone. ← likely here
      2. The server behind the APIService is not up: its Pods are starting, crashing
         or not ready.
      3. The control plane cannot reach its Pods: a firewall, the network plugin, a
         tunnel, a network policy.
      4. Its certificate is not valid.

    WHAT TO RUN
      kubectl get apiservice v1beta1.custom.harvest.example
          for AVAILABLE and its reason
      aggctl doctor v1beta1.custom.harvest.example --dump testdata/scenarios/helm-6361
          for the first broken link, and whether deleting it is safe

    ALSO RECOGNISED
      complete-list            A client could not list all APIs, because some group
                               versions do not answer
      unable-to-handle         503: nothing answers for that group version now
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    "#);
}

#[test]
fn the_rest_of_the_cluster_is_still_shown() {
    insta::assert_snapshot!(with_dump("helm-6361", "apiservices"), @"
    $ aggctl apiservices
    NAME                              LEADS TO           AVAILABLE   REMARKS
    v1.admissionregistration.k8s.io   kube-apiserver     True        inferred
    v1.apiextensions.k8s.io           apiextensions-     True        inferred
                                      apiserver
    v1.authentication.k8s.io          kube-apiserver     True        inferred
    v1.authorization.k8s.io           kube-apiserver     True        inferred
    v1.autoscaling                    kube-apiserver     True        inferred
    v1.batch                          kube-apiserver     True        inferred
    v1.certificates.k8s.io            kube-apiserver     True        inferred
    v1.coordination.k8s.io            kube-apiserver     True        inferred
    v1.discovery.k8s.io               kube-apiserver     True        inferred
    v1.events.k8s.io                  kube-apiserver     True        inferred
    v1.flowcontrol.apiserver.k8s.io   kube-apiserver     True        inferred
    v1.networking.k8s.io              kube-apiserver     True        inferred
    v1.node.k8s.io                    kube-apiserver     True        inferred
    v1.policy                         kube-apiserver     True        inferred
    v1.rbac.authorization.k8s.io      kube-apiserver     True        inferred
    v1.scheduling.k8s.io              kube-apiserver     True        inferred
    v1.storage.k8s.io                 kube-apiserver     True        inferred
    v1beta1.custom.harvest.example    harvest/harvest-   False       ServiceNotFound
                                      adapter
    v2.autoscaling                    kube-apiserver     True        inferred

    and 2 built-in APIServices, available; --all lists them
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: the aggregated document /apis is not in the source: which group versions are stale cannot be told
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
      answer. Fix or delete their APIServices.
      APIService v1beta1.custom.harvest.example
          leads to Service harvest/harvest-adapter, port 443; not available,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the server's own check found no such Service
          doctor: If its component is to run, bring the Service back, or point the
          APIService at the right one.
          its Service is gone, so it is probably left over: deleting it is safe
          unless its component is about to come back
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
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
      gone, its objects wait for ever.

    NamespaceContentRemaining
      Some resources are remaining: carts.till.example has 2 resource instances
      Something must finish deleting these objects; see their finalizers.

    ALSO NOT WORKING
      These do not work, but NamespaceDeletionDiscoveryFailure is False: discovery
      was fine at the last try, so they do not hold this namespace.
      v1beta1.custom.harvest.example  not available (ServiceNotFound)
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    ");
}

#[test]
fn who_has_a_reason_now() {
    insta::assert_snapshot!(with_dump("kubernetes-75788", "explain ServiceNotFound"), @r#"
    $ aggctl explain ServiceNotFound
    The APIService names a Service that does not exist
      line 1: ServiceNotFound

    WHAT IT MEANS
      The availability check found no Service of the name and namespace in
      spec.service. Every request to the group version ends with 503, and clients
      that list all APIs complain about it.

    WHERE IT IS SO NOW
      in dump testdata/scenarios/kubernetes-75788
      APIService v1beta1.custom.harvest.example
          leads to Service harvest/harvest-adapter, port 443; not available,
          ServiceNotFound: service/harvest-adapter in "harvest" is not present
          doctor: the server's own check found no such Service
          doctor: If its component is to run, bring the Service back, or point the
          APIService at the right one.
          its Service is gone, so it is probably left over: deleting it is safe
          unless its component is about to come back

    USUAL CAUSES
      1. The component was uninstalled and its APIService was left behind.
      2. The manifest names another Service or namespace than the one that is
         installed.
      3. The APIService was applied before its Service; then it heals within 30
         seconds.

    WHAT TO RUN
      kubectl get apiservice v1beta1.custom.harvest.example -o jsonpath='{.spec.service}'
          for SERVICE and NAMESPACE below
      kubectl -n NAMESPACE get services
          to see whether the Service has another name
      aggctl doctor v1beta1.custom.harvest.example --dump testdata/scenarios/kubernetes-75788
          for the broken link and what to do
      kubectl delete apiservice v1beta1.custom.harvest.example
          once nothing is meant to serve it any more; nothing else is deleted with
          it
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    "#);
}

#[test]
fn available_is_not_the_same_as_fresh() {
    insta::assert_snapshot!(with_dump("kubernetes-119662", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    The aggregated discovery of a group version is stale
      line 1: stale GroupVersion discovery: packages.dock.example/v1

    WHAT IT MEANS
      The API server lists the group version, but could not fetch its resources just
      now. That is another check than the one behind Available: available is not the
      same as fresh.

    WHAT IT IS ABOUT
      group version packages.dock.example/v1 (APIService v1.packages.dock.example)

      in dump testdata/scenarios/kubernetes-119662
      APIService v1.packages.dock.example
          leads to Service dock/package-server, port 443; available; stale in
          aggregated discovery
          doctor: available, yet stale in aggregated discovery
          doctor: Compare what the extension API server answers to the two discovery
          requests of the aggregator.

    USUAL CAUSES
      1. It is Available=True, but fails on discovery: it answers garbage, an error,
         or too late. ← likely here
      2. The server behind the APIService is not available, not up yet, or slow: the
         last fetch of its resources failed.
      3. It became available a moment ago: the next round (within a minute) heals
         it.
      4. Its component was removed and the APIService was left behind: its Service
         is gone.

    WHAT TO RUN
      kubectl get apiservice v1.packages.dock.example
          for AVAILABLE and its reason
      aggctl doctor v1.packages.dock.example --dump testdata/scenarios/kubernetes-119662
          for the first broken link
      kubectl get --raw /apis/packages.dock.example/v1
          to ask the server behind it
      aggctl discovery --merged --dump testdata/scenarios/kubernetes-119662
          for what is stale and where it comes from

    ALSO RECOGNISED
      resource-list            A client could not get the resources of one group
                               version
    2> warning: CRDs are not in the source: custom resources are known only by what else is in the source
    2> warning: Services are not in the source: whether a Service exists and has the port cannot be told
    ");
}

#[test]
fn a_firewall_before_the_target_port() {
    insta::assert_snapshot!(with_dump("metrics-server-45", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    503: nothing answers for that group version now
      line 1: the server is currently unable to handle the request

    WHAT IT MEANS
      kube-apiserver answered 503. It does so for a group version whose APIService
      is not available, or whose Service cannot be reached; what the brackets name,
      such as (get nodes.metrics.k8s.io), tells which.

    WHAT IT IS ABOUT
      group gauge.example

      in dump testdata/scenarios/metrics-server-45
      APIService v1beta1.gauge.example
          leads to Service kube-system/gauge, port 443; not available,
          FailedDiscoveryCheck: failing or missing response from
          https://10.96.0.40:443/apis/gauge.example/v1beta1: Get
          "https://10.96.0.40:443/apis/gauge.example/v1beta1": context deadline
          exceeded
          doctor: the address does not answer in time
          doctor: Look for a network policy, a firewall or a security group between
          the control plane and the target port of the Pods, and for a Pod that
          hangs.
          its Service exists, so it is not left over: fix it; deleting it takes the
          API away from its users

    USUAL CAUSES
      1. The control plane cannot reach its Pods: a firewall, the network plugin, a
         tunnel, a network policy. ← likely here
      2. The server behind the APIService is not up: its Pods are starting, crashing
         or not ready.
      3. Its component was removed and the APIService was left behind: its Service
         is gone.
      4. Its certificate is not valid.
      5. kube-apiserver itself is starting or overloaded.

    WHAT TO RUN
      kubectl get apiservice v1beta1.gauge.example
          for AVAILABLE and its reason
      aggctl doctor v1beta1.gauge.example --dump testdata/scenarios/metrics-server-45
          for the first broken link
      kubectl -n kube-system get pods -o wide
          for the Pods behind it
      aggctl route /apis/gauge.example/v1beta1 --dump testdata/scenarios/metrics-server-45
          for who should answer
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not in the source: custom resources are known only by what else is in the source
    "#);
}

#[test]
fn the_timeout_itself() {
    let command = "explain 'failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1: context deadline exceeded'";
    insta::assert_snapshot!(without_dump("metrics-server-45", command), @r#"
    $ aggctl explain 'failing or missing response from https://10.96.0.40:443/apis/gauge.example/v1beta1: context deadline exceeded'
    No answer came in time
      line 1: context deadline exceeded

    WHAT IT MEANS
      Packets to the address vanish, or its server takes too long. "Client.Timeout
      exceeded while awaiting headers" tells only that no answer came, not that a
      connection was made. The API server gives 5 seconds to a discovery request.
      What counts is the way from the control plane to the Pods' target port, not
      the way from inside the cluster.

    WHAT FAILED
      the address does not answer in time
      Look for a network policy, a firewall or a security group between the control
      plane and the target port of the Pods, and for a Pod that hangs.

    WHAT IT IS ABOUT
      group version gauge.example/v1beta1 (APIService v1beta1.gauge.example)
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. A firewall or security group between the control plane and the target port
         of the Pods. Private GKE and EKS open only 443 and 10250: allow the target
         port.
      2. The network plugin does not connect the control plane nodes with the worker
         nodes (VXLAN, BGP, IPIP blocked), or kube-proxy does not run there.
      3. The tunnel from the control plane to the nodes is down: konnectivity, the
         k3s or RKE2 agent tunnel, tunnelfront.
      4. A network policy or a service mesh that does not admit the control plane.
      5. The server is overloaded or hangs, or its node is down.
      6. kube-apiserver sends the request to an HTTP proxy: NO_PROXY lacks the Pod
         or Service network.

    WHAT TO RUN
      aggctl doctor v1beta1.gauge.example
          for the address and the port really dialled
      kubectl get apiservice v1beta1.gauge.example -o jsonpath='{.spec.service}'
          for SERVICE and NAMESPACE below
      kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=SERVICE
          for the target port that the firewall must allow
      kubectl -n NAMESPACE get pods -o wide
          for the node of the Pod, and whether it is ready

    ALSO RECOGNISED
      failed-discovery-check   The Service is there, but its server did not pass the
                               discovery check
    "#);
}

#[test]
fn pods_that_are_not_ready() {
    insta::assert_snapshot!(with_dump("metrics-server-525", PASTED), @r#"
    $ aggctl explain --file HERE/pasted.txt
    No endpoint is ready on the port that the Service names
      line 1: endpoints for service/gauge in "kube-system" have no addresses with
              port name "https"

    WHAT IT MEANS
      There are EndpointSlices, but none has a ready address under the name of the
      Service's port.

    WHAT IT IS ABOUT
      Service kube-system/gauge

      in dump testdata/scenarios/metrics-server-525
      APIService v1beta1.gauge.example
          leads to Service kube-system/gauge, port 443; not available,
          MissingEndpoints: endpoints for service/gauge in "kube-system" have no
          addresses with port name "https"
          doctor: the server's own check found no ready endpoint
          doctor: See why no Pod behind the Service is ready.
          its Service exists, so it is not left over: fix it; deleting it takes the
          API away from its users

    USUAL CAUSES
      1. The Pods are not ready: crashing, starting, or failing their readiness
         probe.
      2. The name of the port in the slice is not that of the Service's port, as
         with hand-written slices.
      3. There are no Pods: scaled to zero, or not schedulable.

    WHAT TO RUN
      kubectl -n kube-system get pods -o wide
          for the Pods behind the Service
      kubectl -n kube-system get endpointslices -l kubernetes.io/service-name=gauge -o yaml
          for the addresses and the name of the port
      aggctl doctor v1beta1.gauge.example --dump testdata/scenarios/metrics-server-525
          for the endpoint that is not ready
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not in the source: custom resources are known only by what else is in the source
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

      │ kube-aggregator          no match
      │ kube-apiserver           no match
      ? apiextensions-apiserver  prefix /apis/
                                 no CRD serves this group version

    unknown: status 200 or 404 or 503
    assumed: APIServices are not all in the source: taken from a plain Kubernetes
             1.33
    assumed: CRDs are not in the source: another one might answer

    THEN
    GET /apis/external.scale.example/v1beta1

      × kube-aggregator          exactly this path
                                 APIService v1beta1.external.scale.example is not
                                 available (ServiceNotFound)

    unavailable: status 503, without asking the extension API server
    warning[unavailable]: APIService v1beta1.external.scale.example:
                          service/scale-metrics-apiserver in "scale" is not present
    2> what if: APIService v1beta1.external.scale.example would not be available: service/scale-metrics-apiserver in "scale" is not present
    "#);
}

#[test]
fn a_certificate_for_another_name() {
    insta::assert_snapshot!(without_dump("keda-5946", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    The certificate is not valid for the name that the API server asks for
      line 1: x509: certificate is valid for scale-operator, scale-operator.scale,
              not scale-metrics.scale.svc

    WHAT IT MEANS
      The API server asks for the TLS name SERVICE.NAMESPACE.svc, whatever address
      it dials, and the serving certificate does not have it among its subject
      alternative names.

    WHAT FAILED
      the serving certificate is for scale-operator, scale-operator.scale, not for
      scale-metrics.scale.svc
      Issue a serving certificate whose subject alternative names have the name that
      the API server asks for.

    WHAT IT IS ABOUT
      Service scale/scale-metrics
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. The certificate was made for another Service, another namespace, or only
         for the cluster domain: the release was renamed or moved.
      2. The APIService names a second Service in front of the same Pods.
      3. The Service leads to another server than intended.

    WHAT TO RUN
      aggctl doctor
          for the name that the API server asks for
      issue the certificate with `SERVICE.NAMESPACE.svc` among its subject
      alternative names

    ALSO RECOGNISED
      trying-to-reach          The aggregator tried to reach the Service, and failed
    ");
}

#[test]
fn a_bundle_that_was_taken_out() {
    insta::assert_snapshot!(with_dump("kapp-291", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    The certificate is signed by a CA that is not in spec.caBundle
      line 1: x509: certificate signed by unknown authority

    WHAT IT MEANS
      The server showed a certificate that no certificate in spec.caBundle (or,
      where that is empty, in the control plane's system roots) vouches for.

    WHAT FAILED
      the serving certificate is not signed by a CA that the API server trusts for
      it
      Put the CA that signed the serving certificate into spec.caBundle, or let
      whoever rotates the certificate do so.

    WHAT IT IS ABOUT
      group version data.pack.example/v1alpha1 (APIService
      v1alpha1.data.pack.example)

      in dump testdata/scenarios/kapp-291
      APIService v1alpha1.data.pack.example
          leads to Service pack/pack-api, port 443; available

    USUAL CAUSES
      1. The serving certificate was rotated and spec.caBundle was not.
      2. A tool that applies a manifest without caBundle removed what a controller
         had injected.
      3. The server serves another certificate than intended, such as a self-signed
         one made at its start.
      4. Something in between, such as a service mesh sidecar, ends TLS with its own
         certificate.

    WHAT TO RUN
      aggctl doctor v1alpha1.data.pack.example --dump testdata/scenarios/kapp-291
          for the bundle's issuer and expiry, and who wrote the field
      kubectl get apiservice v1alpha1.data.pack.example -o yaml --show-managed-fields
          for who wrote caBundle last

    ALSO RECOGNISED
      complete-list            A client could not list all APIs, because some group
                               versions do not answer
      trying-to-reach          The aggregator tried to reach the Service, and failed
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not in the source: custom resources are known only by what else is in the source
    2> warning: Services are not in the source: whether a Service exists and has the port cannot be told
    ");
}

#[test]
fn a_certificate_that_has_expired() {
    insta::assert_snapshot!(without_dump("linkerd2-3497", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A certificate has expired
      line 1: x509: certificate has expired or is not yet valid

    WHAT IT MEANS
      The serving certificate, or one of spec.caBundle, is out of its time. The
      message says which time was compared.

    WHAT FAILED
      a certificate has expired, the serving one or one of spec.caBundle
      Renew the serving certificate and restart the extension API server if it does
      not reload it; compare the clocks.

    WHAT IT IS ABOUT
      group version tap.mesh.example/v1alpha1 (APIService v1alpha1.tap.mesh.example)
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. The serving certificate was not renewed, or was renewed and the server was
         not restarted.
      2. The CA in spec.caBundle has expired.
      3. The clocks of the control plane and of the issuer differ.

    WHAT TO RUN
      aggctl doctor v1alpha1.tap.mesh.example --direct
          for the certificate that is served, from inside the cluster's network
      kubectl get apiservice v1alpha1.tap.mesh.example -o jsonpath='{.spec.caBundle}' | base64 -d | openssl x509 -noout -dates
          for the CA
      kubectl get apiservice v1alpha1.tap.mesh.example -o jsonpath='{.spec.service}'
          for SERVICE and NAMESPACE below
      kubectl -n NAMESPACE logs service/SERVICE --tail=50
          for what the extension server says

    ALSO RECOGNISED
      failed-discovery-check   The Service is there, but its server did not pass the
                               discovery check
      log-failed-with          The availability controller's line in the API
                               server's log
    ");
}

#[test]
fn endpoint_routing_refuses_external_names() {
    insta::assert_snapshot!(without_dump("k3s-7817", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    The aggregator cannot use a Service of this type
      line 1: unsupported service type

    WHAT IT MEANS
      With --enable-aggregator-routing kube-apiserver dials endpoints itself, and
      refuses Services of type ExternalName. Without that flag the same Service
      works.

    WHAT FAILED
      endpoint routing (--enable-aggregator-routing) refuses a Service of this type
      Use a Service with a cluster IP, or a kube-apiserver without that flag.

    WHAT IT IS ABOUT
      group version fleet.example/v1alpha1 (APIService v1alpha1.fleet.example)
      Service fleet/fleet-api
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. A distribution that turns endpoint routing on, and an APIService whose
         Service is an ExternalName.

    WHAT TO RUN
      kubectl -n fleet get service fleet-api -o jsonpath='{.spec.type}'
          for the type
      use a Service with a cluster IP (and hand-written EndpointSlices for an
      address outside), or a kube-apiserver without the flag
      aggctl lint
          finds it in manifests

    ALSO RECOGNISED
      openapi-aggregation      The OpenAPI document of an APIService could not be
                               loaded
      error-resolving          The proxy could not turn a Service into an address
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
                                      leads to monitoring/first-adapter:443 →
                                      scale/second-adapter:443

    GROUP VERSIONS  1 changed
    ~ external.scale.example/v1beta1  served by monitoring/first-adapter →
                                      scale/second-adapter

    ROUTES  GET only, no subresources
    ~ GET /apis/external.scale.example/v1beta1
          proxied to monitoring/first-adapter → proxied to scale/second-adapter

    assumed: the first source: APIServices are not all in the source: those that
             must exist were inferred, others may be missing

    assumed: the first source: CRDs are not in the source: custom resources are
             known only by what else is in the source

    assumed: the first source: the APIResourceList of external.scale.example/v1beta1
             is not in the source: which resources it has cannot be told

    assumed: the second source: APIServices are not all in the source: those that
             must exist were inferred, others may be missing

    assumed: the second source: CRDs are not in the source: custom resources are
             known only by what else is in the source

    assumed: the second source: the APIResourceList of
             external.scale.example/v1beta1 is not in the source: which resources it
             has cannot be told
    2> what if: taken as available, though its Service has no EndpointSlices yet: only pods that get ready make them: v1beta1.external.scale.example
    ");
}

#[test]
fn two_writers_of_one_api_service() {
    insta::assert_snapshot!(with_dump("keda-470", "conflicts"), @"
    $ aggctl conflicts
    two-owners  APIService v1beta1.external.scale.example
      writer: first-adapter-operator
      writer: helm
      APIService v1beta1.external.scale.example: has several writers of
      spec.service. There is one APIService for a group version: whoever writes last
      has it, until another writes again.
      next: see who wrote what
            $ kubectl get apiservice v1beta1.external.scale.example -o yaml --show-managed-fields
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not in the source: custom resources are known only by what else is in the source
    2> warning: the aggregated document /apis is not in the source: which group versions are stale cannot be told
    2> warning: the APIResourceList of external.scale.example/v1beta1 is not in the source: names there are not looked at
    ");
}

#[test]
fn a_crd_and_an_api_service_on_one_path() {
    insta::assert_snapshot!(with_dump("kubernetes-122668", "conflicts"), @"
    $ aggctl conflicts
    shadows-crd  orders.till.example/v1
      has it: APIService v1.orders.till.example → till/till-api
      and:    CRD orders.orders.till.example
      APIService v1.orders.till.example: takes orders.till.example/v1 away from CRD
      orders.orders.till.example. Requests go to the Service and never reach the
      CRDs, which would answer without this APIService; where both publish OpenAPI
      for these paths, /openapi/v2 may fail for all clients.
      next: see what deleting the APIService would change
            $ aggctl diff --without v1.orders.till.example --dump testdata/scenarios/kubernetes-122668

    duplicated-path  orders.till.example/v1
      has it: CRD orders.orders.till.example
      and:    APIService v1.orders.till.example → till/till-api
      APIService v1.orders.till.example: /apis/orders.till.example/v1/ of
      till/till-api is a prefix of paths that CRD orders.orders.till.example has: if
      it publishes /openapi/v2, as generic API servers do, nothing can be merged,
      and a restarted API server answers 503. A path that is taken is left out,
      unless a new path is a prefix of it, by letters; then nothing at all can be
      merged. /apis/GROUP/VERSION/, which every generic API server publishes and no
      CRD does, is such a prefix.
      next: see who publishes what
            $ aggctl openapi --dump testdata/scenarios/kubernetes-122668
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not all in the source: others may exist
    2> warning: the aggregated document /apis is not in the source: which group versions are stale cannot be told
    2> warning: the APIResourceList of orders.till.example/v1 is not in the source: names there are not looked at
    ");
}

#[test]
fn argo_cd_says_unknown() {
    insta::assert_snapshot!(with_dump("kubernetes-122668", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A client could not get the OpenAPI document
      line 1: error getting openapi resources

    WHAT IT MEANS
      /openapi/v2 is merged from all servers, so that one server with a broken or a
      clashing document can take it away for all; the client (such as Argo CD) then
      shows applications as Unknown.

    USUAL CAUSES
      1. A CRD and an APIService, or two servers, publish the same paths with
         different contents.
      2. An extension server does not answer, or answers garbage.
      3. The API server was starting.

    WHAT TO RUN
      aggctl conflicts --dump testdata/scenarios/kubernetes-122668
          for what fights over one group version
      kubectl get --raw /openapi/v2 | head -c 300
          for what the server says now

    ALSO RECOGNISED
      unable-to-handle         503: nothing answers for that group version now
    ");
}

#[test]
fn a_ghost_from_a_backup() {
    insta::assert_snapshot!(with_dump("velero-4027", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A group version is listed, and answers 404 when it is asked
      line 1: complete list of server APIs: old.press.example/v1alpha2: the server
              could not find the requested resource

    WHAT IT MEANS
      The group version is in the list of groups, so clients ask for its resources,
      and the answer is 404. Either the server behind the APIService answers so
      itself, or the APIService is local and nothing serves it.

    WHAT IT IS ABOUT
      group version old.press.example/v1alpha2 (APIService
      v1alpha2.old.press.example)

      in dump testdata/scenarios/velero-4027
      APIService v1alpha2.old.press.example
          is local, but nothing serves it (a ghost)
          doctor: is available, but neither kube-apiserver nor a CRD serves it:
          requests get a 404
          doctor: If nothing is to serve it any more, delete the registration;
          otherwise install its CRDs.
          safe to delete: nothing serves it, and nothing creates it again

    USUAL CAUSES
      1. A ghost: a local APIService of a group or version that no longer exists,
         such as one restored from a backup. ← likely here
      2. The server behind the APIService answers 404: it is broken or still
         starting, an adapter without any metric, or of another version than its
         APIService.
      3. The version was removed by an upgrade, and the client has an old discovery
         cache.
      4. A CRD of the group was created or deleted in that moment, between the list
         and the question: try again.

    WHAT TO RUN
      kubectl get apiservice v1alpha2.old.press.example
          for AVAILABLE and its reason: Local means that no server is behind it
      kubectl get --raw /apis/old.press.example/v1alpha2
          for its answer
      kubectl delete apiservice v1alpha2.old.press.example
          if it is Local and nothing is meant to serve it any more

    ALSO RECOGNISED
      complete-list            A client could not list all APIs, because some group
                               versions do not answer
      could-not-find           404: the API server has nothing at that path
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: Services are not in the source: whether a Service exists and has the port cannot be told
    ");
}

#[test]
fn an_api_service_before_the_crds() {
    let command = "route /apis/nets.wire.example/v3/policies --without v3.nets.wire.example";
    insta::assert_snapshot!(with_dump("calico-12012", command), @r#"
    $ aggctl route /apis/nets.wire.example/v3/policies --without v3.nets.wire.example
    NOW
    GET /apis/nets.wire.example/v3/policies
    list policies of nets.wire.example/v3

      × kube-aggregator          prefix /apis/nets.wire.example/v3/
                                 APIService v3.nets.wire.example is not available
                                 (ServiceNotFound)

    unavailable: status 503, without asking the extension API server
    warning[unavailable]: APIService v3.nets.wire.example: service/wire-api in
                          "wire-system" is not present
    warning[shadows-crd]: APIService v3.nets.wire.example: takes
                          nets.wire.example/v3 away from CRD
                          policies.nets.wire.example

    THEN
    GET /apis/nets.wire.example/v3/policies
    list policies of nets.wire.example/v3

      │ kube-aggregator          prefix /apis/nets.wire.example/v3/
      │                          APIService v3.nets.wire.example is local: passed on
      │ kube-apiserver           no match
      ● apiextensions-apiserver  prefix /apis/
                                 CRD policies.nets.wire.example serves it

    served: apiextensions-apiserver answers, status 200
    2> what if: APIService v3.nets.wire.example appears: a CRD serves nets.wire.example/v3
    "#);
}

#[test]
fn another_group_after_an_install() {
    insta::assert_snapshot!(with_dump("kubernetes-110218", "conflicts buckets bk"), @"
    $ aggctl conflicts buckets bk
    name  kubectl get buckets
      picks:  buckets.v1.alpha.cloud.example (Bucket)
      not:    buckets.v1.beta.cloud.example (Bucket)
      both groups have priority 1000, and then the name of the group decides

    name  kubectl get bk
      picks:  buckets.v1.beta.cloud.example (Bucket)
      no other group has this name
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
    2> warning: CRDs are not all in the source: others may exist
    ");
}

#[test]
fn why_one_group_comes_first() {
    let command = "order --explain alpha.cloud.example beta.cloud.example";
    insta::assert_snapshot!(with_dump("kubernetes-110218", command), @"
    $ aggctl order --explain alpha.cloud.example beta.cloud.example
    alpha.cloud.example (#20) comes before beta.cloud.example (#21): both have
    groupPriorityMinimum 1000; the tie falls to the name of the APIService that
    carries it, and v1.alpha.cloud.example is before v1.beta.cloud.example.
    2> warning: APIServices are not all in the source: those that must exist were inferred, others may be missing
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
    The API server is still starting
      line 1: the request has been made before all known HTTP paths have been
              installed

    WHAT IT MEANS
      Nothing matched, and the server has not installed all of its routes yet, so it
      answers 503 and not 404: the path may exist in a moment. A plain 404 a moment
      later means that it does not.

    USUAL CAUSES
      1. The API server was restarted seconds ago; with several of them, the request
         met the one that starts.
      2. CRDs or APIServices are not synced yet, since etcd is slow.

    WHAT TO RUN
      aggctl health --wait 2m
          until it is ready
      try again: clients should take this for temporary

    ALSO RECOGNISED
      unable-to-handle         503: nothing answers for that group version now
    ");
}

#[test]
fn a_bundle_beside_no_verification() {
    insta::assert_snapshot!(without_dump("cert-controller-160", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    caBundle and insecureSkipTLSVerify exclude each other
      line 1: spec.insecureSkipTLSVerify: Invalid value

    WHAT IT MEANS
      The API server refuses an APIService that has both. Often a controller injects
      caBundle into a manifest that was installed with insecureSkipTLSVerify: true.

    WHAT IT IS ABOUT
      group version external.scale.example/v1beta1 (APIService
      v1beta1.external.scale.example)
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. A certificate injector patches an APIService that was installed without
         verification.

    WHAT TO RUN
      take insecureSkipTLSVerify out of the manifest in the same change that brings
      caBundle
      aggctl lint
          finds it in manifests
    ");
}

#[test]
fn one_line_in_minutes_of_noise() {
    insta::assert_snapshot!(without_dump("sofka-78", PASTED), @"
    $ aggctl explain --file HERE/pasted.txt
    A client could not get the resources of one group version
      line 41: couldn't get resource list for tap.mesh.example/v1alpha1:

    WHAT IT MEANS
      The group version is registered, so clients ask for its resources, and whoever
      should answer does not. kubectl goes on with the rest; the message is noise
      until somebody needs that group.

    WHAT IT IS ABOUT
      group version tap.mesh.example/v1alpha1 (APIService v1alpha1.tap.mesh.example)
      not looked up: no cluster and no dump (--dump PATH)

    USUAL CAUSES
      1. The server behind the APIService is not up: its Pods are starting, crashing
         or not ready.
      2. The control plane cannot reach its Pods: a firewall, the network plugin, a
         tunnel, a network policy.
      3. Its component was removed and the APIService was left behind: its Service
         is gone.
      4. Its certificate is not valid.
      5. A ghost: a local APIService of a group that no longer exists, such as one
         restored from a backup.
      6. The server behind it answers discovery with an error.

    WHAT TO RUN
      kubectl get apiservice v1alpha1.tap.mesh.example
          for AVAILABLE and its reason
      aggctl doctor v1alpha1.tap.mesh.example
          for the first broken link
      kubectl get apiservice v1alpha1.tap.mesh.example -o jsonpath='{.spec.service}'
          for SERVICE and NAMESPACE below
      kubectl -n NAMESPACE get pods -o wide
          for the Pods behind it

    ALSO RECOGNISED
      unable-to-handle         503: nothing answers for that group version now
    ");
}

/// Every thread has a scenario.
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
    ]), @r#"
    $ aggctl explain 'dial tcp: connect: connection refused' --builtin
    The host is up, but nothing listens on the port
      line 1: connection refused

      Any program that uses the network or TLS says this, and nothing in the text
      tells which one did. What follows holds if it is from an APIService's
      condition, from kube-apiserver's log, or from a request to an aggregated API;
      otherwise look at the program that said it.

    WHAT IT MEANS
      The address answered, and its answer was that no process listens on that port.

    WHAT FAILED
      connection refused: the host is up, but nothing listens on the port
      Check that the process listens on the Service's targetPort, on all addresses
      and not on 127.0.0.1 only.

    USUAL CAUSES
      1. The process is not up: starting, crashing, or its Pod was just replaced.
      2. The Service's targetPort is not the port on which the process listens.
      3. The process listens on 127.0.0.1 only.
      4. With hostNetwork: another process has the port, or the node's firewall
         rejects it.

    WHAT TO RUN
      aggctl doctor --builtin
          for the address and the port really dialled
      kubectl -n NAMESPACE get service SERVICE -o yaml
          and compare targetPort with the container's port
      kubectl -n NAMESPACE logs service/SERVICE --tail=50
          for what the extension server says

    $ aggctl explain 'the server could not find the requested resource' --builtin
    404: the API server has nothing at that path
      line 1: the server could not find the requested resource

      The same is said of CRDs and of built-in resources, and nothing in the text
      tells whether an extension server is behind this one. If none is, what follows
      about APIServices does not apply.

    WHAT IT MEANS
      The request was routed, and no server of the chain had a handler for it; or
      the server behind an APIService answered 404 itself. It is not about an object
      that is missing: that message names the object.

    USUAL CAUSES
      1. Nothing is registered for the group version: its component is not
         installed, or its APIService was deleted.
      2. The version is not served any more: an upgrade removed it, or the CRD does
         not serve it.
      3. The version is not served yet: the server is older than the client expects.
      4. The server behind the APIService answered 404 itself.
      5. A ghost: a local APIService with nothing behind it.
      6. The CRD is shadowed by an APIService whose server does not know the
         resource.
      7. The scope is wrong: a namespace in the path of a cluster-scoped resource,
         or the reverse.
      8. The client's discovery cache is old: the CRD was made anew with another
         scope or version.

    WHAT TO RUN
      kubectl get apiservices | grep -v Local
          for what is registered
      kubectl api-resources --cached=false
          to renew the client's discovery cache, then try again
      aggctl route /apis/GROUP/VERSION --builtin
          for the hops, and a suggestion

    $ aggctl explain 'Unable to authenticate the request' --builtin
    An API server does not accept the certificate or the token of its caller
      line 1: Unable to authenticate the request
      said by: an API server, in its own log: it refuses its caller

      Other servers say this as well, such as kube-apiserver itself, a webhook or
      kube-rbac-proxy, and nothing in the text tells which one did. What follows
      holds if it was an extension API server.

    WHAT IT MEANS
      In the log of an extension server: kube-apiserver called it with its
      front-proxy client certificate, and the extension server did not accept it.
      The x509 error is about that client certificate, not about spec.caBundle.

    USUAL CAUSES
      1. The front-proxy (requestheader) CA was rotated or regenerated, and the
         extension server still has the old one: restart it.
      2. The caller is not kube-apiserver: somebody asks the Service directly with
         another client certificate or token.
      3. The front-proxy client certificate of kube-apiserver has expired, or is
         signed by another CA than --requestheader-client-ca-file.
      4. The name of that certificate is not among --requestheader-allowed-names.
      5. That certificate is a serving certificate: it lacks the usage "client
         auth".
      6. The log is that of kube-apiserver itself: the certificate or token of one
         of its own clients has expired or comes from another cluster.
      7. The name of the user is empty, so that the extension server gets no
         identity by headers and looks at the certificate instead: a role mapping
         without username, as in aws-auth on EKS.
      8. Several kube-apiservers have different front-proxy CAs, and the ConfigMap
         has one of them.

    WHAT TO RUN
      kubectl -n kube-system get configmap extension-apiserver-authentication -o jsonpath='{.data.requestheader-client-ca-file}' | openssl x509 -noout -subject -dates
          for the CA that counts
      kubectl -n NAMESPACE rollout restart deployment
          of the extension server, so that it reads the new CA
      aggctl doctor --builtin
          for what kube-apiserver makes of it

    $ aggctl explain 'Failed to scrape node' --builtin
    metrics-server does not reach the kubelets that it scrapes
      line 1: Failed to scrape node
      said by: metrics-server, in its own log

    WHAT IT MEANS
      metrics-server asked the kubelets for its data and failed: this is not on the
      way from kube-apiserver to it. Without any data it is not ready, so that its
      APIService has no endpoints (MissingEndpoints) and is not available.

    WHAT IT IS ABOUT
      group version metrics.k8s.io/v1beta1 (APIService v1beta1.metrics.k8s.io)

      in built-in Kubernetes 1.37
      APIService v1beta1.metrics.k8s.io
          there is no such APIService in the source now

    USUAL CAUSES
      1. The kubelet's serving certificate is not signed by the cluster CA: approve
         serving certificates (serverTLSBootstrap), or test with
         --kubelet-insecure-tls.
      2. The address of the node is not reachable from the Pod:
         --kubelet-preferred-address-types=InternalIP, a firewall on port 10250.
      3. RBAC: the service account may not read nodes/metrics.

    WHAT TO RUN
      kubectl get nodes -o wide
          for the addresses that it asks
    "#);
}
