//! Tests the checks of `aggctl doctor`, with one failing at a time.

use aggctl_diagnose::doctor::{
    Agreement, CheckState, DoctorCheck, DoctorVerdict, Handshake, Probe, ProbeFailure, ProbePhase,
    Probes, SuggestedCommand, diagnose_all,
};
use aggctl_diagnose::probe::{InvalidDocument, Untrusted};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Cause, GroupVersion, ServerFlags, Severity, Unread};
use kube_aggregation::registry::Registry;
use serde_json::{Value, json};

use super::world::{NAME, World, authority, bundle, now, seen};

/// Breaks a healthy cluster, checks the verdict, and returns the summary for a snapshot.
fn check(
    case: &str,
    verdict: DoctorVerdict,
    broken: Option<AvailabilityStep>,
    change: impl FnOnce(&mut World),
) -> String {
    let mut world = World::healthy();
    change(&mut world);
    world.diagnose(&Probes::new(), |d| {
        assert_eq!(d.verdict, verdict, "{case}: {d:#?}");
        assert_eq!(d.broken_check().map(|l| l.step), broken, "{case}: {d:#?}");
        let steps: Vec<AvailabilityStep> = d.checks.iter().map(|l| l.step).collect();
        let looked_at = !world.front_proxy.is_null();
        // This cluster has no RBAC objects.
        let all =
            AvailabilityStep::ALL.into_iter().filter(|step| *step != AvailabilityStep::Bindings);
        let all = all.filter(|step| looked_at || *step != AvailabilityStep::FrontProxy);
        assert_eq!(steps, all.collect::<Vec<_>>(), "{case}");
        format!("{case}: {}\n", d.summary)
    })
}

/// Returns the notes of a check.
fn notes(check: &DoctorCheck<'_>) -> Vec<String> {
    check.notes.iter().map(ToString::to_string).collect()
}

/// Returns a CRD of the same group version with these conditions.
fn carts(conditions: Value) -> Value {
    json!([{"metadata": {"name": "carts.shop.example"},
        "spec": {"group": "shop.example", "scope": "Namespaced", "names": {"plural": "carts", "kind": "Cart"},
                 "versions": [{"name": "v1", "served": true, "storage": true}]},
        "status": {"conditions": conditions}}])
}

