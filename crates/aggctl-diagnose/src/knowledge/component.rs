//! Well-known extension servers, and words that hint at a platform or tool.

/// A well-known server behind an APIService.
#[derive(Debug)]
pub struct Component {
    /// Words that refer to the server, in lower case.
    pub(crate) words: &'static [&'static str],
    /// The group that the server serves.
    pub group: &'static str,
    /// The versions that clients use.
    pub versions: &'static [&'static str],
}

const fn component(
    group: &'static str,
    versions: &'static [&'static str],
    words: &'static [&'static str],
) -> Component {
    Component { words, group, versions }
}

const COMPONENTS: &[Component] = &[
    component(
        "metrics.k8s.io",
        &["v1beta1"],
        &[
            "metrics-server",
            "metrics server",
            "resource metrics api",
            "cpu utilization",
            "memory utilization",
            "metrics not available yet",
            "metrics not yet available",
            "no metrics known for",
        ],
    ),
    component(
        "custom.metrics.k8s.io",
        &["v1beta1", "v1beta2"],
        &[
            "prometheus-adapter",
            "custom-metrics-apiserver",
            "custom metrics api",
            "custom metrics apiserver",
        ],
    ),
    component(
        "external.metrics.k8s.io",
        &["v1beta1"],
        &[
            "keda-metrics-apiserver",
            "keda-operator-metrics-apiserver",
            "external metrics api",
            "external-metrics-apiserver",
        ],
    ),
    component("projectcalico.org", &["v3"], &["calico-apiserver"]),
    component("packages.operators.coreos.com", &["v1"], &["packageserver"]),
    component("ext.cattle.io", &["v1"], &["imperative-api-extension"]),
    component("tap.linkerd.io", &["v1alpha1"], &["linkerd-tap", "tap api service"]),
    component("subresources.kubevirt.io", &["v1"], &["virt-api"]),
    component("webhook.cert-manager.io", &["v1beta1"], &[]),
    component("webhook.certmanager.k8s.io", &["v1beta1"], &[]),
    component("admission.certmanager.k8s.io", &["v1beta1"], &[]),
    component("servicecatalog.k8s.io", &["v1beta1"], &["catalog-apiserver"]),
];

/// Platforms and tools that make one cause likelier than others, with the words that refer to them.
const HINTS: &[(&str, &[&str])] = &[
    ("gke", &["gke", "gcp", "gcloud", "google kubernetes engine"]),
    ("eks", &["eks", "aws", "amazonaws", "vpc-cni"]),
    ("aks", &["aks", "azure", "azmk8s", "tunnelfront"]),
    ("konnectivity", &["konnectivity", "konnectivity-agent", "konnectivity-server", "k0s"]),
    ("openshift", &["openshift", "openshift-apiserver", "microshift", "okd"]),
    ("rancher", &["rancher", "cattle", "cattle-system"]),
    ("k3s", &["k3s", "rke2"]),
    ("network-plugin", &["calico", "flannel", "cilium", "weave", "vxlan", "ipip", "ipvs"]),
    ("mesh", &["istio", "istio-proxy", "linkerd", "envoy", "sidecar"]),
    ("http-proxy", &["no_proxy", "https_proxy", "http_proxy", "squid", "corporate proxy"]),
    ("keda", &["keda", "scaledobject"]),
    ("helm", &["helm", "chart"]),
    ("operator", &["operator", "olm"]),
    // Many programs print "starting", so only phrases about a server count.
    (
        "starting",
        &[
            "containercreating",
            "podinitializing",
            "crashloopbackoff",
            "is starting",
            "are starting",
            "still starting",
            "restarted",
            "after restart",
            "after a restart",
            "after restarting",
            "reboot",
            "rebooted",
        ],
    ),
    ("answers-503", &["unable to handle the request"]),
    ("anonymous", &["system:anonymous"]),
    (
        "list-expired",
        &[
            "parameter is too old",
            "resource version is too old",
            "too old resource version",
            "410 gone",
        ],
    ),
    (
        "openapi-invalid",
        &["missing required property", "unmarshal", "invalid character", "cannot parse"],
    ),
    ("x509", &["x509:"]),
    ("stream-error", &["stream error", "internal_error"]),
    ("server-refused", &["did you specify the right host or port"]),
    ("handler-timeout", &["handler timeout"]),
    ("plain-http", &["first record does not look like a tls handshake"]),
    ("pods-unready", &["pods might be unready", "any ready pods"]),
    ("no-metrics-for-pod", &["no metrics known for"]),
    ("no-service-account", &["error looking up service account"]),
    ("image-missing", &["manifest unknown", "not found", "does not exist"]),
    ("webhook-denied", &["denied the request"]),
    ("unauthorized-401", &["unauthorized", "401 unauthorized"]),
    ("one-connection", &["broken pipe", "use of closed network connection", "http2: client"]),
    ("kubelet-port", &["10250/apis"]),
    ("canceled", &["context canceled", "context cancelled"]),
    ("key-usage-refused", &["incompatible key usage"]),
    ("no-openapi", &["spec does not exist", "spec does not exists", "resource not found"]),
    (
        "backend-error",
        &[
            "metrics api: internal error",
            "metrics api: rpc error",
            "metrics api: no matches for kind",
        ],
    ),
    (
        "reader-role-missing",
        &[
            "authentication-reader\" not found",
            "could not retrieve role extension-apiserver-authentication-reader",
        ],
    ),
    ("nil-error", &["<nil>"]),
    (
        "forbidden-403",
        &["403 forbidden", "403 (forbidden)", "http 403", "status code 403", "statuscode 403"],
    ),
    ("in-cluster", &["kubernetes.default", "reflector.go", "serviceaccount"]),
    ("no-kubeconfig", &["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]),
    // Kubernetes 1.15.0 requested the root instead of the group version.
    ("root-check", &["443: bad status"]),
];

/// Returns all well-known servers.
pub fn components() -> &'static [Component] {
    COMPONENTS
}

/// Returns the hints to platforms and tools in a text, which must be in lower case.
pub fn hints(lower: &str) -> impl Iterator<Item = &'static str> {
    HINTS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| has_word(lower, word)))
        .map(|(hint, _)| *hint)
}

#[cfg(test)]
pub(super) fn hint_names() -> impl Iterator<Item = &'static str> {
    HINTS.iter().map(|(hint, _)| *hint)
}

impl Component {
    /// Returns whether a text, in lower case, names its API with a phrase.
    pub(crate) fn is_phrase_in(&self, lower: &str) -> bool {
        let mut phrases = self.words.iter().filter(|w| w.contains(' ') && **w != "metrics server");
        phrases.any(|word| has_word(lower, word))
    }

    /// Returns whether a text, in lower case, refers to it.
    pub(crate) fn is_named_in(&self, lower: &str) -> bool {
        self.words.iter().any(|word| has_word(lower, word))
    }
}

/// Returns whether a text contains a whole word.
pub(crate) fn has_word(lower: &str, word: &str) -> bool {
    let wordy = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    lower.match_indices(word).any(|(at, found)| {
        let before = lower.get(..at).and_then(|t| t.chars().next_back());
        let after = lower.get(at + found.len()..).and_then(|t| t.chars().next());
        !wordy(before) && !wordy(after)
    })
}
