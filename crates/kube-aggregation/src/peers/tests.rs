//! Tests of the peer proxy between servers with different versions and flags.

use super::*;
use crate::baseline;
use crate::ingest::SnapshotBuilder;
use crate::model::{
    AggregatedGroup, IdentityLease, Input, Minor, ServerFlags, Snapshot, SourceKind,
};
use crate::registry::{Assumption, PeerGap, Registry};
use crate::routing::{Method, Outcome, Router, Target};
use crate::runtime_config::RuntimeConfig;
use std::collections::BTreeSet;

/// Returns a server with a peer proxy, without CRDs and Services.
fn server(minor: u32, flags: &[(&str, &str)]) -> Snapshot {
    let switches = flags.iter().find(|(name, _)| *name == "runtime-config");
    let switches = RuntimeConfig::parse(switches.map_or("", |(_, value)| *value));
    let plain = baseline::server(Minor::new(minor));
    let mut snapshot = switches.applied(plain, &BTreeSet::new()).into_owned();
    snapshot.origin.kind = SourceKind::Dump;
    let defaults = [("peer-ca-file", "/ca.crt")];
    let values = defaults.iter().chain(flags).map(|(name, value)| (*name, *value));
    let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    snapshot.own_flags = Some(ServerFlags { from: "/flagz".to_owned(), values });
    snapshot
}

fn lease(host: &str, renewed: i64) -> IdentityLease {
    IdentityLease {
        identity: format!("apiserver-{host}"),
        host: host.to_owned(),
        address: Some(format!("{host}:6443")),
        holder: String::new(),
        renewed: Some(renewed),
    }
}

/// Calls a function with the control plane of these servers. Each of them knows all Leases.
fn with_plane<T>(
    servers: &[(&str, Snapshot)],
    leases: Option<&[IdentityLease]>,
    call: impl FnOnce(&mut ControlPlane<'_, '_>) -> T,
) -> T {
    let leases = leases.map_or(Input::Absent, |leases| Input::Loaded(leases.to_vec()));
    let servers: Vec<(&str, Snapshot)> = (servers.iter())
        .map(|(name, one)| (*name, Snapshot { leases: leases.clone(), ..one.clone() }))
        .collect();
    let registries: Vec<Registry<'_>> =
        servers.iter().map(|(_, snapshot)| Registry::new(snapshot)).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    let names = servers.iter().map(|(name, _)| *name);
    call(&mut ControlPlane::new(names.zip(&routers)))
}

/// Formats a route as `-> handlers outcome`, or as the reason why it stays local and the outcome.
fn way(plane: &ControlPlane<'_, '_>, asked: usize, path: &str) -> String {
    let target = Target::parse(Method::Get, path).unwrap();
    let found = plane.route(asked, &target).unwrap();
    let outcome = found.route.outcome.as_str();
    match &found.step {
        PeerStep::Local(reason) => format!("{reason:?} {outcome}"),
        PeerStep::Proxied(peers) => {
            let names: Vec<&str> = peers.iter().map(|peer| plane.name(*peer)).collect();
            format!("-> {} {outcome}", names.join("|"))
        }
        other => format!("{other:?} {outcome}"),
    }
}

const MIGRATIONS: &str = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";

#[test]
fn the_checks_have_an_order() {
    let servers = [("a", server(36, &[])), ("b", server(37, &[]))];
    let leases = [lease("a", 100), lease("b", 100)];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "-> b served");
        assert_eq!(way(plane, 1, MIGRATIONS), "OwnResource served");
        assert_eq!(way(plane, 0, "/apis/storagemigration.k8s.io/v1"), "NotAResource not-found");
        assert_eq!(way(plane, 0, "/openapi/v3/apis/apps/v1"), "NotAResource served");
        assert_eq!(way(plane, 0, "/apis/apps/v1/nothing"), "NoPeer not-found");
        // The peer decides about subresources and methods.
        assert_eq!(way(plane, 0, &format!("{MIGRATIONS}/x/nothing")), "-> b not-found");
        assert_eq!(way(plane, 0, "/api/v1/watch"), "NotAResource bad-request");
    });
}

