//! What the recordings are too young for, or too far apart to show.
//!
//! Sources: the Deprecated API Migration Guide
//! (<https://kubernetes.io/docs/reference/using-api/deprecation-guide/>) for what is gone, the
//! tags `prerelease-lifecycle-gen:introduced` of Kubernetes' own types for since when, and where
//! the two differ the group versions that `pkg/master` enabled at that tag.

/// Some resources of a group version: since which minor, and the last that served them.
pub(super) struct Past(pub &'static str, pub &'static str, pub u32, pub u32);

/// Not known, or told by the recordings.
pub(super) const UNTOLD: u32 = u32::MAX;

pub(super) const PAST: &[Past] = &[
    Past(
        "v1",
        "bindings componentstatuses endpoints events limitranges namespaces nodes \
         persistentvolumeclaims persistentvolumes pods podtemplates replicationcontrollers \
         resourcequotas secrets serviceaccounts services",
        0,
        UNTOLD,
    ),
    Past("v1", "configmaps", 2, UNTOLD),
    Past(
        "admissionregistration.k8s.io/v1",
        "mutatingwebhookconfigurations validatingwebhookconfigurations",
        16,
        UNTOLD,
    ),
    Past(
        "admissionregistration.k8s.io/v1beta1",
        "mutatingwebhookconfigurations validatingwebhookconfigurations",
        UNTOLD,
        21,
    ),
    Past("apiextensions.k8s.io/v1", "customresourcedefinitions", 16, UNTOLD),
    Past("apiextensions.k8s.io/v1beta1", "customresourcedefinitions", UNTOLD, 21),
    Past("apiregistration.k8s.io/v1", "apiservices", 10, UNTOLD),
    Past("apiregistration.k8s.io/v1beta1", "apiservices", UNTOLD, 21),
    Past(
        "apps/v1",
        "controllerrevisions daemonsets deployments replicasets statefulsets",
        9,
        UNTOLD,
    ),
    Past("apps/v1beta1", "controllerrevisions deployments statefulsets", UNTOLD, 15),
    Past(
        "apps/v1beta2",
        "controllerrevisions daemonsets deployments replicasets statefulsets",
        UNTOLD,
        15,
    ),
    Past("authentication.k8s.io/v1", "selfsubjectreviews", 28, UNTOLD),
    Past("authentication.k8s.io/v1", "tokenreviews", 6, UNTOLD),
    Past("authentication.k8s.io/v1beta1", "tokenreviews", UNTOLD, 21),
    Past(
        "authorization.k8s.io/v1",
        "localsubjectaccessreviews selfsubjectaccessreviews subjectaccessreviews",
        6,
        UNTOLD,
    ),
    Past(
        "authorization.k8s.io/v1beta1",
        "localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews \
         subjectaccessreviews",
        UNTOLD,
        21,
    ),
    Past("autoscaling/v1", "horizontalpodautoscalers", 2, UNTOLD),
    Past("autoscaling/v2", "horizontalpodautoscalers", 23, UNTOLD),
    Past("autoscaling/v2beta1", "horizontalpodautoscalers", UNTOLD, 24),
    Past("autoscaling/v2beta2", "horizontalpodautoscalers", UNTOLD, 25),
    Past("batch/v1", "cronjobs", 21, UNTOLD),
    Past("batch/v1", "jobs", 2, UNTOLD),
    Past("batch/v1beta1", "cronjobs", UNTOLD, 24),
    Past("certificates.k8s.io/v1", "certificatesigningrequests", 19, UNTOLD),
    Past("certificates.k8s.io/v1beta1", "certificatesigningrequests", UNTOLD, 21),
    Past("coordination.k8s.io/v1", "leases", 14, UNTOLD),
    Past("coordination.k8s.io/v1beta1", "leases", UNTOLD, 21),
    Past("discovery.k8s.io/v1", "endpointslices", 21, UNTOLD),
    Past("discovery.k8s.io/v1beta1", "endpointslices", UNTOLD, 24),
    Past("events.k8s.io/v1", "events", 19, UNTOLD),
    Past("events.k8s.io/v1beta1", "events", UNTOLD, 24),
    Past("extensions/v1beta1", "daemonsets deployments networkpolicies replicasets", UNTOLD, 15),
    Past("extensions/v1beta1", "podsecuritypolicies", UNTOLD, 15),
    Past("extensions/v1beta1", "ingresses", UNTOLD, 21),
    Past("flowcontrol.apiserver.k8s.io/v1beta1", "flowschemas prioritylevelconfigurations", 20, 25),
    Past(
        "flowcontrol.apiserver.k8s.io/v1beta2",
        "flowschemas prioritylevelconfigurations",
        23,
        UNTOLD,
    ),
    Past(
        "flowcontrol.apiserver.k8s.io/v1beta3",
        "flowschemas prioritylevelconfigurations",
        26,
        UNTOLD,
    ),
    Past("networking.k8s.io/v1", "ingressclasses ingresses", 19, UNTOLD),
    Past("networking.k8s.io/v1", "networkpolicies", 7, UNTOLD),
    Past("networking.k8s.io/v1beta1", "ingressclasses ingresses", UNTOLD, 21),
    Past("node.k8s.io/v1", "runtimeclasses", 20, UNTOLD),
    Past("node.k8s.io/v1beta1", "runtimeclasses", UNTOLD, 24),
    Past("policy/v1", "poddisruptionbudgets", 21, UNTOLD),
    Past("policy/v1beta1", "poddisruptionbudgets podsecuritypolicies", UNTOLD, 24),
    Past(
        "rbac.authorization.k8s.io/v1",
        "clusterrolebindings clusterroles rolebindings roles",
        8,
        UNTOLD,
    ),
    Past(
        "rbac.authorization.k8s.io/v1beta1",
        "clusterrolebindings clusterroles rolebindings roles",
        UNTOLD,
        21,
    ),
    Past("scheduling.k8s.io/v1", "priorityclasses", 14, UNTOLD),
    Past("scheduling.k8s.io/v1beta1", "priorityclasses", UNTOLD, 21),
    Past("storage.k8s.io/v1", "csidrivers", 18, UNTOLD),
    Past("storage.k8s.io/v1", "csinodes", 17, UNTOLD),
    Past("storage.k8s.io/v1", "csistoragecapacities", 24, UNTOLD),
    Past("storage.k8s.io/v1", "storageclasses", 6, UNTOLD),
    Past("storage.k8s.io/v1", "volumeattachments", 13, UNTOLD),
    Past(
        "storage.k8s.io/v1beta1",
        "csidrivers csinodes storageclasses volumeattachments",
        UNTOLD,
        21,
    ),
    Past("storage.k8s.io/v1beta1", "csistoragecapacities", 21, 26),
];
