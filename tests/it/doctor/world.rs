//! A small healthy cluster, for tests to break.

use aggctl_certificate::Certificate;
use aggctl_diagnose::doctor::{Diagnosis, Probes, diagnose_all};
use aggctl_source::{self, Source};
use base64::Engine;
use jiff::Timestamp;
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::Registry;
use serde_json::{Value, json};

/// Returns the time of every test.
pub(crate) fn now() -> Timestamp {
    "2026-11-16T12:00:00Z".parse().unwrap()
}

/// The only APIService with a Service.
pub(crate) const NAME: &str = "v1.shop.example";

/// The parts of a dump. A part that is `null` is missing.
pub(crate) struct World {
    pub(crate) api_service: Value,
    pub(crate) services: Value,
    pub(crate) slices: Value,
    pub(crate) endpoints: Value,
    pub(crate) namespaces: Value,
    pub(crate) aggregated: Value,
    pub(crate) crds: Value,
    /// The data of the ConfigMap from which extension servers know the API server.
    pub(crate) front_proxy: Value,
    pub(crate) minor: &'static str,
}

impl World {
    /// Returns a cluster with one extension API server and nothing wrong.
    pub(crate) fn healthy() -> Self {
        let kubernetes = json!({"metadata": {"namespace": "default", "name": "kubernetes"},
            "spec": {"type": "ClusterIP", "clusterIP": "10.0.0.1", "ports": [{"name": "https", "port": 443}]}});
        let service = json!({"metadata": {"namespace": "shop", "name": "api"},
            "spec": {"type": "ClusterIP", "clusterIP": "10.0.0.7", "selector": {"app": "api"},
                     "ports": [{"name": "https", "port": 443, "targetPort": 8443}]}});
        let slice = json!({"metadata": {"namespace": "shop", "name": "api-x1", "labels": {"kubernetes.io/service-name": "api"}},
            "endpoints": [{"addresses": ["10.1.0.5"], "conditions": {"ready": true}, "targetRef": {"kind": "Pod", "name": "api-0"}}],
            "ports": [{"name": "https", "port": 8443}]});
        Self {
            api_service: json!({
                "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
                "metadata": {"name": NAME, "creationTimestamp": "2026-11-10T00:00:00Z"},
                "spec": {"group": "shop.example", "version": "v1", "groupPriorityMinimum": 1000, "versionPriority": 10,
                         "caBundle": bundle(&[authority("shop-ca", (2020, 1, 1), (2040, 1, 1))]),
                         "service": {"namespace": "shop", "name": "api", "port": 443}},
                "status": {"conditions": [{"type": "Available", "status": "True", "reason": "Passed",
                           "message": "all checks passed", "lastTransitionTime": "2026-11-16T09:00:00Z"}]}}),
            services: json!([kubernetes, service]),
            slices: json!([slice]),
            endpoints: Value::Null,
            namespaces: Value::Null,
            aggregated: json!([{"metadata": {"name": "shop.example"}, "versions": [{"version": "v1", "freshness": "Current",
                "resources": [{"resource": "carts", "scope": "Namespaced", "verbs": ["get"]}]}]}]),
            crds: json!([]),
            front_proxy: Value::Null,
            minor: "36",
        }
    }

    /// Sets the condition Available.
    pub(crate) fn condition(&mut self, status: &str, reason: &str, message: &str) {
        let condition = &mut self.api_service["status"]["conditions"][0];
        condition["status"] = status.into();
        condition["reason"] = reason.into();
        condition["message"] = message.into();
    }

    /// Sets the condition of an unavailable APIService.
    pub(crate) fn unavailable(&mut self, reason: &str, message: &str) {
        self.condition("False", reason, message);
    }

    /// Removes all Services except the one that every cluster has.
    pub(crate) fn remove_service(&mut self) {
        self.services.as_array_mut().unwrap().truncate(1);
    }

    /// Sets the condition after a failed discovery request.
    pub(crate) fn failed_discovery(&mut self, tail: &str) {
        let url = "https://10.0.0.7:443/apis/shop.example/v1";
        let message = format!("failing or missing response from {url}: Get \"{url}\": {tail}");
        self.unavailable("FailedDiscoveryCheck", &message);
    }

    /// Writes the files of a dump.
    pub(crate) fn write(&self, directory: &std::path::Path) {
        let put = |name: &str, content: Value| {
            std::fs::write(directory.join(format!("{name}.json")), content.to_string()).unwrap();
        };
        let api_services = match &self.api_service {
            Value::Null => Value::Null,
            one => json!([one]),
        };
        let lists = [
            ("apiservices", "APIService", "apiregistration.k8s.io/v1", &api_services),
            ("services", "Service", "v1", &self.services),
            ("slices", "EndpointSlice", "discovery.k8s.io/v1", &self.slices),
            ("endpoints", "Endpoints", "v1", &self.endpoints),
            ("namespaces", "Namespace", "v1", &self.namespaces),
            ("aggregated", "APIGroupDiscovery", "apidiscovery.k8s.io/v2", &self.aggregated),
            ("crds", "CustomResourceDefinition", "apiextensions.k8s.io/v1", &self.crds),
        ];
        for (name, kind, version, items) in lists.into_iter().filter(|list| !list.3.is_null()) {
            let kind = format!("{kind}List");
            put(name, json!({"kind": kind, "apiVersion": version, "items": items}));
        }
        if !self.front_proxy.is_null() {
            let config_map = json!({"kind": "ConfigMap", "apiVersion": "v1", "data": self.front_proxy, "metadata":
                {"namespace": "kube-system", "name": "extension-apiserver-authentication"}});
            put("front-proxy", config_map);
        }
        if !self.minor.is_empty() {
            let version = json!({"major": "1", "minor": self.minor, "gitVersion": format!("v1.{}.0", self.minor)});
            put("version", version);
        }
    }

    /// Writes the dump and reads it.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let directory = tempfile::tempdir().unwrap();
        self.write(directory.path());
        aggctl_source::load(&Source::Dump(vec![directory.path().to_owned()])).unwrap().snapshot
    }

    /// Diagnoses the APIService.
    pub(crate) fn diagnose<T>(&self, probes: &Probes, look: impl FnOnce(&Diagnosis<'_>) -> T) -> T {
        let snapshot = self.snapshot();
        let registry = Registry::new(&snapshot);
        let all = diagnose_all(&registry, now(), probes);
        look(all.iter().find(|d| d.service.name == NAME).unwrap())
    }
}

/// Returns a CA certificate as PEM.
pub(crate) fn authority(name: &str, from: (i32, u8, u8), to: (i32, u8, u8)) -> String {
    let mut params = rcgen::CertificateParams::default();
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(rcgen::DnType::CommonName, name);
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
    params.not_after = rcgen::date_time_ymd(to.0, to.1, to.2);
    params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().pem()
}

/// Returns certificates as the base64 of a caBundle field.
pub(crate) fn bundle(pems: &[String]) -> String {
    base64::prelude::BASE64_STANDARD.encode(pems.concat())
}

/// Returns a made-up certificate, for what a connection may have seen.
pub(crate) fn seen(subject: &str, names: &[&str]) -> Certificate {
    Certificate {
        subject: subject.to_owned(),
        issuer: "CN=shop-ca".to_owned(),
        names: names.iter().map(|n| (*n).to_owned()).collect(),
        not_before: 0,
        not_after: 4_000_000_000,
        ca: false,
        der: vec![],
    }
}
