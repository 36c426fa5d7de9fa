//! The health checks of kube-apiserver, in the order of its responses. Taken from the source code
//! of 1.20 to 1.37, and tested against the responses of servers from 1.25 to 1.37.

use super::check::{HOOK, HealthCheck, On, StartStage};
use kube_aggregation::model::Minor;
use kube_aggregation::routing::Server;

const BASE: HealthCheck = HealthCheck {
    name: "",
    server: Server::Extensions,
    shared: false,
    on: On::All,
    since: None,
    until: None,
    with: "",
    stage: StartStage::AtOnce,
    waits_for: "nothing; it passes once started",
    meanwhile: "",
    stuck: "",
    fatal_after: None,
};
/// A check that every server of the chain registers.
const ALL: HealthCheck = HealthCheck { shared: true, stage: StartStage::Running, ..BASE };
/// A check of apiextensions-apiserver.
const X: HealthCheck = BASE;
/// A check of kube-apiserver.
const K: HealthCheck = HealthCheck { server: Server::KubeApiserver, ..BASE };
/// A check of kube-aggregator.
const A: HealthCheck = HealthCheck { server: Server::Aggregator, ..BASE };

const fn since(minor: u32) -> Option<Minor> {
    Some(Minor::new(minor))
}

const ETCD: &str = "etcd is down, slow or without quorum, or its certificates have expired";
const WRITES: &str = "etcd does not take writes in time, or admission refuses them";

