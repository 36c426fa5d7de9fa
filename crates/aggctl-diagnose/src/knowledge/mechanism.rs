//! Mechanisms: causes that many messages share, with the evidence for and against each.
//!
//! An entry lists them in its usual order as `1. @backend-down`. What a paste proves or rules out
//! then decides the order.

/// One way in which an aggregated API fails.
#[derive(Debug)]
pub(super) struct Mechanism {
    /// The name that entries use.
    pub(super) id: &'static str,
    /// One sentence or two; `{backend}` and `{port}` are filled in, and `{is}`, `{does}` and `{s}`
    /// agree with `{backend}`.
    pub(super) text: &'static str,
    /// What to say instead on a platform whose users cannot change the control plane.
    pub(super) on: &'static [(&'static str, &'static str)],
    /// A command that confirms or refutes it, and what its output shows.
    pub(super) confirm: (&'static str, &'static str),
    /// Entries, codes and hints that make it likely. A leading `!` rules it out, a leading `~`
    /// ranks it last, and a leading `+` is required. A leading `?` is required, but proves nothing.
    pub(super) evidence: &'static [&'static str],
}

const SERVICE: (&str, &str) = (
    "kubectl -n {namespace} get endpointslices -l kubernetes.io/service-name={service}",
    "no ready address means yes",
);
const TARGET_PORT: (&str, &str) = (
    "kubectl -n {namespace} get endpointslices -l kubernetes.io/service-name={service}",
    "shows the Pod address and port that the control plane must be able to reach",
);
const CONDITION: (&str, &str) = DESCRIBE;
const FLAGS: (&str, &str) = (
    "kubectl -n kube-system get pods -l component=kube-apiserver -o yaml | grep -i -E 'requestheader|proxy'",
    "shows kube-apiserver's front-proxy and HTTP proxy settings",
);

/// The command that shows why an APIService is unavailable, and its Service.
pub(crate) const DESCRIBE: (&str, &str) =
    ("kubectl describe apiservice {apiservice}", "Message shows the reason, Service the backend");