/// Nothing else shows that the certificates in the ConfigMap expire.
#[test]
fn an_extension_server_must_know_the_api_server() {
    use DoctorVerdict::{Broken, Healthy, Warning};
    let data = |ca: &str| {
        json!({
            "requestheader-client-ca-file": ca,
            "requestheader-allowed-names": "[\"front-proxy-client\"]",
            "requestheader-username-headers": "[\"X-Remote-User\"]",
            "requestheader-group-headers": "[\"X-Remote-Group\"]",
        })
    };
    let set = |ca: String| move |w: &mut World| w.front_proxy = data(&ca);
    let ca = |to| authority("front-proxy-ca", (2020, 1, 1), to);
    let link = Some(AvailabilityStep::FrontProxy);
    let summaries = [
        check("known", Healthy, None, set(ca((2040, 1, 1)))),
        check("expired", Broken, link, set(ca((2026, 11, 1)))),
        check("soon", Warning, None, set(ca((2026, 12, 1)))),
        check("none", Broken, link, |w| w.front_proxy = json!({})),
        check("headers", Broken, link, |w| {
            w.front_proxy = data(&ca((2040, 1, 1)));
            w.front_proxy["requestheader-username-headers"] = json!("[\"X-User\"]");
        }),
    ];
    insta::assert_snapshot!(summaries.concat(), @"
    known: Service shop/api responds
    expired: the only certificate of the front-proxy CA has expired, 15 days ago
    soon: the front-proxy CA expires in 14 days
    none: the API server has no --requestheader-client-ca-file, so extension API servers cannot identify callers
    headers: kube-aggregator sends X-Remote-User, which extension API servers do not read
    ");
}

#[test]
fn the_first_failing_check_decides() {
    use AvailabilityStep::{Address, Discovery, Endpoints, Fresh, Port, Ready, Service, Tls};
    use DoctorVerdict::{Broken, Healthy, Warning};
    let summaries = [
        check("healthy", Healthy, None, |_| ()),
        check("service gone", Broken, Some(Service), |w| {
            w.remove_service();
            w.unavailable("ServiceNotFound", "service/api in \"shop\" is not present");
        }),
        check("port", Broken, Some(Port), |w| {
            w.services[1]["spec"]["ports"][0]["port"] = json!(8443);
            let message = "service/api in \"shop\" is not listening on port 443";
            w.unavailable("ServicePortError", message);
        }),
        check("no slices", Broken, Some(Endpoints), |w| {
            let name = json!({"namespace": "default", "name": "kubernetes"});
            w.slices = json!([{"metadata": name, "endpoints": [], "ports": []}]);
            let message = "cannot find endpointslices for service/api in \"shop\"";
            w.unavailable("EndpointsNotFound", message);
        }),
        check("not ready", Broken, Some(Ready), |w| {
            w.slices[0]["endpoints"][0]["conditions"]["ready"] = json!(false);
            w.unavailable("MissingEndpoints", "");
        }),
        check("port name", Broken, Some(Ready), |w| {
            w.slices[0]["ports"][0]["name"] = json!("web");
            w.unavailable("MissingEndpoints", "");
        }),
        check("headless", Broken, Some(Address), |w| {
            w.services[1]["spec"]["clusterIP"] = json!("None");
        }),
        check("refused", Broken, Some(Address), |w| {
            w.failed_discovery("dial tcp 10.0.0.7:443: connect: connection refused");
        }),
        check("unknown authority", Broken, Some(Tls), |w| {
            w.failed_discovery("x509: certificate signed by unknown authority");
        }),
        check("status", Broken, Some(Discovery), |w| {
            let url = "https://10.0.0.7:443/apis/shop.example/v1";
            let message =
                format!("failing or missing response from {url}: bad status from {url}: 404");
            w.unavailable("FailedDiscoveryCheck", &message);
        }),
        check("obscure", Broken, Some(Discovery), |w| {
            w.failed_discovery("something new");
        }),
        check("stale", Broken, Some(Fresh), |w| {
            w.aggregated[0]["versions"][0]["freshness"] = json!("Stale");
        }),
        check("empty", Warning, None, |w| {
            w.aggregated[0]["versions"][0]["resources"] = json!([]);
        }),
        check("no Available condition", Broken, None, |w| {
            w.api_service["status"] = json!({});
        }),
        check("access error", Broken, None, |w| {
            w.condition("Unknown", "ServiceAccessError", "service/api cannot be accessed");
        }),
    ];
    insta::assert_snapshot!(summaries.concat(), @r#"
    healthy: Service shop/api responds
    service gone: Service shop/api does not exist
    port: Service shop/api has no port 443
    no slices: the Service has no EndpointSlices
    not ready: the only endpoint for port "https" is not ready
    port name: no endpoint has a port named "https"
    headless: the Service is headless (clusterIP None), which the API server cannot dial
    refused: connection refused: the host is up, but nothing listens on the port
    unknown authority: the serving certificate is not signed by a CA that the API server trusts for it
    status: the extension API server answers discovery with status 404
    obscure: the API server's own discovery check failed
    stale: available but stale in aggregated discovery
    empty: the aggregated document lists the group version with no resources
    no Available condition: has no Available condition, so requests return 503
    access error: Available=Unknown (ServiceAccessError); the source does not show why
    "#);
}

#[test]
fn the_ca_bundle_is_checked() {
    use DoctorVerdict::{Broken, Healthy, Warning};
    let tls = Some(AvailabilityStep::Tls);
    let set = |text: String| move |w: &mut World| w.api_service["spec"]["caBundle"] = text.into();
    let ca = |from, to| bundle(&[authority("some-ca", from, to)]);
    let key = "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n";
    let both = bundle(&[
        authority("old", (2020, 1, 1), (2026, 1, 1)),
        authority("new", (2026, 1, 1), (2036, 1, 1)),
    ]);
    let summaries = [
        check("expired", Broken, tls, set(ca((2020, 1, 1), (2026, 11, 1)))),
        check("not yet valid", Broken, tls, set(ca((2027, 1, 1), (2030, 1, 1)))),
        check("expires soon", Warning, None, set(ca((2020, 1, 1), (2026, 11, 20)))),
        check("not base64", Broken, tls, set("???".into())),
        check("not PEM", Broken, tls, set("aGVsbG8=".into())),
        check("a key", Broken, tls, set(bundle(&[key.into()]))),
        check("rotated", Healthy, None, set(both)),
        check("not verified", Healthy, None, |w| {
            w.api_service["spec"]["caBundle"] = Value::Null;
            w.api_service["spec"]["insecureSkipTLSVerify"] = json!(true);
        }),
    ];
    insta::assert_snapshot!(summaries.concat(), @"
    expired: the only certificate of spec.caBundle has expired, 15 days ago
    not yet valid: the only certificate of spec.caBundle is not valid yet
    expires soon: spec.caBundle expires in 3 days
    not base64: spec.caBundle is not base64
    not PEM: spec.caBundle has no readable certificate
    a key: spec.caBundle has no readable certificate
    rotated: Service shop/api responds
    not verified: Service shop/api responds
    ");
}

#[test]
fn missing_data_makes_checks_unknown() {
    let link = |w: &World, step: AvailabilityStep| {
        w.diagnose(&Probes::new(), |d| {
            let link = d.checks.iter().find(|l| l.step == step).unwrap();
            (link.state, link.fact.to_string(), d.verdict)
        })
    };
    let check = |w: &World,
                 step: AvailabilityStep,
                 state: CheckState,
                 what: &str,
                 verdict: DoctorVerdict| {
        assert_eq!(link(w, step), (state, what.to_owned(), verdict));
    };
    let mut world = World::healthy();
    world.services = Value::Null;
    world.slices = Value::Null;
    world.aggregated = Value::Null;
    // The server's own check proves that the Service exists, but not what depends on its type.
    let what = "the API server's own check passed";
    check(&world, AvailabilityStep::Service, CheckState::Ok, what, DoctorVerdict::Healthy);
    let what = "not checked: the Service is not in the source";
    check(&world, AvailabilityStep::Ready, CheckState::Unknown, what, DoctorVerdict::Healthy);
    let what = "the aggregated document /apis is not in the source";
    check(&world, AvailabilityStep::Fresh, CheckState::Unknown, what, DoctorVerdict::Healthy);
    world.unavailable("MissingEndpoints", "");
    assert_eq!(link(&world, AvailabilityStep::Port).0, CheckState::Ok);
    let what = "the API server's own check found no ready endpoint";
    check(&world, AvailabilityStep::Ready, CheckState::Broken, what, DoctorVerdict::Broken);

    // A list from another namespace proves nothing.
    let mut world = World::healthy();
    world.services = json!([{"metadata": {"namespace": "elsewhere", "name": "x"}, "spec": {}}]);
    world.condition("Unknown", "ServiceAccessError", "");
    assert_eq!(link(&world, AvailabilityStep::Service).1, "Services are incomplete in the source");

    // A discovery request that failed for an unknown reason proves nothing about earlier checks.
    let mut world = World::healthy();
    world.failed_discovery("something new");
    assert_eq!(link(&world, AvailabilityStep::Address).0, CheckState::Unknown);
    assert_eq!(link(&world, AvailabilityStep::Tls).0, CheckState::Unknown);
}

#[test]
fn servers_up_to_1_33_use_endpoints() {
    let mut world = World::healthy();
    world.minor = "33";
    world.endpoints = json!([
        {"metadata": {"namespace": "default", "name": "kubernetes"}},
        {"metadata": {"namespace": "shop", "name": "api"},
         "subsets": [{"notReadyAddresses": [{"ip": "10.1.0.5"}], "ports": [{"name": "https", "port": 8443}]}]}]);
    world.diagnose(&Probes::new(), |d| {
        assert_eq!(d.broken_check().unwrap().step, AvailabilityStep::Ready);
        assert_eq!(notes(d.broken_check().unwrap()), ["10.1.0.5:8443 is not ready"]);
    });
    world.endpoints[1]["subsets"] = json!([]);
    world.diagnose(&Probes::new(), |d| {
        let what = "the Service has no endpoints on a port named \"https\"";
        assert_eq!(d.broken_check().unwrap().fact.to_string(), what);
    });
    world.endpoints = Value::Null;
    world.unavailable("EndpointsNotFound", "cannot find endpoints for service/api in \"shop\"");
    world.diagnose(&Probes::new(), |d| {
        let link = d.broken_check().unwrap();
        assert_eq!(
            (link.step, link.fact.to_string().as_str()),
            (AvailabilityStep::Endpoints, "the API server's own check found no endpoints")
        );
        insta::assert_snapshot!(notes(link).join("\n"), @"
        Endpoints are not in the source
        this Kubernetes version checks Endpoints; the source has 1 EndpointSlices with 1 ready
        ");
    });
}

#[test]
fn conditions_and_facts_can_disagree() {
    let agreement = |change: &dyn Fn(&mut World)| {
        let mut world = World::healthy();
        change(&mut world);
        world.diagnose(&Probes::new(), |d| match &d.reported.as_ref().unwrap().agreement {
            Agreement::Agrees => "agrees".to_owned(),
            Agreement::Contradicts(how) => how.to_string(),
            Agreement::Unknown => "unknown".to_owned(),
        })
    };
    assert_eq!(agreement(&|_| ()), "agrees");
    assert_eq!(agreement(&|w| w.failed_discovery("i/o timeout")), "agrees");
    insta::assert_snapshot!(agreement(&|w| w.remove_service()), @"broken now: Service shop/api does not exist (the API server re-checks every 30 s, and a dump is not taken at one moment)");
    insta::assert_snapshot!(agreement(&|w| w.unavailable("MissingEndpoints", "")), @"the reported problem is gone now (the API server re-checks every 30 s, and a dump is not taken at one moment)");
    let expired = |w: &mut World| {
        w.minor = "35";
        let ended = bundle(&[authority("ca", (2020, 1, 1), (2021, 1, 1))]);
        w.api_service["spec"]["caBundle"] = ended.into();
    };
    insta::assert_snapshot!(agreement(&expired), @"up to Kubernetes 1.35, the API server's own check does not verify TLS, but client requests do");
}

#[test]
fn a_check_of_an_old_server_proves_nothing_about_tls() {
    for (minor, state, finding) in [
        ("35", CheckState::Unknown, true),
        ("36", CheckState::Ok, false),
        ("", CheckState::Unknown, false),
    ] {
        let mut world = World::healthy();
        world.minor = minor;
        world.diagnose(&Probes::new(), |d| {
            assert_eq!(d.checks[5].state, state, "{minor}");
            let found = d.findings.iter().any(|f| f.code.as_str() == "tls-not-checked");
            assert_eq!(found, finding, "{minor}");
        });
    }
}

#[test]
fn findings_besides_the_checks() {
    let check = |want: &[&str], change: &dyn Fn(&mut World)| {
        let mut world = World::healthy();
        change(&mut world);
        world.diagnose(&Probes::new(), |d| {
            let found = d.findings.iter();
            let found = found.map(|f| format!("{} {}", f.severity.as_str(), f.code.as_str()));
            assert_eq!(found.collect::<Vec<_>>(), want);
        });
    };
    check(&[], &|_| ());
    check(&["info left-over"], &|w| w.remove_service());
    check(&["warning being-deleted"], &|w| {
        w.api_service["metadata"]["deletionTimestamp"] = json!("2026-11-16T00:00:00Z");
    });
    check(&["warning ghost"], &|w| w.api_service["spec"]["service"] = Value::Null);
    check(&["info external-name"], &|w| {
        w.services[1]["spec"] = json!({"type": "ExternalName", "externalName": "api.example"});
    });
    check(&["warning shadows-crd", "warning duplicated-path"], &|w| {
        w.crds = carts(json!([{"type": "Established", "status": "True"}]));
    });
    let mut world = World::healthy();
    world.remove_service();
    world.namespaces = json!([{"metadata": {"name": "default"}},
        {"metadata": {"name": "old", "deletionTimestamp": "2026-11-16T00:00:00Z"}, "status": {"conditions": [
            {"type": "NamespaceDeletionDiscoveryFailure", "status": "True",
             "message": "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: shop.example/v1: stale GroupVersion discovery: shop.example/v1"}]}}]);
    world.diagnose(&Probes::new(), |d| {
        insta::assert_snapshot!(d.findings[0].what, @"may be left over: its Service and the namespace do not exist");
        insta::assert_snapshot!(notes(&d.checks[0]).join("\n"), @"the namespace shop does not exist either");
        let consequences = d.consequences.iter().map(|c| c.effect.to_string()).collect::<Vec<_>>();
        insta::assert_snapshot!(consequences.join("\n"), @"
        Requests under /apis/shop.example/v1 are proxied and fail with 503 or 500.
        Namespace old is stuck in Terminating.
        Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
        garbage collection and quota lag for kinds that cannot be listed.
        clients that require complete discovery fail: kubectl api-resources up to 1.31, some versions of Helm, some controllers.
        ");
        assert_eq!(d.findings[0].severity, Severity::Info);
    });
}

#[test]
fn writers_are_named_by_field() {
    let mut world = World::healthy();
    world.api_service["metadata"]["annotations"] = json!({"cert-manager.io/inject-ca-from": "shop/api", "kubectl.kubernetes.io/last-applied-configuration": "{}"});
    world.api_service["metadata"]["managedFields"] = json!([
        {"manager": "helm", "operation": "Update", "time": "2026-11-10T00:00:00Z",
         "fieldsV1": {"f:spec": {".": {}, "f:service": {"f:name": {}}, "f:caBundle": {}}}},
        {"manager": "cainjector", "operation": "Update", "time": "2026-11-16T10:00:00Z", "fieldsV1": {"f:spec": {"f:caBundle": {}}}},
        {"manager": "kube-apiserver", "operation": "Update", "subresource": "status", "fieldsV1": {"f:status": {"f:conditions": {}}}}]);
    world.diagnose(&Probes::new(), |d| {
        let who = d.writers.iter().map(|w| {
            let age = w.age.map(|age| format!(", {age}")).unwrap_or_default();
            format!("{} {}{age}", w.field.unwrap_or_default(), w.by)
        });
        assert_eq!(
            who.collect::<Vec<_>>(),
            [
                "spec.service helm, 6 days",
                "spec.caBundle cainjector, 2 h",
                " caBundle injected by cert-manager from certificate shop/api",
            ]
        );
    });
}

/// The CRD controller recreates such an APIService, so the CRD must be fixed.
#[test]
fn an_unserved_apiservice_of_a_refused_crd_names_the_crd() {
    let mut world = World::healthy();
    world.api_service["spec"]["service"] = Value::Null;
    world.api_service["metadata"]["labels"] =
        json!({"kube-aggregator.kubernetes.io/automanaged": "true"});
    world.crds = carts(json!([
        {"type": "NamesAccepted", "status": "False", "reason": "PluralConflict", "message": "\"carts\" is already in use"},
        {"type": "Established", "status": "False", "reason": "NotAccepted", "message": "not all names are accepted"}]));
    world.diagnose(&Probes::new(), |d| {
        insta::assert_snapshot!(d.summary, @r#"is available, but the server rejects a name of CRD carts.shop.example ("carts" is already in use): requests get 404"#);
        let commands: Vec<_> = d.advice.iter().flat_map(|a| &a.commands).cloned().collect();
        let describe = "kubectl describe crd carts.shop.example".to_owned();
        assert_eq!(commands, [SuggestedCommand::Kubectl(describe)]);
    });
}

#[test]
fn commands_can_be_copied_safely() {
    let mut world = World::healthy();
    world.api_service["spec"]["service"]["namespace"] = json!("a; reboot");
    world.diagnose(&Probes::new(), |d| {
        let commands: Vec<_> = d.advice.iter().flat_map(|a| &a.commands).cloned().collect();
        let want =
            ["kubectl -n 'a; reboot' get services", "kubectl delete apiservice v1.shop.example"];
        assert_eq!(commands, want.map(|line| SuggestedCommand::Kubectl(line.to_owned())));
    });
}

#[test]
fn a_direct_connection_knows_more() {
    let probe =
        |failure: Option<ProbeFailure>, verified: Option<Result<(), Untrusted>>, status| Probe {
            address: "10.0.0.7:443".into(),
            server_name: "api.shop.svc".into(),
            handshake: verified.is_some().then(|| Handshake {
                chain: vec![seen("CN=api", &["api.shop.svc"])],
                verified,
                against: "caBundle",
            }),
            failure,
            status,
            document: None,
        };
    let diagnose = |minor: &'static str, probe: Probe| {
        let mut world = World::healthy();
        world.minor = minor;
        let probes: Probes = [(NAME.to_owned(), probe)].into();
        world.diagnose(&probes, |d| {
            let checks: Vec<_> = d.checks.iter().map(|check| (check.state, notes(check))).collect();
            (d.verdict, d.broken_check().map(|check| check.fact.to_string()), checks)
        })
    };
    let (verdict, broken, links) = diagnose("35", probe(None, Some(Ok(())), Some(403)));
    assert_eq!((verdict, broken), (DoctorVerdict::Healthy, None));
    assert_eq!(links[5].0, CheckState::Ok);
    insta::assert_snapshot!(links[6].1[0], @"from here: status 403 without credentials, as is usual without credentials");

    let expired = "the certificate has expired";
    let (verdict, broken, _) =
        diagnose("35", probe(None, Some(Err(Untrusted(expired.into()))), None));
    assert_eq!((verdict, broken.as_deref()), (DoctorVerdict::Broken, Some(expired)));

    let html = Probe {
        document: Some(Err(InvalidDocument("the answer is text/html, not JSON".into()))),
        ..probe(None, Some(Ok(())), Some(200))
    };
    let (verdict, broken, _) = diagnose("36", html);
    assert_eq!(verdict, DoctorVerdict::Broken);
    assert!(broken.is_some_and(|what| what.ends_with("the answer is text/html, not JSON")));

    // The server's own check passed, so a timeout from this machine proves nothing.
    let timeout = ProbeFailure {
        phase: ProbePhase::Connect,
        code: "timeout",
        what: "no answer from 10.0.0.7:443 within 3 s".into(),
    };
    let (verdict, broken, links) = diagnose("36", probe(Some(timeout), None, None));
    assert_eq!((verdict, broken), (DoctorVerdict::Warning, None));
    assert_eq!(links[4].0, CheckState::Odd);
}

/// If the server accepts connections and then hangs, neither the network nor the caBundle is blamed.
#[test]
fn a_server_that_hangs_is_not_a_firewall() {
    let diagnose = |phase, what: &str, verified: bool| {
        let probe = Probe {
            address: "10.0.0.7:443".into(),
            server_name: "api.shop.svc".into(),
            handshake: verified.then(|| Handshake {
                chain: vec![seen("CN=api", &["api.shop.svc"])],
                verified: Some(Ok(())),
                against: "caBundle",
            }),
            failure: Some(ProbeFailure { phase, code: "timeout", what: what.to_owned() }),
            status: None,
            document: None,
        };
        let mut world = World::healthy();
        world.failed_discovery("context deadline exceeded");
        let probes: Probes = [(NAME.to_owned(), probe)].into();
        world.diagnose(&probes, |d| {
            let broken = d.broken_check().map(|check| (check.step, check.fact.to_string()));
            let advice = d.advice.iter().map(|one| one.action.to_string());
            // Both timed out, and only the direct connection knows where.
            assert_eq!(d.reported.as_ref().unwrap().agreement, Agreement::Agrees);
            let address = d.checks.iter().find(|c| c.step == AvailabilityStep::Address).unwrap();
            let passed = address.state == CheckState::Ok;
            assert!(!passed || !notes(address).iter().any(|note| note.contains("in time")));
            (broken.unwrap(), advice.collect::<Vec<_>>().join(" "))
        })
    };
    let late = "the TLS handshake did not end in time";
    let (broken, advice) = diagnose(ProbePhase::Tls, late, false);
    assert_eq!(broken, (AvailabilityStep::Tls, late.to_owned()));
    assert!(advice.contains("does not respond") && !advice.contains("firewall"), "{advice}");
    let (broken, advice) = diagnose(ProbePhase::Http, "no answer came in time", true);
    assert_eq!(broken, (AvailabilityStep::Discovery, "no answer came in time".to_owned()));
    assert!(!advice.contains("firewall") && !advice.contains("caBundle"), "{advice}");
    // If nothing accepts the connection, the network may be the cause.
    let (broken, advice) = diagnose(ProbePhase::Connect, "no answer within 5 s", false);
    assert_eq!(broken.0, AvailabilityStep::Address);
    assert!(advice.contains("firewall"), "{advice}");
}

/// With `--enable-aggregator-routing`, the server dials endpoints. If the flag is known, nothing is
/// left open.
#[test]
fn a_known_flag_decides_what_is_dialed() {
    let check = |spec: Value, flag: Option<&str>| {
        let mut world = World::healthy();
        world.services[1]["spec"] = spec;
        let mut snapshot = world.snapshot();
        snapshot.own_flags = flag.map(|value| ServerFlags {
            from: "/flagz".into(),
            values: [("enable-aggregator-routing".into(), value.into())].into(),
        });
        let registry = Registry::new(&snapshot);
        let probes = Probes::new();
        let all = diagnose_all(&registry, now(), &probes);
        let found = all.iter().find(|d| d.service.name == NAME).unwrap();
        let address = found.checks.iter().find(|c| c.step == AvailabilityStep::Address).unwrap();
        let texts = std::iter::once(address.fact.to_string()).chain(notes(address));
        let codes = found.findings.iter().map(|finding| finding.code.as_str());
        format!(
            "{:?} {} {:?}",
            address.state,
            texts.collect::<Vec<_>>().join("; "),
            codes.collect::<Vec<_>>()
        )
    };
    let outside = || json!({"type": "ExternalName", "externalName": "api.example"});
    let starts = |shown: String, want: &str| assert!(shown.starts_with(want), "{shown}");
    let rejects = "an API server with --enable-aggregator-routing rejects ExternalName Services";
    let answers = "Ok https://api.example:443 (externalName) answers";
    starts(check(outside(), None), &format!("{answers}; {rejects} [\"external-name\"]"));
    starts(check(outside(), Some("false")), &format!("{answers} []"));
    starts(check(outside(), Some("true")), "Broken a Service of type \"ExternalName\" is not");
    let mut headless = World::healthy().services[1]["spec"].clone();
    headless["clusterIP"] = "None".into();
    starts(check(headless.clone(), Some("false")), "Broken the Service is headless");
    starts(check(headless, Some("true")), "Ok ");
}

/// An APIService that shadows a CRD and lacks its Service has two reasons to be deleted.
#[test]
fn a_command_is_suggested_once() {
    let mut world = World::healthy();
    world.remove_service();
    world.crds = carts(json!([{"type": "Established", "status": "True"}]));
    world.diagnose(&Probes::new(), |d| {
        let commands: Vec<_> = d.advice.iter().flat_map(|one| &one.commands).collect();
        let delete = SuggestedCommand::Kubectl(format!("kubectl delete apiservice {NAME}"));
        assert_eq!(commands.iter().filter(|one| ***one == delete).count(), 1, "{commands:?}");
    });
}

/// The API server installs routes one by one. An extension server that hangs on OpenAPI delays
/// them.
#[test]
fn a_route_that_is_not_installed_yet_is_a_delay_of_the_api_server() {
    let check = |listed: bool, want: &str| {
        let mut world = World::healthy();
        if !listed {
            world.aggregated = json!([{"metadata": {"name": "apps"}, "versions": []}]);
        }
        let mut snapshot = world.snapshot();
        let gv = GroupVersion::new("shop.example", "v1");
        let why = "404 page not found".to_owned();
        snapshot.unread_lists.insert(gv, Unread { cause: Cause::NotFound, why });
        let registry = Registry::new(&snapshot);
        let probes = Probes::new();
        let all = diagnose_all(&registry, now(), &probes);
        let diagnosis = all.iter().find(|d| d.service.name == NAME).unwrap();
        let link = diagnosis.checks.iter().find(|l| l.step == AvailabilityStep::Discovery).unwrap();
        assert_eq!((link.state, link.fact.to_string().as_str()), (CheckState::Broken, want));
        let commands: Vec<_> = diagnosis.advice.iter().flat_map(|a| &a.commands).collect();
        // The request did not reach the extension server, so its logs do not help.
        let is_logs = |c: &&SuggestedCommand| matches!(c, SuggestedCommand::Kubectl(line) if line.contains("logs"));
        assert_eq!(commands.iter().any(is_logs), listed, "{commands:?}");
    };
    check(true, "discovery fails: 404 page not found");
    check(false, "the API server has not installed its route yet, and answers 404 itself");
}