#[test]
fn flags_and_versions_decide_who_proxies() {
    let leases = [lease("a", 100), lease("b", 100)];
    let check = |a: Snapshot, want: &str| {
        let servers = [("a", a), ("b", server(37, &[]))];
        with_plane(&servers, Some(&leases), |plane| assert_eq!(way(plane, 0, MIGRATIONS), want));
    };
    check(server(36, &[("peer-ca-file", "")]), "NoProxy not-found");
    check(
        server(36, &[("feature-gates", "UnknownVersionInteroperabilityProxy=false")]),
        "NoProxy not-found",
    );
    check(server(35, &[]), "NoProxy not-found");
    // The defaults of gates are those of the emulated version.
    let mut emulating = server(35, &[]);
    if let Input::Loaded(version) = &mut emulating.version {
        (version.minor, version.emulation) = (Some(Minor::new(37)), version.minor);
    }
    check(emulating, "NoProxy not-found");
}

#[test]
fn several_peers_share_the_requests() {
    let off = [("runtime-config", "autoscaling/v1=false")];
    let servers = [("a", server(37, &off)), ("b", server(36, &[])), ("c", server(37, &[]))];
    let leases = [lease("a", 100), lease("b", 100), lease("c", 100)];
    with_plane(&servers, Some(&leases), |plane| {
        let scalers = "/apis/autoscaling/v1/horizontalpodautoscalers";
        assert_eq!(way(plane, 0, scalers), "-> b|c served");
        assert_eq!(way(plane, 1, scalers), "OwnResource served");
        // Neither peer has this subresource, so both answer 404.
        let bundle = "/apis/autoscaling/v1/horizontalpodautoscalers/x/nothing";
        assert_eq!(way(plane, 0, bundle), "-> b|c not-found");
        plane.set_presence(2, Presence::Absent);
        assert_eq!(way(plane, 0, scalers), "-> b served");
        // A peer without an address is ignored if another peer has one.
        plane.set_presence(2, Presence::WithoutAddress);
        assert_eq!(way(plane, 0, scalers), "-> b served");
    });
}

#[test]
fn peers_that_differ_make_the_answer_unknown() {
    let with = |list: &str| {
        let mut builder = SnapshotBuilder::default();
        builder.add_json("list.json", list).unwrap();
        let (read, _) = builder.build("x");
        let mut snapshot = server(37, &[]);
        snapshot.resource_lists.extend(read.resource_lists);
        snapshot
    };
    let list = |more: &str| {
        format!(
            r#"{{"kind":"APIResourceList","groupVersion":"batch/v1","resources":[
            {{"name":"tasks","namespaced":true,"kind":"Task","verbs":["get","list"]}}{more}]}}"#
        )
    };
    let status = r#",{"name":"tasks/status","namespaced":true,"kind":"Task","verbs":["get"]}"#;
    let servers = [("a", server(37, &[])), ("b", with(&list(""))), ("c", with(&list(status)))];
    let leases = [lease("a", 1), lease("b", 1), lease("c", 1)];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, "/apis/batch/v1/tasks"), "-> b|c served");
        let one = "/apis/batch/v1/namespaces/x/tasks/y/status";
        assert_eq!(way(plane, 0, one), "-> b|c unknown");
        let target = Target::parse(Method::Get, one).unwrap();
        assert_eq!(plane.route(0, &target).unwrap().route.hops().count(), 0);
    });
}

#[test]
fn a_killed_peer_costs_503_and_a_stopped_one_404() {
    let servers = [("a", server(36, &[])), ("b", server(37, &[]))];
    let alive = [lease("a", 100), lease("b", 95)];
    with_plane(&servers, Some(&alive), |plane| {
        plane.set_presence(1, Presence::Unreachable);
        assert_eq!(way(plane, 0, MIGRATIONS), "Unreachable([1]) peer-unreachable");
        plane.set_presence(1, Presence::Absent);
        assert_eq!(way(plane, 0, MIGRATIONS), "NoPeer not-found");
        // The server's own resources are not affected.
        assert_eq!(way(plane, 0, "/apis/apps/v1/deployments"), "OwnResource served");
    });
    // Its Lease missed a renewal: it was killed, and its address may still be known.
    let late = [lease("a", 100), lease("b", 82)];
    with_plane(&servers, Some(&late), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "Unreachable([1]) peer-unreachable");
        assert_eq!(plane.dead_leases().len(), 1);
    });
    // Its Lease is no longer renewed: it was killed, and its address has expired.
    let killed = [lease("a", 100), lease("b", 40)];
    with_plane(&servers, Some(&killed), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "WithoutAddress([1]) peer-address-unknown");
        let listed = plane.groups(0, true);
        assert!(listed.iter().any(|group| group.name == "storagemigration.k8s.io"));
    });
    let stopped = [lease("a", 100)];
    with_plane(&servers, Some(&stopped), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "NoPeer not-found");
        assert_eq!(plane.groups(0, true), plane.groups(0, false));
    });
}