const CHECKS: &[HealthCheck] = &[
    HealthCheck { name: "ping", waits_for: "nothing", ..ALL },
    HealthCheck {
        name: "log",
        waits_for: "a flush of the log within two minutes",
        stuck: "the log cannot be written",
        ..ALL
    },
    HealthCheck {
        name: "loopback-serving-certificate",
        on: On::Livez,
        since: since(36),
        waits_for: "the process to be younger than its self-signed certificate (one year)",
        meanwhile: "the API server cannot call itself, so its controllers fail",
        stuck: "the process has run for a year; restart it",
        ..ALL
    },
    HealthCheck {
        name: "etcd",
        waits_for: "a read from etcd within --etcd-healthcheck-timeout (2 s)",
        meanwhile: "reads and writes of objects hang; discovery, OpenAPI and proxied requests work",
        stuck: ETCD,
        ..ALL
    },
    HealthCheck {
        name: "etcd-readiness",
        on: On::Readyz,
        since: since(25),
        waits_for: "a read from etcd within --etcd-readycheck-timeout (2 s)",
        meanwhile: "reads and writes of objects hang; discovery, OpenAPI and proxied requests work",
        stuck: ETCD,
        ..ALL
    },
    HealthCheck {
        name: "etcd-override-*",
        with: "--etcd-servers-overrides",
        waits_for: "a read from the etcd of --etcd-servers-overrides",
        meanwhile: "reads and writes of the resources stored there hang",
        stuck: ETCD,
        ..ALL
    },
    HealthCheck {
        name: "kms-provider-*",
        with: "--encryption-provider-config",
        waits_for: "a response from the KMS plugin",
        meanwhile: "objects that it encrypts cannot be read or written",
        stuck: "the KMS plugin is down, or cannot reach its key",
        ..ALL
    },
    HealthCheck {
        name: "kms-providers",
        with: "--encryption-provider-config",
        waits_for: "a response from every KMS plugin",
        meanwhile: "objects that they encrypt cannot be read or written",
        stuck: "a KMS plugin is down, or cannot reach its key",
        ..ALL
    },
    HealthCheck {
        name: "informer-sync",
        on: On::Readyz,
        stage: StartStage::Informers,
        waits_for: "every shared informer to have listed once",
        meanwhile: "RBAC and admission see no objects; users that RBAC allows get 403",
        stuck: "a type cannot be listed because an object cannot be decoded or decrypted; the reason names the type",
        ..ALL
    },
    HealthCheck {
        name: "poststarthook/start-apiserver-admission-initializer",
        since: since(30),
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-kube-apiserver-admission-initializer",
        until: since(29),
        ..K
    },
    HealthCheck { name: "poststarthook/generic-apiserver-start-informers", ..X },
    HealthCheck { name: "poststarthook/priority-and-fairness-config-consumer", ..X },
    HealthCheck { name: "poststarthook/priority-and-fairness-filter", ..X },
    HealthCheck {
        name: "poststarthook/max-in-flight-filter",
        with: "--enable-priority-and-fairness=false",
        ..X
    },
    HealthCheck { name: "poststarthook/storage-object-count-tracker-hook", since: since(25), ..X },
    HealthCheck { name: "poststarthook/start-apiextensions-informers", ..X },
    HealthCheck {
        name: "poststarthook/start-apiextensions-controllers",
        stage: StartStage::CustomResources,
        waits_for: "the discovery documents of CRDs to be written once",
        meanwhile: "CRDs are missing from discovery",
        stuck: "CRDs cannot be read, or the API server gets too little CPU",
        ..X
    },
    HealthCheck {
        name: "poststarthook/crd-informer-synced",
        stage: StartStage::CustomResources,
        waits_for: "the CRDs to be listed",
        meanwhile: "paths of CRDs and unknown paths get 503",
        stuck: "CRDs cannot be read, or the API server gets too little CPU",
        ..X
    },
    HealthCheck { name: "poststarthook/start-system-namespaces-controller", since: since(27), ..K },
    HealthCheck {
        name: "poststarthook/start-encryption-provider-config-automatic-reload",
        since: since(26),
        with: "--encryption-provider-config-automatic-reload",
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-kube-apiserver-coordinated-leader-election-controller",
        since: since(31),
        with: "the feature CoordinatedLeaderElection",
        ..K
    },
    HealthCheck {
        name: "poststarthook/peer-endpoint-reconciler-controller",
        since: since(36),
        waits_for: "nothing; once started, it writes the address for peers to etcd every ten seconds",
        meanwhile: "other API servers do not know this server's address, so they neither read its discovery nor proxy to it",
        stuck: ETCD,
        ..K
    },
    HealthCheck {
        name: "poststarthook/unknown-version-proxy-filter",
        since: since(28),
        until: since(32),
        with: "the feature UnknownVersionInteroperabilityProxy",
        ..K
    },
    HealthCheck {
        name: "poststarthook/mixed-version-proxy-handler",
        since: since(33),
        with: "--peer-ca-file",
        waits_for: "the identity Leases of all API servers, and this server's own discovery",
        meanwhile: "nothing is proxied to peers; resources that only another API server has return 404",
        stuck: "Leases in kube-system cannot be listed, or this server's own discovery fails",
        ..K
    },
    HealthCheck {
        name: "poststarthook/local-discovery-cache-sync",
        since: since(33),
        with: "--peer-ca-file",
        waits_for: "one request for this server's own discovery, which is repeated every 30 minutes",
        meanwhile: "the server does not know its own resources, so it proxies nothing",
        stuck: "the server's own discovery fails: an APIService of a built-in group has another backend",
        ..K
    },
    HealthCheck {
        name: "poststarthook/peer-discovery-cache-sync",
        since: since(33),
        until: since(35),
        with: "--peer-ca-file",
        ..K
    },
    HealthCheck {
        name: "poststarthook/peer-discovery-workers",
        since: since(36),
        with: "--peer-ca-file",
        waits_for: "nothing; once started, it reads the discovery of every peer with a new Lease or holder",
        meanwhile: "merged discovery lacks resources that only peers serve, and requests for them return 404",
        ..K
    },
    HealthCheck { name: "poststarthook/start-cluster-authentication-info-controller", ..K },
    HealthCheck {
        name: "poststarthook/start-kube-apiserver-identity-lease-controller",
        since: since(26),
        stage: StartStage::Bootstrap,
        waits_for: "its old lease to be deleted, for ten seconds at most (since 1.35)",
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
        since: since(26),
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-deprecated-kube-apiserver-identity-lease-garbage-collector",
        since: since(27),
        until: since(28),
        ..K
    },
    HealthCheck {
        name: "poststarthook/storage-readiness",
        since: since(36),
        stage: StartStage::Bootstrap,
        waits_for: "the watch caches, for --storage-initialization-timeout (1 min) at most",
        meanwhile: "lists may take long",
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-legacy-token-tracking-controller",
        since: since(27),
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-service-ip-repair-controllers",
        since: since(28),
        stage: StartStage::Bootstrap,
        waits_for: "the IP addresses and the node ports of all Services to be checked once",
        stuck: "Services or IPAddresses cannot be read, etcd is slow, or admission is not ready",
        fatal_after: Some(60),
        ..K
    },
    HealthCheck {
        name: "poststarthook/rbac/bootstrap-roles",
        stage: StartStage::Bootstrap,
        waits_for: "the default roles, about 350 sequential round trips to etcd",
        meanwhile: "on a first start, all users but admins get 403",
        stuck: "etcd is slow or full, or a webhook on RBAC objects does not respond",
        fatal_after: Some(30),
        ..K
    },
    HealthCheck {
        name: "poststarthook/scheduling/bootstrap-system-priority-classes",
        stage: StartStage::Bootstrap,
        waits_for: "two PriorityClasses to exist",
        stuck: WRITES,
        fatal_after: Some(30),
        ..K
    },
    HealthCheck {
        name: "poststarthook/priority-and-fairness-config-producer",
        stage: StartStage::Bootstrap,
        waits_for: "the default FlowSchemas",
        stuck: WRITES,
        fatal_after: Some(300),
        ..K
    },
    HealthCheck {
        name: "poststarthook/bootstrap-controller",
        stage: StartStage::Bootstrap,
        waits_for: "the Services to be listed",
        meanwhile: "the endpoints of the Service kubernetes are old",
        stuck: "Services cannot be read",
        ..K
    },
    HealthCheck {
        name: "poststarthook/start-kubernetes-service-cidr-controller",
        since: since(33),
        stage: StartStage::Bootstrap,
        waits_for: "the default ServiceCIDR to exist",
        meanwhile: "Services cannot be created",
        stuck: "admission rejects it, or etcd rejects writes",
        ..K
    },
    HealthCheck {
        name: "poststarthook/built-in-resources-storage-version-updater",
        with: "the feature StorageVersionAPI",
        stage: StartStage::Bootstrap,
        waits_for: "the StorageVersions of built-in resources to be written",
        meanwhile: "writes of built-in resources get 503",
        stuck: WRITES,
        ..A
    },
    HealthCheck {
        name: "poststarthook/aggregator-reload-proxy-client-cert",
        with: "--proxy-client-cert-file",
        ..A
    },
    HealthCheck { name: "poststarthook/start-kube-aggregator-informers", ..A },
    HealthCheck {
        name: "poststarthook/apiservice-status-available-controller",
        until: since(30),
        ..A
    },
    HealthCheck {
        name: "poststarthook/apiservice-status-local-available-controller",
        since: since(31),
        ..A
    },
    HealthCheck {
        name: "poststarthook/apiservice-status-remote-available-controller",
        since: since(31),
        ..A
    },
    HealthCheck {
        name: "poststarthook/apiservice-registration-controller",
        stage: StartStage::Routes,
        waits_for: "every APIService to have its route (since 1.23)",
        meanwhile: "paths of extension API servers and unknown paths get 503",
        stuck: "APIServices cannot be read",
        ..A
    },
    HealthCheck {
        name: "poststarthook/apiservice-discovery-controller",
        since: since(27),
        stage: StartStage::Discovery,
        waits_for: "one check of every APIService; refused connections do not delay it",
        meanwhile: "aggregated discovery is incomplete",
        ..A
    },
    HealthCheck { name: "poststarthook/kube-apiserver-autoregistration", ..A },
    HealthCheck {
        name: "autoregister-completion",
        stage: StartStage::Registration,
        waits_for: "every built-in APIService to have been Available once",
        stuck: "a built-in APIService was replaced by hand and is not available; the reason names it",
        ..A
    },
    HealthCheck { name: "poststarthook/apiservice-openapi-controller", ..A },
    HealthCheck { name: "poststarthook/apiservice-openapiv3-controller", since: since(24), ..A },
    HealthCheck {
        name: "shutdown",
        on: On::Readyz,
        stage: StartStage::Ending,
        waits_for: "no SIGTERM",
        meanwhile: "requests are still served until --shutdown-delay-duration ends",
        stuck: "the process is stopping",
        ..ALL
    },
];

/// Finds a check by its full name, or without `poststarthook/`.
pub fn find(name: &str) -> Option<&'static HealthCheck> {
    let known = |name: &str| CHECKS.iter().find(|check| check.matches(name));
    known(name).or_else(|| known(&format!("{HOOK}{name}")))
}

/// Returns the names of all checks, in the order of the server's responses.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|check| check.name)
}
