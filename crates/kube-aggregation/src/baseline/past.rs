//! A table of API versions that the recordings cannot date, because they are older than the
//! recordings or fall between two of them.
//!
//! Sources: the Deprecated API Migration Guide
//! (<https://kubernetes.io/docs/reference/using-api/deprecation-guide/>) for removals, and the tags
//! `prerelease-lifecycle-gen:introduced` of Kubernetes' own types for introductions. If the two
//! differ, the table follows the group versions that `pkg/master` enabled at that tag.

/// Per line: a group version, its first and last minor, and resources. A minor is omitted if it is
/// unknown or if the recordings show it.
pub(super) const PAST: &str = "\
v1 0- bindings componentstatuses endpoints events limitranges namespaces nodes
v1 0- persistentvolumeclaims persistentvolumes pods podtemplates replicationcontrollers
v1 0- resourcequotas secrets serviceaccounts services
v1 2- configmaps
admissionregistration.k8s.io/v1 16- mutatingwebhookconfigurations
admissionregistration.k8s.io/v1 16- validatingwebhookconfigurations
admissionregistration.k8s.io/v1beta1 -21 mutatingwebhookconfigurations
admissionregistration.k8s.io/v1beta1 -21 validatingwebhookconfigurations
apiextensions.k8s.io/v1 16- customresourcedefinitions
apiextensions.k8s.io/v1beta1 -21 customresourcedefinitions
apiregistration.k8s.io/v1 10- apiservices
apiregistration.k8s.io/v1beta1 -21 apiservices
apps/v1 9- controllerrevisions daemonsets deployments replicasets statefulsets
apps/v1beta1 -15 controllerrevisions deployments statefulsets
apps/v1beta2 -15 controllerrevisions daemonsets deployments replicasets statefulsets
authentication.k8s.io/v1 28- selfsubjectreviews
authentication.k8s.io/v1 6- tokenreviews
authentication.k8s.io/v1beta1 -21 tokenreviews
authorization.k8s.io/v1 6- localsubjectaccessreviews selfsubjectaccessreviews
authorization.k8s.io/v1 6- subjectaccessreviews
authorization.k8s.io/v1beta1 -21 localsubjectaccessreviews selfsubjectaccessreviews
authorization.k8s.io/v1beta1 -21 selfsubjectrulesreviews subjectaccessreviews
autoscaling/v1 2- horizontalpodautoscalers
autoscaling/v2 23- horizontalpodautoscalers
autoscaling/v2beta1 -24 horizontalpodautoscalers
autoscaling/v2beta2 -25 horizontalpodautoscalers
batch/v1 21- cronjobs
batch/v1 2- jobs
batch/v1beta1 -24 cronjobs
certificates.k8s.io/v1 19- certificatesigningrequests
certificates.k8s.io/v1beta1 -21 certificatesigningrequests
coordination.k8s.io/v1 14- leases
coordination.k8s.io/v1beta1 -21 leases
discovery.k8s.io/v1 21- endpointslices
discovery.k8s.io/v1beta1 -24 endpointslices
events.k8s.io/v1 19- events
events.k8s.io/v1beta1 -24 events
extensions/v1beta1 -15 daemonsets deployments networkpolicies podsecuritypolicies replicasets
extensions/v1beta1 -21 ingresses
flowcontrol.apiserver.k8s.io/v1beta1 20-25 flowschemas prioritylevelconfigurations
flowcontrol.apiserver.k8s.io/v1beta2 23- flowschemas prioritylevelconfigurations
flowcontrol.apiserver.k8s.io/v1beta3 26- flowschemas prioritylevelconfigurations
networking.k8s.io/v1 19- ingressclasses ingresses
networking.k8s.io/v1 7- networkpolicies
networking.k8s.io/v1beta1 -21 ingressclasses ingresses
node.k8s.io/v1 20- runtimeclasses
node.k8s.io/v1beta1 -24 runtimeclasses
policy/v1 21- poddisruptionbudgets
policy/v1beta1 -24 poddisruptionbudgets podsecuritypolicies
rbac.authorization.k8s.io/v1 8- clusterrolebindings clusterroles rolebindings roles
rbac.authorization.k8s.io/v1beta1 -21 clusterrolebindings clusterroles rolebindings roles
scheduling.k8s.io/v1 14- priorityclasses
scheduling.k8s.io/v1beta1 -21 priorityclasses
storage.k8s.io/v1 18- csidrivers
storage.k8s.io/v1 17- csinodes
storage.k8s.io/v1 24- csistoragecapacities
storage.k8s.io/v1 6- storageclasses
storage.k8s.io/v1 13- volumeattachments
storage.k8s.io/v1beta1 -21 csidrivers csinodes storageclasses volumeattachments
storage.k8s.io/v1beta1 21-26 csistoragecapacities
";