/// A server may have stopped after its dump was taken, and before its Lease shows it.
#[test]
fn an_older_dump_of_a_peer_is_an_assumption() {
    let assumed = |read: i64| {
        let leases = |at| Input::Loaded(vec![lease("a", at), lease("b", at)]);
        let a = Snapshot { leases: leases(500), ..server(36, &[]) };
        let b = Snapshot { leases: leases(read), ..server(37, &[]) };
        let registries = [Registry::new(&a), Registry::new(&b)];
        let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
        let plane = ControlPlane::new(["a", "b"].into_iter().zip(&routers));
        let target = Target::parse(Method::Get, MIGRATIONS).unwrap();
        let found = plane.route(0, &target).unwrap().assumptions;
        found.contains(&Assumption::Peers(PeerGap::OlderDump))
    };
    assert!(assumed(400));
    assert!(!assumed(480));
}

/// A server asks all its peers again when the Lease of any server changes, and forgets those that
/// do not answer. Its merged document shows that.
#[test]
fn a_killed_peer_is_forgotten_when_another_lease_changes() {
    let assumed = |plane: &ControlPlane<'_, '_>, path: &str| {
        let target = Target::parse(Method::Get, path).unwrap();
        plane.route(0, &target).unwrap().assumptions.len()
    };
    let leases = [lease("a", 100), lease("b", 100), lease("c", 40)];
    let twin = server(36, &[]);
    let known = [("a", server(36, &[])), ("b", twin.clone()), ("c", server(37, &[]))];
    let (own, merged) = with_plane(&known, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "WithoutAddress([2]) peer-address-unknown");
        // Without the merged document, the cache may have been rebuilt.
        assert_eq!(assumed(plane, MIGRATIONS), 1);
        (plane.groups(0, false), plane.groups(0, true))
    });
    let listing = |groups: &[AggregatedGroup]| Snapshot {
        own_groups: Input::Loaded(own.clone()),
        aggregated_groups: Input::Loaded(groups.to_vec()),
        ..server(36, &[])
    };
    let still = [("a", listing(&merged)), ("b", twin.clone()), ("c", server(37, &[]))];
    with_plane(&still, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "WithoutAddress([2]) peer-address-unknown");
        assert_eq!(assumed(plane, MIGRATIONS), 0);
    });
    let forgotten = [("a", listing(&own)), ("b", twin.clone()), ("c", server(37, &[]))];
    with_plane(&forgotten, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "NoPeer not-found");
    });
    // The killed server has no dump. Doctor reports what is listed and served by none.
    let lost = [("a", listing(&merged)), ("b", twin.clone())];
    with_plane(&lost, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "WithoutAddress([]) peer-address-unknown");
        let stale = plane.review().into_iter().find_map(|issue| match issue {
            PlaneIssue::StaleListing { server, resources } => Some((server, resources)),
            _ => None,
        });
        let (server, resources) = stale.unwrap();
        assert_eq!(server, "a");
        assert!(resources.contains(&"storageversionmigrations.v1.storagemigration.k8s.io".into()));
    });
    // Without any other peer, the server does not compute its document again.
    with_plane(&[("a", listing(&merged))], Some(&leases[..1]), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "NoPeer not-found");
        assert_eq!(assumed(plane, MIGRATIONS), 1);
    });
}

