//! Tests with pasted responses, and what follows from them.

use super::*;
use kube_aggregation::model::{
    ApiService, Cause, HealthEndpoint, HealthSample, Input, Minor, ServiceReference, Snapshot,
    Unread,
};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Server;

fn sample(endpoint: HealthEndpoint, body: &str) -> HealthSample {
    HealthSample { endpoint: Some(endpoint), body: Ok(body.to_owned()) }
}

/// Evaluates a text that names its endpoint.
fn judged(text: &str) -> Health {
    judge(&[vec![HealthSample { endpoint: None, body: Ok(text.to_owned()) }]], None, None)
}

/// Evaluates a `/readyz` response with a few checks. Those in `failed` fail.
fn with_failed(failed: &[&str]) -> Health {
    let names = [
        "ping",
        "etcd",
        "etcd-readiness",
        "informer-sync",
        "poststarthook/crd-informer-synced",
        "poststarthook/rbac/bootstrap-roles",
        "poststarthook/apiservice-registration-controller",
        "autoregister-completion",
        "shutdown",
    ];
    let line = |name: &&str| match failed.contains(name) {
        true => format!("[-]{name} failed: reason withheld\n"),
        false => format!("[+]{name} ok\n"),
    };
    let lines: String = names.iter().map(line).collect();
    let verdict = if failed.is_empty() { "passed" } else { "failed" };
    let body = format!("{lines}readyz check {verdict}\n");
    judge(&[vec![sample(HealthEndpoint::Readyz, &body)]], Some(Minor::new(36)), None)
}

