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
admissionregistration.k8s.io/v1beta1 9-21 mutatingwebhookconfigurations
admissionregistration.k8s.io/v1beta1 9-21 validatingwebhookconfigurations
apiextensions.k8s.io/v1 16- customresourcedefinitions
apiextensions.k8s.io/v1beta1 7-21 customresourcedefinitions
apiregistration.k8s.io/v1 10- apiservices
apiregistration.k8s.io/v1beta1 7-21 apiservices
apps/v1 9- controllerrevisions daemonsets deployments replicasets statefulsets
apps/v1beta1 7-15 controllerrevisions
apps/v1beta1 6-15 deployments
apps/v1beta1 5-15 statefulsets
apps/v1beta2 8-15 controllerrevisions daemonsets deployments replicasets statefulsets
authentication.k8s.io/v1 28- selfsubjectreviews
authentication.k8s.io/v1 6- tokenreviews
authentication.k8s.io/v1beta1 4-21 tokenreviews
authorization.k8s.io/v1 6- localsubjectaccessreviews selfsubjectaccessreviews
authorization.k8s.io/v1 6- subjectaccessreviews
authorization.k8s.io/v1beta1 2-21 localsubjectaccessreviews selfsubjectaccessreviews
authorization.k8s.io/v1beta1 8-21 selfsubjectrulesreviews
authorization.k8s.io/v1beta1 2-21 subjectaccessreviews
autoscaling/v1 2- horizontalpodautoscalers
autoscaling/v2 23- horizontalpodautoscalers
autoscaling/v2beta1 8-24 horizontalpodautoscalers
autoscaling/v2beta2 12-25 horizontalpodautoscalers
batch/v1 21- cronjobs
batch/v1 2- jobs
batch/v1beta1 8-24 cronjobs
certificates.k8s.io/v1 19- certificatesigningrequests
certificates.k8s.io/v1beta1 -21 certificatesigningrequests
coordination.k8s.io/v1 14- leases
coordination.k8s.io/v1beta1 12-21 leases
discovery.k8s.io/v1 21- endpointslices
discovery.k8s.io/v1beta1 17-24 endpointslices
events.k8s.io/v1 19- events
events.k8s.io/v1beta1 8-24 events
extensions/v1beta1 1-15 daemonsets deployments
extensions/v1beta1 3-15 networkpolicies
extensions/v1beta1 2-15 podsecuritypolicies replicasets
extensions/v1beta1 1-21 ingresses
flowcontrol.apiserver.k8s.io/v1beta1 20-25 flowschemas prioritylevelconfigurations
flowcontrol.apiserver.k8s.io/v1beta2 23- flowschemas prioritylevelconfigurations
flowcontrol.apiserver.k8s.io/v1beta3 26- flowschemas prioritylevelconfigurations
networking.k8s.io/v1 19- ingressclasses ingresses
networking.k8s.io/v1 7- networkpolicies
networking.k8s.io/v1beta1 18-21 ingressclasses
networking.k8s.io/v1beta1 14-21 ingresses
node.k8s.io/v1 20- runtimeclasses
node.k8s.io/v1beta1 14-24 runtimeclasses
policy/v1 21- poddisruptionbudgets
policy/v1beta1 5-24 poddisruptionbudgets
policy/v1beta1 10-24 podsecuritypolicies
rbac.authorization.k8s.io/v1 8- clusterrolebindings clusterroles rolebindings roles
rbac.authorization.k8s.io/v1beta1 6-21 clusterrolebindings clusterroles rolebindings roles
scheduling.k8s.io/v1 14- priorityclasses
scheduling.k8s.io/v1beta1 11-21 priorityclasses
storage.k8s.io/v1 18- csidrivers
storage.k8s.io/v1 17- csinodes
storage.k8s.io/v1 24- csistoragecapacities
storage.k8s.io/v1 6- storageclasses
storage.k8s.io/v1 13- volumeattachments
storage.k8s.io/v1beta1 14-21 csidrivers csinodes
storage.k8s.io/v1beta1 4-21 storageclasses
storage.k8s.io/v1beta1 10-21 volumeattachments
storage.k8s.io/v1beta1 21-26 csistoragecapacities
";

/// The same for what a server only serves if `--runtime-config` enables it. The minors are the tags
/// `prerelease-lifecycle-gen:introduced` and `:removed` of Kubernetes' own types.
pub(super) const OPTIONAL: &str = "\
admissionregistration.k8s.io/v1alpha1 26-31 validatingadmissionpolicies validatingadmissionpolicybindings
admissionregistration.k8s.io/v1alpha1 32- mutatingadmissionpolicies mutatingadmissionpolicybindings
admissionregistration.k8s.io/v1beta1 28-33 validatingadmissionpolicies validatingadmissionpolicybindings
admissionregistration.k8s.io/v1beta1 34- mutatingadmissionpolicies mutatingadmissionpolicybindings
authentication.k8s.io/v1alpha1 26-31 selfsubjectreviews
authentication.k8s.io/v1beta1 27-32 selfsubjectreviews
certificates.k8s.io/v1alpha1 26-36 clustertrustbundles
certificates.k8s.io/v1beta1 33- clustertrustbundles
certificates.k8s.io/v1beta1 35- podcertificaterequests
coordination.k8s.io/v1alpha2 32- leasecandidates
coordination.k8s.io/v1beta1 33- leasecandidates
lifecycle.k8s.io/v1alpha1 37- evictionrequests evictions
networking.k8s.io/v1beta1 31-36 ipaddresses servicecidrs
resource.k8s.io/v1alpha3 33- devicetaintrules
resource.k8s.io/v1alpha3 36- resourcepoolstatusrequests
resource.k8s.io/v1beta1 32- deviceclasses resourceclaims resourceclaimtemplates resourceslices
resource.k8s.io/v1beta2 33- deviceclasses resourceclaims resourceclaimtemplates resourceslices
resource.k8s.io/v1beta2 36- devicetaintrules
scheduling.k8s.io/v1beta1 37- podgroups workloads
storage.k8s.io/v1alpha1 9-23 volumeattachments
storage.k8s.io/v1alpha1 19-23 csistoragecapacities
storage.k8s.io/v1alpha1 29-34 volumeattributesclasses
storage.k8s.io/v1beta1 31-36 volumeattributesclasses
storagemigration.k8s.io/v1beta1 35- storageversionmigrations
";