const MECHANISMS: &[Mechanism] = &[
    Mechanism {
        id: "backend-down",
        text: "{Backend} {is} not running or not ready: Pods are starting, crashing or missing.",
        on: &[],
        confirm: SERVICE,
        evidence: &[
            "missing-endpoints",
            "endpoints-not-found",
            "no-endpoints",
            "starting",
            "openshift",
            "rancher",
            "discovery-server-error",
            "connection-closed",
            "~timeout",
            "~service-not-found",
            "!sibling-works",
            "!discovery-forbidden",
            "!discovery-unauthorized",
            "!discovery-not-found",
        ],
    },
    Mechanism {
        id: "unreachable",
        text: "The control plane cannot reach {backend}: a firewall, the network plugin, a network policy, or a broken tunnel to the nodes.",
        on: &[
            (
                "gke",
                "GKE: the firewall lets the control plane reach nodes only on ports 443 and 10250. Add a firewall rule for the Pod's port{port}.",
            ),
            (
                "eks",
                "EKS: the node security group does not admit the cluster security group on the Pod's port{port}. Add an inbound rule.",
            ),
            (
                "aks",
                "AKS: the tunnel from the control plane to the nodes (konnectivity-agent in kube-system, formerly tunnelfront) is broken, or an NSG or route table blocks it.",
            ),
        ],
        confirm: TARGET_PORT,
        evidence: &[
            "failed-discovery-check",
            "timeout",
            "no-route",
            "keda",
            "gke",
            "eks",
            "aks",
            "mesh",
            "several",
            "network-plugin",
            "konnectivity",
            "!service-not-found",
            "!endpoints-not-found",
            "!sibling-works",
            "!discovery-forbidden",
            "!discovery-unauthorized",
            "!discovery-not-found",
            "~missing-endpoints",
        ],
    },
    Mechanism {
        id: "left-over",
        text: "The Service does not exist: the component was removed and its APIService was left behind, or the APIService names the wrong Service.",
        on: &[],
        confirm: (DESCRIBE.0, "ServiceNotFound means yes"),
        evidence: &[
            "service-not-found",
            "!available",
            "!failed-discovery-check",
            "!timeout",
            "!connection-refused",
            "!connection-reset",
            "!node-tunnel",
        ],
    },
    Mechanism {
        id: "not-served",
        text: "{Backend} {does} not serve this group version (404): the API is turned off in its configuration, or it runs another version.",
        on: &[],
        confirm: ("kubectl get --raw {path}", "404 means yes"),
        evidence: &["discovery-not-found", "sibling-works"],
    },
    Mechanism {
        id: "serving-certificate",
        text: "The serving certificate is rejected: expired, for another name, or not signed by spec.caBundle.",
        on: &[],
        confirm: CONDITION,
        evidence: &[
            "unknown-authority",
            "expired",
            "wrong-name",
            "no-names",
            "!missing-endpoints",
            "!service-not-found",
            "!endpoints-not-found",
            "!timeout",
            "!connection-refused",
            "!connection-reset",
            "!node-tunnel",
        ],
    },
    Mechanism {
        id: "rejects-proxy",
        text: "{Backend} reject{s} kube-apiserver (401 or 403): front-proxy CA, allowed names, or a missing role binding.",
        on: &[],
        confirm: CONDITION,
        evidence: &[
            "client-not-allowed",
            "discovery-unauthorized",
            "discovery-forbidden",
            "!timeout",
            "!connection-refused",
            "!missing-endpoints",
            "!endpoints-not-found",
            "!service-not-found",
            "!sibling-works",
        ],
    },
    Mechanism {
        id: "cannot-scrape",
        text: "{Backend} {is} not ready because no kubelet can be scraped: see the errors in the paste.",
        on: &[],
        confirm: ("kubectl get nodes -o wide", "shows the addresses that are scraped"),
        evidence: &["+scrape"],
    },
    Mechanism {
        id: "apiserver-starting",
        text: "kube-apiserver itself is starting or overloaded, or etcd is slow. The error goes away by itself.",
        on: &[],
        confirm: ("kubectl get --raw '/readyz?verbose'", "lists failing checks"),
        evidence: &[
            "paths-not-installed",
            "hook-failed",
            "!failed-discovery-check",
            "!missing-endpoints",
            "!service-not-found",
        ],
    },
    Mechanism {
        id: "firewall",
        text: "A firewall, security group or network policy drops traffic from the control plane to the Pod's port{port}. Managed clusters open few ports by default.",
        on: &[
            (
                "gke",
                "GKE: the firewall lets the control plane reach nodes only on ports 443 and 10250. Add a firewall rule for the Pod's port{port}.",
            ),
            (
                "eks",
                "EKS: the node security group does not admit the cluster security group on the Pod's port{port}. Add an inbound rule. With a custom CNI, run the server with hostNetwork.",
            ),
            (
                "aks",
                "AKS: an NSG, a route table or a firewall cuts the tunnel (konnectivity-agent in kube-system) between the control plane and the nodes.",
            ),
        ],
        confirm: TARGET_PORT,
        evidence: &["!service-not-found", "gke", "eks", "keda"],
    },
    Mechanism {
        id: "overlay",
        text: "The Pod network does not connect the control plane nodes with the Pod's node: VXLAN, BGP or IPIP is blocked, the MTU is wrong, or kube-proxy does not run there.",
        on: &[],
        confirm: (
            "kubectl get pods -A -o wide | grep -E 'calico|cilium|flannel|kube-proxy'",
            "one must be ready on each node",
        ),
        evidence: &[
            "!service-not-found",
            "network-plugin",
            "no-route",
            "several",
            "!gke",
            "!eks",
            "!aks",
        ],
    },
    Mechanism {
        id: "tunnel",
        text: "The tunnel from the control plane to the nodes is broken: konnectivity, the k3s or RKE2 agent tunnel, tunnelfront.",
        on: &[],
        confirm: (
            "kubectl -n kube-system get pods -o wide | grep -E 'konnectivity|tunnel'",
            "all agents must be ready; on k3s and RKE2, check the agent's log",
        ),
        evidence: &[
            "!service-not-found",
            "konnectivity",
            "k3s",
            "aks",
            "node-tunnel",
            "no-agent",
            "!eks",
        ],
    },
    Mechanism {
        id: "overloaded",
        text: "{Backend} accept{s} the request but respond{s} too slowly: no CPU, out of memory, or waiting for other servers.",
        on: &[],
        confirm: (
            "kubectl -n {namespace} logs service/{service} --tail=50",
            "shows slow or failing requests",
        ),
        evidence: &["!service-not-found", "answers-504", "caller-gone", "~dial-timeout"],
    },
    Mechanism {
        id: "mesh",
        text: "A service mesh sidecar or a network policy does not admit the control plane.",
        on: &[],
        confirm: (
            "kubectl -n {namespace} get networkpolicies",
            "shows policies that may select the Pod",
        ),
        evidence: &["!service-not-found", "mesh"],
    },
    Mechanism {
        id: "http-proxy",
        text: "kube-apiserver sends the request to an HTTP proxy: NO_PROXY lacks the Pod or Service network.",
        on: &[],
        confirm: FLAGS,
        evidence: &["!service-not-found", "http-proxy", "proxy", "!managed"],
    },
    Mechanism {
        id: "no-ready-endpoint",
        text: "No process listens there: on a Service IP no endpoint is ready, on a Pod IP the container is starting, crashing or on another port.",
        on: &[],
        confirm: SERVICE,
        evidence: &["missing-endpoints", "starting"],
    },
    Mechanism {
        id: "kube-proxy",
        text: "On a Service IP: kube-proxy, or what replaces it, does not run on the control plane node, so the address is not translated.",
        on: &[],
        confirm: (
            "kubectl get pods -A -o wide | grep -E 'kube-proxy|cilium'",
            "one must be ready on each control plane node",
        ),
        evidence: &["!service-not-found", "service-address", "!managed"],
    },
    Mechanism {
        id: "kept-connection",
        text: "kube-apiserver reuses a connection that died: the Pod was replaced, or kube-proxy (IPVS), a NAT or a tunnel dropped it. It recovers within about 15 minutes.",
        on: &[],
        confirm: ("kubectl get --raw {path}", "an answer means that it has recovered"),
        evidence: &["!service-not-found", "one-connection", "several"],
    },
    Mechanism {
        id: "resets",
        text: "Something between the control plane and the Pod resets connections: a sidecar, a load balancer, a firewall or the cloud network.",
        on: &[],
        confirm: (
            "kubectl -n {namespace} get pods -o wide",
            "shows sidecars (READY 2/2) and the node",
        ),
        evidence: &["!service-not-found", "mesh", "link-local"],
    },
];

/// Finds a mechanism by its name.
pub(super) fn mechanism(id: &str) -> Option<&'static Mechanism> {
    MECHANISMS.iter().find(|one| one.id == id)
}