fn codes(health: &Health) -> Vec<&str> {
    health.findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn bodies_are_read_line_by_line() {
    let text = "[+]ping ok\n[-]etcd failed: reason withheld\n[+]log excluded: ok\n[+]kms excluded with g: ok\n[-]informer-sync failed: 2 informers not started yet: [*v1.A]\nwarn: some health checks cannot be excluded: no matches for \"a,b\",\"c\"\nreadyz check failed\n";
    let [body] = bodies(text).unwrap().try_into().unwrap();
    let readyz = Some(HealthEndpoint::Readyz);
    assert_eq!((body.endpoint, body.verdict, body.whole), (readyz, HealthVerdict::Failed, true));
    assert_eq!(body.not_excluded, ["a,b", "c"]);
    let stated = FailureReason::Stated("2 informers not started yet: [*v1.A]".to_owned());
    let states: Vec<_> = body.checks.iter().map(|check| (&*check.name, &check.state)).collect();
    assert_eq!(
        states,
        [
            ("ping", &HealthState::Passed),
            ("etcd", &HealthState::Failed(FailureReason::Withheld)),
            ("log", &HealthState::Excluded),
            ("kms", &HealthState::Excluded),
            ("informer-sync", &HealthState::Failed(stated)),
        ]
    );
}

#[test]
fn kubectl_and_logs_quote_bodies() {
    let quoted = r#"Error from server (InternalError): an error on the server ("[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed") has prevented the request from succeeding"#;
    let [body] = bodies(quoted).unwrap().try_into().unwrap();
    assert_eq!((body.endpoint, body.checks.len()), (Some(HealthEndpoint::Livez), 2));
    let log = "I0101 00:00:00.000000 1 healthz.go:261] etcd,autoregister-completion check failed: readyz\n[-]etcd failed: error getting data from etcd: context deadline exceeded\n[-]autoregister-completion failed: missing APIService: [v1.apps]\n";
    let [body] = bodies(log).unwrap().try_into().unwrap();
    let readyz = Some(HealthEndpoint::Readyz);
    assert_eq!((body.endpoint, body.verdict, body.whole), (readyz, HealthVerdict::Failed, false));
    assert_eq!(body.checks.len(), 2);
    let both = "[+]ping ok\nlivez check passed\n[+]ping ok\n[+]shutdown ok\nreadyz check passed\n";
    assert_eq!(bodies(both).unwrap().len(), 2);
    let single = bodies("internal server error: missing APIService: [v1.apps]\n").unwrap();
    assert_eq!(single[0].checks[0].name, "autoregister-completion");
}

/// A truncated line is not a passed check.
#[test]
fn what_is_cut_off_is_never_ok() {
    let check = |text: &str, verdict: HealthVerdict, checks: usize| {
        let one = &judged(text).answers[0];
        assert_eq!((&one.verdict, one.checks.len()), (&verdict, checks), "{text}");
    };
    check("[+]ping ok\n[+]log ok\n[+]etc", HealthVerdict::CutOff, 2);
    check("[+]ping ok\n[+]etcd o", HealthVerdict::CutOff, 1);
    check("[+]ping ok\n[-]etcd fai", HealthVerdict::Failed, 2);
    check("[+]ping ok\n[-]etcd failed: reason wit", HealthVerdict::Failed, 2);
    check("readyz check failed", HealthVerdict::Failed, 0);
    check("ok", HealthVerdict::Passed, 0);
    check("<html><body>502 Bad Gateway</body></html>", HealthVerdict::Unusable(Unusable::Html), 0);
    check("not a body", HealthVerdict::Unusable(Unusable::Other), 0);
    check("", HealthVerdict::Unusable(Unusable::Other), 0);
}

#[test]
fn withheld_reasons_are_put_where_they_belong() {
    let body = "[+]ping ok\n[-]etcd failed: reason withheld\n[-]log failed: reason withheld\nreadyz check failed\n";
    assert_eq!(withheld(body), ["etcd", "log"]);
    let stated = FailureReason::Stated("no way".to_owned());
    assert_eq!(reason("internal server error: no way\nmore"), Some(stated.clone()));
    let known = [("etcd".to_owned(), stated)];
    let full = with_reasons(body, &known);
    assert!(full.contains("[-]etcd failed: no way\n[-]log failed: reason withheld\n"), "{full}");
}

/// The words of a reason are read back as the state that they stand for.
#[test]
fn a_check_that_passed_since_is_not_a_stated_reason() {
    assert_eq!(reason("ok\n"), Some(FailureReason::PassedSince));
    let body = "[-]etcd failed: reason withheld\nreadyz check failed\n";
    let full = with_reasons(body, &[("etcd".to_owned(), FailureReason::PassedSince)]);
    let check = &bodies(&full).unwrap()[0].checks[0];
    assert_eq!(check.state, HealthState::Failed(FailureReason::PassedSince));
    assert_eq!(check.reason(), Some("passed when requested again"));
}

#[test]
fn the_gates_tell_what_clients_get() {
    use Expected::{AsUsual, Hangs, Status, Unknown};
    let check = |failed: &[&str], phase: Phase, want: [Expected; 4]| {
        let health = with_failed(failed);
        let Expect { unknown_path, custom_resources, extension, rbac_users } = health.expect;
        assert_eq!(health.phase, phase, "{failed:?}");
        assert_eq!([unknown_path, custom_resources, extension, rbac_users], want, "{failed:?}");
    };
    let (crds, routes) =
        ("poststarthook/crd-informer-synced", "poststarthook/apiservice-registration-controller");
    let roles = "poststarthook/rbac/bootstrap-roles";
    let gone = Status(503);
    check(&[], Phase::Ready, [Status(404), AsUsual, AsUsual, AsUsual]);
    check(
        &[crds, routes, roles, "informer-sync"],
        Phase::InstallingRoutes,
        [gone, gone, gone, Unknown],
    );
    check(&[routes, roles], Phase::InstallingRoutes, [gone, AsUsual, gone, Unknown]);
    check(&[roles], Phase::Bootstrapping, [Status(404), AsUsual, AsUsual, Unknown]);
    check(&["etcd", "etcd-readiness"], Phase::Degraded, [Status(404), Hangs, AsUsual, AsUsual]);
    check(&["shutdown"], Phase::Stopping, [Status(404), AsUsual, AsUsual, AsUsual]);
    check(&["shutdown", "etcd"], Phase::Stopping, [Unknown; 4]);
    check(
        &["autoregister-completion"],
        Phase::Bootstrapping,
        [Status(404), AsUsual, AsUsual, AsUsual],
    );
}

/// A starting server has not connected to etcd yet, which is not a problem of etcd.
#[test]
fn the_start_is_no_problem_of_etcds() {
    let check = |reason: &str, hooks: &str, want: &[&str]| {
        let body = format!("[-]etcd failed: {reason}\n{hooks}readyz check failed\n");
        assert_eq!(codes(&judged(&body)), want, "{reason} {hooks}");
    };
    let (connecting, hook) = (
        "etcd client connection not yet established",
        "[-]poststarthook/crd-informer-synced failed: not finished\n",
    );
    check(connecting, hook, &["starting"]);
    let since = reason("ok").unwrap();
    let since = since.words().unwrap();
    check(since, hook, &["starting"]);
    check(since, "", &["etcd-down"]);
    check("context deadline exceeded", hook, &["etcd-down", "starting"]);
    check(connecting, "", &["etcd-down"]);
}

/// During shutdown a server fails the etcd checks itself.
#[test]
fn the_end_is_no_problem_of_etcds() {
    let check = |reason: &str, unknown_path: Expected, want: &[&str]| {
        let body = format!(
            "[-]etcd failed: {reason}\n[+]poststarthook/crd-informer-synced ok\n[+]poststarthook/apiservice-registration-controller ok\n[-]shutdown failed: process is shutting down\nreadyz check failed\n"
        );
        let health = judged(&body);
        assert_eq!(
            (health.expect.unknown_path, &*codes(&health)),
            (unknown_path, want),
            "{reason}"
        );
    };
    check("server is shutting down", Expected::Status(503), &["shutting-down"]);
    check("context deadline exceeded", Expected::Status(404), &["etcd-down", "shutting-down"]);
    check("reason withheld", Expected::Unknown, &["shutting-down"]);
}

/// The informers that are not synced show whether RBAC has its roles.
#[test]
fn users_of_rbac_wait_for_roles() {
    let check = |informers: &str, want: Expected| {
        let body = format!(
            "[-]informer-sync failed: {informers}\n[+]poststarthook/rbac/bootstrap-roles ok\nreadyz check failed\n"
        );
        assert_eq!(judged(&body).expect.rbac_users, want, "{informers}");
    };
    check("2 informers not started yet: [*v1.ClusterRole *v1.Pod]", Expected::Status(403));
    check("1 informers not started yet: [*v1.RoleBinding]", Expected::Status(403));
    check("1 informers not started yet: [*v1.Pod]", Expected::AsUsual);
    check("reason withheld", Expected::Unknown);
    check("passed when requested again", Expected::AsUsual);
}

#[test]
fn before_1_23_nothing_waits_for_routes() {
    let body = "[-]poststarthook/crd-informer-synced failed: reason withheld\nreadyz check failed";
    let look = vec![sample(HealthEndpoint::Readyz, body)];
    let health = judge(&[look], Some(Minor::new(22)), None);
    assert_eq!(health.expect.unknown_path, Expected::Status(404));
    assert_eq!(health.expect.extension, Expected::Unknown);
}

/// `/livez` may let the aggregator's own checks pass during the grace period.
#[test]
fn a_grace_period_proves_nothing() {
    let body = "[+]ping ok\n[+]poststarthook/crd-informer-synced ok\n[+]poststarthook/apiservice-registration-controller ok\n[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\nlivez check failed\n";
    let health = judged(body);
    assert_eq!(health.expect.unknown_path, Expected::Unknown);
    assert_eq!(health.expect.custom_resources, Expected::AsUsual);
}

#[test]
fn every_state_has_its_codes() {
    let check = |failed: &[&str], want: &[&str]| assert_eq!(codes(&with_failed(failed)), want);
    check(&[], &[]);
    check(&["etcd"], &["etcd-down"]);
    check(&["shutdown", "etcd"], &["shutting-down"]);
    check(&["poststarthook/rbac/bootstrap-roles"], &["hook-fatal-soon", "starting"]);
    let livez = "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n";
    assert_eq!(codes(&judged(livez)), ["etcd-down", "livez-restarts-on-etcd"]);
    let odd = "[+]ping ok\n[+]etcd excluded: ok\n[-]etcd-readiness failed: x\n[+]vendor ok\nwarn: some health checks cannot be excluded: no matches for \"x\"\nreadyz check failed\n";
    let twice = "exclude-has-no-effect";
    assert_eq!(codes(&judged(odd)), ["etcd-down", twice, twice, "unknown-check"]);
    let unread = Unread { cause: Cause::Forbidden, why: "forbidden (403)".to_owned() };
    let forbidden = HealthSample { endpoint: Some(HealthEndpoint::Livez), body: Err(unread) };
    let health = judge(&[vec![forbidden]], None, None);
    assert_eq!((codes(&health), health.phase), (vec!["probe-forbidden"], Phase::Forbidden));
}

/// Hooks pass in order. A hook that fails again belongs to another process.
#[test]
fn looks_tell_the_order_and_who_answered() {
    let look = |crds: &str, roles: &str| {
        let line = |mark: &str, name: &str| match mark {
            "+" => format!("[+]{name} ok\n"),
            _ => format!("[-]{name} failed: reason withheld\n"),
        };
        let lines = line(crds, "poststarthook/crd-informer-synced")
            + &line(roles, "poststarthook/rbac/bootstrap-roles");
        vec![sample(HealthEndpoint::Readyz, &lines)]
    };
    let health = judge(&[look("-", "-"), look("+", "-"), look("+", "+")], None, None);
    let order: Vec<_> = health.order.iter().map(|one| (one.name.as_str(), one.look)).collect();
    assert_eq!(
        order,
        [("poststarthook/crd-informer-synced", 1), ("poststarthook/rbac/bootstrap-roles", 2)]
    );
    assert!(!codes(&health).contains(&"replicas-differ"));
    let health = judge(&[look("+", "+"), look("-", "-")], None, None);
    assert!(codes(&health).contains(&"replicas-differ"));
}

fn node(snapshot: &mut Snapshot) -> &mut ApiService {
    let Input::Loaded(services) = &mut snapshot.api_services else { panic!() };
    services.iter_mut().find(|s| s.name == "v1.node.k8s.io").unwrap()
}

#[test]
fn a_replaced_built_in_apiservice_keeps_a_restarted_server_unready() {
    let mut snapshot =
        kube_aggregation::baseline::server(kube_aggregation::baseline::LATEST).clone();
    let check = |snapshot: &Snapshot, next: Option<bool>, phase: Phase| {
        let registry = Registry::new(snapshot);
        let body = "[-]autoregister-completion failed: missing APIService: [v1.node.k8s.io]\nreadyz check failed\n";
        let health = judge(&[vec![sample(HealthEndpoint::Readyz, body)]], None, Some(&registry));
        assert_eq!((health.next_restart, health.phase), (next, phase));
        health
    };
    check(&snapshot, Some(true), Phase::Bootstrapping);
    let replaced = node(&mut snapshot);
    let (namespace, name) = ("ext".to_owned(), "absent".to_owned());
    replaced.service = Some(ServiceReference { namespace, name, port: 443 });
    replaced.available.as_mut().unwrap().status = "False".to_owned();
    // The server restores an APIService that has the label.
    check(&snapshot, Some(true), Phase::Bootstrapping);
    node(&mut snapshot).automanaged = None;
    let health = check(&snapshot, Some(false), Phase::Stuck);
    assert_eq!(codes(&health)[0], "stuck-built-in-apiservice");
    assert!(health.findings[0].message.contains("Service ext/absent"), "{:?}", health.findings[0]);
}

#[test]
fn the_table_is_whole() {
    let names: Vec<_> = names().collect();
    for (index, name) in names.iter().enumerate() {
        assert!(!names[..index].contains(name), "{name}");
        let check = find(&name.replace('*', "0")).unwrap();
        assert_eq!(check.name, *name);
        assert!(check.fatal_after.is_none() || !check.stuck.is_empty(), "{name}");
        assert!(check.until.is_none() || check.since < check.until, "{name}");
    }
    assert_eq!(find("rbac/bootstrap-roles").unwrap().server, Server::KubeApiserver);
    assert_eq!(find("etcd-override-"), None);
    assert_eq!(find("poststarthook"), None);
}

#[test]
fn a_pasted_403_is_understood() {
    let status = r#"{"kind":"Status","message":"forbidden: User \"ann\" cannot get path \"/readyz/etcd\"","code":403}"#;
    let kubectl =
        "Error from server (Forbidden): forbidden: User \"ann\" cannot get path \"/readyz\"\n";
    for text in [status, kubectl] {
        let sample = HealthSample { endpoint: None, body: Ok(text.to_owned()) };
        let health = judge(&[vec![sample]], None, None);
        assert_eq!((codes(&health), health.phase), (vec!["probe-forbidden"], Phase::Forbidden));
        let answer = health.answers.first().unwrap();
        assert_eq!(answer.endpoint, Some(HealthEndpoint::Readyz), "{text}");
        assert_eq!((answer.verdict.status(), answer.verdict.asked_by()), (Some(403), Some("ann")));
    }
    // A 403 for another path says nothing about health.
    let other = "forbidden: User \"ann\" cannot get path \"/metrics\"";
    assert!(bodies(other).is_err());
}

/// `/readyz` includes the checks of the other endpoints, so it decides if they could not be read.
#[test]
fn readyz_decides() {
    let denied = |endpoint| {
        let unread = Unread { cause: Cause::Forbidden, why: "access denied".to_owned() };
        HealthSample { endpoint: Some(endpoint), body: Err(unread) }
    };
    let passes = |endpoint: HealthEndpoint| {
        let name = endpoint.as_str();
        sample(endpoint, &format!("[+]ping ok\n{name} check passed\n"))
    };
    use HealthEndpoint::{Livez, Readyz};
    let ready = judge(&[vec![passes(Readyz), denied(Livez)]], None, None);
    assert!(ready.passes());
    assert_eq!(ready.unread().map(|(endpoint, _)| endpoint).collect::<Vec<_>>(), [Some(Livez)]);
    assert!(!judge(&[vec![denied(Readyz), passes(Livez)]], None, None).passes());
    let livez_fails = sample(Livez, "[-]ping failed: reason withheld\nlivez check failed\n");
    assert!(!judge(&[vec![passes(Readyz), livez_fails]], None, None).passes());
}