#[test]
fn a_peer_that_was_just_killed_still_gets_requests() {
    let servers = [("a", server(36, &[])), ("b", server(37, &[])), ("c", server(37, &[]))];
    let leases = [lease("a", 100), lease("b", 100), lease("c", 100)];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "-> b|c served");
        plane.set_presence(2, Presence::Unreachable);
        assert_eq!(way(plane, 0, MIGRATIONS), "-> b|c unknown");
    });
    // A server without a dump may get the request, too.
    with_plane(&servers[..2], Some(&leases), |plane| {
        let target = Target::parse(Method::Get, MIGRATIONS).unwrap();
        let found = plane.route(0, &target).unwrap();
        assert_eq!(found.assumptions.last(), Some(&Assumption::Peers(PeerGap::Unseen)));
    });
}

#[test]
fn custom_group_versions_never_go_to_a_peer() {
    let mut builder = SnapshotBuilder::default();
    let crd = r#"{"kind":"CustomResourceDefinition","apiVersion":"apiextensions.k8s.io/v1",
        "metadata":{"name":"things.storagemigration.k8s.io"},
        "spec":{"group":"storagemigration.k8s.io","scope":"Cluster","names":{"plural":"things","kind":"Thing"},
        "versions":[{"name":"v1","served":false,"storage":true}]}}"#;
    builder.add_json("crd.json", crd).unwrap();
    let (read, _) = builder.build("x");
    let old = Snapshot { crds: read.crds, crds_complete: true, ..server(36, &[]) };
    let servers = [("a", old), ("b", server(37, &[]))];
    let leases = [lease("a", 1), lease("b", 1)];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(way(plane, 0, MIGRATIONS), "Excluded not-found");
    });
}

#[test]
fn what_is_not_known_about_peers_is_assumed_and_named() {
    let unknown = |minor| Snapshot { own_flags: None, ..server(minor, &[]) };
    let servers = [("a", unknown(36)), ("b", unknown(37))];
    with_plane(&servers, None, |plane| {
        let target = Target::parse(Method::Get, MIGRATIONS).unwrap();
        let found = plane.route(0, &target).unwrap();
        assert_eq!(found.handled_by(), [1]);
        let assumed: Vec<String> = found.assumptions.iter().map(ToString::to_string).collect();
        assert_eq!(
            assumed,
            [
                "cannot tell whether the server has --peer-ca-file; assuming that it proxies to its peers",
                "identity Leases are not in the source; assuming that every server is a reachable peer",
                "the server reads a peer only when its Lease changes; its cache may differ from what the peer serves now",
            ]
        );
    });
    // The Lease of a server that is not in the source. That server may have what is a 404 here.
    let servers = [("a", server(36, &[]))];
    with_plane(&servers, Some(&[lease("a", 1), lease("b", 1)]), |plane| {
        let target = Target::parse(Method::Get, MIGRATIONS).unwrap();
        let found = plane.route(0, &target).unwrap();
        assert_eq!(found.route.outcome, Outcome::NotFound);
        assert_eq!(found.assumptions.len(), 1);
    });
}

#[test]
fn dumps_of_one_server_or_of_other_clusters_are_found() {
    let with = |leases: &[IdentityLease]| Snapshot {
        leases: Input::Loaded(leases.to_vec()),
        ..server(37, &[])
    };
    let at = |host: &str, leases: &[IdentityLease]| {
        let mut snapshot = with(leases);
        let flags = snapshot
            .own_flags
            .get_or_insert_with(|| ServerFlags { from: String::new(), values: Default::default() });
        flags.values.insert("advertise-address".to_owned(), host.to_owned());
        flags.values.insert("secure-port".to_owned(), "6443".to_owned());
        snapshot
    };
    let both = [lease("a", 1), lease("b", 1)];
    let (first, second) = (at("a", &both), at("a", &both));
    let problems = ControlPlane::problems(&[("one", &first), ("two", &second)]);
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["one and two are dumps of the same server, apiserver-a"]);
    let other = with(&[lease("x", 1)]);
    let problems = ControlPlane::problems(&[("one", &first), ("two", &other)]);
    assert_eq!(problems[0].to_string(), "two is a dump of another cluster than one");
    assert_eq!(problems[0].culprit(), "two");
    let second = at("b", &both);
    assert_eq!(ControlPlane::problems(&[("one", &first), ("two", &second)]), []);
}

