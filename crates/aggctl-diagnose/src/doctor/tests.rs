//! The order in which evidence is collected never changes a diagnosis.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;

use super::bindings::Bindings;
use super::diagnose::{collect, conclude};
use super::diagnosis::Diagnosis;
use crate::probe::{Handshake, InvalidDocument, Probe, ProbeFailure, ProbePhase, Untrusted};
use crate::testing::snapshot_of_yaml;
use aggctl_certificate::Bundle;
use kube_aggregation::availability::Controller;
use kube_aggregation::model::{
    Cause, FrontProxy, GroupVersion, Input, NOT_CHECKED, Snapshot, Unread,
};
use kube_aggregation::registry::Registry;
use proptest::sample::select;

/// Which variant of each observation a cluster has.
#[derive(Debug, Clone)]
struct Cluster {
    minor: &'static str,
    condition: Option<(&'static str, &'static str, &'static str)>,
    service: Option<&'static str>,
    slices: Option<&'static str>,
    ca_bundle: &'static str,
    response: Option<Result<(), (Cause, &'static str)>>,
    freshness: Option<&'static str>,
    front_proxy: Option<bool>,
    probe: Option<Probe>,
}

/// A CA that is valid until 2040.
static CA: LazyLock<String> = LazyLock::new(|| {
    let mut params = rcgen::CertificateParams::default();
    params.not_after = rcgen::date_time_ymd(2040, 1, 1);
    params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().pem()
});

fn conditions() -> impl Strategy<Value = Option<(&'static str, &'static str, &'static str)>> {
    const REFUSED: &str = "failing or missing response from https://10.0.0.7:443/apis/a.io/v1: Get \"https://10.0.0.7:443/apis/a.io/v1\": dial tcp 10.0.0.7:443: connect: connection refused";
    const UNTRUSTED: &str =
        "no response from https://10.9.9.9:443: x509: certificate signed by unknown authority";
    const OBSCURE: &str = "failing or missing response from https://10.0.0.7:443: something new";
    select(vec![
        None,
        Some(("True", "Passed", "all checks passed")),
        Some(("True", NOT_CHECKED, "")),
        Some(("False", "ServiceNotFound", "")),
        Some(("False", "MissingEndpoints", "")),
        Some(("False", "FailedDiscoveryCheck", REFUSED)),
        Some(("False", "FailedDiscoveryCheck", UNTRUSTED)),
        Some(("False", "FailedDiscoveryCheck", OBSCURE)),
    ])
}

fn responses() -> impl Strategy<Value = Option<Result<(), (Cause, &'static str)>>> {
    let unreachable = "error trying to reach service: no endpoints available for service \"api\"";
    select(vec![
        None,
        Some(Ok(())),
        Some(Err((Cause::Status(503), unreachable))),
        Some(Err((Cause::Status(503), "x509: certificate signed by unknown authority"))),
        Some(Err((Cause::NotFound, "404 page not found"))),
        Some(Err((Cause::Unusable, "HTML"))),
        Some(Err((Cause::Silence, "no answer"))),
    ])
}

fn probes() -> impl Strategy<Value = Option<Probe>> {
    let probe = || Probe {
        address: "10.0.0.7:443".to_owned(),
        server_name: "api.shop.svc".to_owned(),
        failure: None,
        handshake: None,
        status: None,
        document: None,
    };
    let failed = |phase| Probe {
        failure: Some(ProbeFailure { phase, code: "timeout", what: "no answer".to_owned() }),
        ..probe()
    };
    let shown = |verified| Probe {
        handshake: Some(Handshake {
            chain: Bundle::read(CA.as_bytes()).certificates,
            verified: Some(verified),
            against: "caBundle",
        }),
        status: Some(200),
        document: Some(Err(InvalidDocument("it is HTML".to_owned()))),
        ..probe()
    };
    select(vec![
        None,
        Some(failed(ProbePhase::Connect)),
        Some(failed(ProbePhase::Tls)),
        Some(failed(ProbePhase::Http)),
        Some(shown(Ok(()))),
        Some(shown(Err(Untrusted("it has expired".to_owned())))),
    ])
}

fn clusters() -> impl Strategy<Value = Cluster> {
    let service = select(vec![
        None,
        Some(r#"{"type": "ClusterIP", "clusterIP": "10.0.0.7", "ports": [{"port": 443}]}"#),
        Some(r#"{"type": "ClusterIP", "clusterIP": "None", "ports": [{"port": 443}]}"#),
        Some(r#"{"type": "NodePort", "clusterIP": "10.0.0.7", "ports": [{"port": 80}]}"#),
        Some(r#"{"type": "ExternalName", "externalName": "api.example"}"#),
    ]);
    let slices = select(vec![
        None,
        Some("[]"),
        Some(r#"[{"addresses": ["10.1.0.5"], "conditions": {"ready": true}}]"#),
        Some(r#"[{"addresses": ["10.1.0.5"], "conditions": {"ready": false}}]"#),
    ]);
    let rest = (
        select(vec!["", "???", "aGVsbG8="]),
        select(vec![None, Some("Current"), Some("Stale")]),
        select(vec![None, Some(true), Some(false)]),
        select(vec!["25", "35", "36"]),
    );
    (conditions(), service, slices, responses(), probes(), rest).prop_map(
        |(condition, service, slices, response, probe, rest)| {
            let (ca_bundle, freshness, front_proxy, minor) = rest;
            Cluster {
                minor,
                condition,
                service,
                slices,
                ca_bundle,
                response,
                freshness,
                front_proxy,
                probe,
            }
        },
    )
}

impl Cluster {
    fn snapshot(&self) -> Snapshot {
        let conditions = self.condition.map(|(status, reason, message)| {
            format!(
                "[{{type: Available, status: {status:?}, reason: {reason}, message: {message:?}}}]"
            )
        });
        let mut texts = vec![
            format!(
                "{{kind: APIService, apiVersion: apiregistration.k8s.io/v1, metadata: {{name: v1.a.io}}, spec: {{group: a.io, version: v1, groupPriorityMinimum: 1, versionPriority: 1, caBundle: {:?}, service: {{namespace: shop, name: api}}}}, status: {{conditions: {}}}}}",
                self.ca_bundle,
                conditions.as_deref().unwrap_or("[]")
            ),
            format!(r#"{{"major": "1", "minor": "{0}", "gitVersion": "v1.{0}.0"}}"#, self.minor),
        ];
        texts.extend(self.service.map(|spec| {
            format!("{{kind: Service, apiVersion: v1, metadata: {{namespace: shop, name: api}}, spec: {spec}}}")
        }));
        texts.extend(self.slices.map(|endpoints| {
            format!("{{kind: EndpointSlice, apiVersion: discovery.k8s.io/v1, metadata: {{namespace: shop, name: api-1, labels: {{kubernetes.io/service-name: api}}}}, endpoints: {endpoints}, ports: [{{port: 8443}}]}}")
        }));
        texts.extend(self.freshness.map(|freshness| {
            format!("{{kind: APIGroupDiscoveryList, apiVersion: apidiscovery.k8s.io/v2, items: [{{metadata: {{name: a.io}}, versions: [{{version: v1, freshness: {freshness}}}]}}]}}")
        }));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut snapshot = snapshot_of_yaml(&texts);
        let gv = GroupVersion::new("a.io", "v1");
        match self.response {
            Some(Ok(())) => drop(snapshot.resource_lists.insert(gv, vec![])),
            Some(Err((cause, why))) => {
                snapshot.unread_lists.insert(gv, Unread { cause, why: why.to_owned() });
            }
            None => {}
        }
        if let Some(has_ca) = self.front_proxy {
            let client_ca = has_ca.then(|| CA.clone());
            snapshot.front_proxy = Input::Loaded(FrontProxy { client_ca, ..FrontProxy::default() });
        }
        snapshot
    }
}

/// A diagnosis as data and in words.
fn shown(diagnosis: &Diagnosis<'_>) -> String {
    let words = diagnosis.checks.iter().map(|check| {
        let notes: Vec<String> = check.notes.iter().map(ToString::to_string).collect();
        format!("{} {notes:?}", check.fact)
    });
    format!("{diagnosis:#?} {} {:?}", diagnosis.summary, words.collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn the_order_of_evidence_does_not_matter(
        cluster in clusters(),
        keys in vec(any::<u32>(), 64),
    ) {
        let snapshot = cluster.snapshot();
        let registry = Registry::new(&snapshot);
        let now = "2026-11-16T12:00:00Z".parse().unwrap();
        let reviews = registry.review();
        let review = reviews.iter().find(|one| one.service.name == "v1.a.io").unwrap();
        let service = review.service;
        let check = Controller::new(&snapshot).check(service.service.as_ref().unwrap());
        let (bindings, probe) = (Bindings::new(&snapshot), cluster.probe.as_ref());
        let collected = collect(&registry, &bindings, service, &check, now, probe);
        prop_assert!((8..keys.len()).contains(&collected.len()));
        let mut shuffled: Vec<_> = keys.into_iter().zip(collected.clone()).collect();
        shuffled.sort_by_key(|(key, _)| *key);
        let shuffled = shuffled.into_iter().map(|(_, one)| one).collect();
        let [want, got] = [collected, shuffled].map(|evidence| {
            shown(&conclude(&registry, review, Some(check.clone()), evidence, now, probe))
        });
        prop_assert_eq!(got, want);
    }
}