#[test]
fn a_rolling_upgrade_registers_with_the_first_server_and_a_rollback_deletes() {
    let three = |minor: u32| -> Vec<(String, Snapshot)> {
        ["a", "b", "c"].map(|name| (name.to_owned(), server(minor, &[]))).to_vec()
    };
    let up = rolling(&three(36), Minor::new(37));
    let brief = |step: &RollingStep| {
        format!("{} -{:?} +{:?} {}", step.server, step.deletes, step.creates, step.differing.len())
    };
    let steps: Vec<String> = up.steps.iter().map(brief).collect();
    assert_eq!(steps, [r#"a -[] +["v1.storagemigration.k8s.io"] 4"#, "b -[] +[] 4", "c -[] +[] 0"]);
    let migrations = up.steps[0].differing.iter();
    let migrations: Vec<_> =
        migrations.filter(|one| one.resource.contains("storagemigration")).collect();
    assert_eq!(migrations[0].served_by, ["a"]);
    assert_eq!(migrations[0].proxied_by, ["b", "c"]);
    assert!(migrations[0].missing_at.is_empty() && up.assumptions.is_empty());
    // The server that starts last decides what is registered.
    let down = rolling(&three(37), Minor::new(36));
    assert_eq!(down.steps[0].deletes, ["v1.storagemigration.k8s.io"]);
    assert_eq!(down.steps[0].creates, [""; 0]);
}

#[test]
fn servers_without_a_peer_proxy_answer_404_meanwhile() {
    let two = ["a", "b"].map(|name| (name.to_owned(), server(35, &[])));
    let steps = rolling(&two, Minor::new(36)).steps;
    let [first, last] = steps.as_slice() else { panic!("{steps:?}") };
    for one in &first.differing {
        assert!(one.proxied_by.is_empty() || one.proxied_by == ["a"], "{one:?}");
        assert_eq!(one.served_by.len() + one.proxied_by.len() + one.missing_at.len(), 2);
    }
    assert_eq!(last.differing, []);
}

/// A peer that could never be reached is in no document and gets no request.
#[test]
fn a_peer_that_was_never_reached_is_not_merged() {
    let leases = [lease("a", 1), lease("b", 1)];
    let mut alone = server(36, &[]);
    let own = with_plane(&[("a", alone.clone())], Some(&leases), |plane| plane.groups(0, false));
    (alone.own_groups, alone.aggregated_groups) =
        (Input::Loaded(own.clone()), Input::Loaded(own.clone()));
    let servers = [("a", alone), ("b", server(37, &[]))];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(plane.groups(0, true), own);
        assert_eq!(way(plane, 0, MIGRATIONS), "NoPeer not-found");
        let target = Target::parse(Method::Get, MIGRATIONS).unwrap();
        assert_eq!(plane.route(0, &target).unwrap().assumptions.len(), 1);
    });
}

/// A server that started later deletes the APIServices of group versions that it does not have.
/// The server that has them switched on still serves them, and gets them from its peers.
#[test]
fn what_is_switched_on_stays_served_without_its_apiservice() {
    use crate::model::{AggregatedResource, AggregatedVersion, Freshness};
    let path = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
    let mut on = server(36, &[("runtime-config", "api/all=true")]);
    let mut groups = with_plane(&[("b", on.clone())], None, |plane| plane.groups(0, false));
    let resource = AggregatedResource {
        resource: "storageversions".into(),
        verbs: vec![crate::model::verb("get"), crate::model::verb("list")],
        ..AggregatedResource::default()
    };
    let (resources, freshness) = (vec![resource], Freshness::Current);
    let version = AggregatedVersion { version: "v1alpha1".into(), resources, freshness };
    let at = groups.iter().position(|group| group.name == "resource.k8s.io").unwrap();
    let group =
        AggregatedGroup { name: "internal.apiserver.k8s.io".into(), versions: vec![version] };
    groups.insert(at, group);
    on.own_groups = Input::Loaded(groups.clone());
    let Input::Loaded(paths) = &mut on.root_paths else { panic!("the baseline has paths") };
    paths.insert("/apis/internal.apiserver.k8s.io/v1alpha1".into());
    let servers = [("a", server(36, &[])), ("b", on)];
    let leases = [lease("a", 100), lease("b", 100)];
    with_plane(&servers, Some(&leases), |plane| {
        assert_eq!(way(plane, 1, path), "OwnResource served");
        assert_eq!(way(plane, 0, path), "-> b served");
        assert_eq!(plane.groups(1, false), groups);
    });
}
