//! Tests of the availability check on small snapshots.

use super::*;
use crate::model::{
    CompleteLists, Endpoint, EndpointPort, Gap, Lack, ServerVersion, Service, ServicePort,
    ServiceType, SnapshotPart,
};

/// A cluster in which every check passes, unless a test changes a field.
#[derive(Clone)]
struct World {
    minor: u32,
    kind: ServiceType,
    cluster_ip: &'static str,
    port: i32,
    /// One per endpoint: whether it is ready, and the name of its port.
    endpoints: Vec<(bool, &'static str)>,
    listed: bool,
    service: &'static str,
}

impl World {
    fn new() -> Self {
        Self {
            minor: 36,
            kind: ServiceType::ClusterIp,
            cluster_ip: "10.0.0.7",
            port: 443,
            endpoints: vec![(true, "https")],
            listed: true,
            service: "web",
        }
    }

    fn snapshot(&self) -> Snapshot {
        let slice = |(number, (ready, port)): (usize, &(bool, &str))| EndpointSlice {
            namespace: "shop".into(),
            name: format!("web-{number}"),
            service: Some("web".into()),
            ports: vec![EndpointPort { name: (*port).to_owned(), port: Some(8443) }],
            endpoints: vec![Endpoint { ready: *ready, ..Endpoint::default() }],
        };
        let service = Service {
            namespace: "shop".into(),
            name: self.service.into(),
            kind: self.kind.clone(),
            cluster_ip: Some(self.cluster_ip.into()),
            ports: vec![ServicePort {
                name: "https".into(),
                port: self.port,
                ..ServicePort::default()
            }],
            ..Service::default()
        };
        let slices: Vec<_> = self.endpoints.iter().enumerate().map(slice).collect();
        let (endpoints, endpoint_slices) =
            if self.minor <= 33 { (slices, vec![]) } else { (vec![], slices) };
        let minor = Some(Minor::new(self.minor));
        let elsewhere = Service { namespace: "default".into(), ..service.clone() };
        Snapshot {
            version: Input::Loaded(ServerVersion {
                minor,
                git_version: String::new(),
                emulation: None,
            }),
            services: Input::Loaded(vec![elsewhere, service]),
            endpoint_slices: Input::Loaded(endpoint_slices),
            endpoints: Input::Loaded(endpoints),
            listed: CompleteLists {
                services: self.listed,
                endpoint_slices: self.listed,
                endpoints: self.listed,
                ..CompleteLists::default()
            },
            ..Snapshot::default()
        }
    }
}

fn reference() -> ServiceReference {
    ServiceReference { namespace: "shop".into(), name: "web".into(), port: 443 }
}

/// Expects the check to end with `want`: reason and message, `asks`, or the step that lacks data.
fn check(change: impl FnOnce(&mut World), want: &str, flaws: &[Flaw]) {
    let mut world = World::new();
    change(&mut world);
    let snapshot = world.snapshot();
    let check = Controller::new(&snapshot).check(&reference());
    let got = match check.outcome() {
        CheckOutcome::Asks => "asks".to_owned(),
        CheckOutcome::Unseen(step, why) => format!("unseen {}: {why}", step.as_str()),
        CheckOutcome::Fails(failure) => {
            let condition = check.condition(&failure);
            assert_eq!(condition.status, "False");
            format!("{}: {}", condition.reason, condition.message)
        }
    };
    assert_eq!(got, want);
    assert_eq!(check.flaws(), flaws, "{want}");
}

#[test]
fn the_first_failure_is_what_the_condition_says() {
    check(|_| {}, "asks", &[]);
    check(
        |w| w.service = "other",
        "ServiceNotFound: service/web in \"shop\" is not present",
        &[Flaw::NotFound],
    );
    check(
        |w| (w.port, w.endpoints) = (80, vec![]),
        "ServicePortError: service/web in \"shop\" is not listening on port 443",
        &[Flaw::PortNotFound],
    );
    check(
        |w| w.endpoints = vec![(false, "https"), (true, "http")],
        "MissingEndpoints: endpointslices for service/web in \"shop\" have no addresses with port name \"https\"",
        &[Flaw::NotReady],
    );
    check(
        |w| w.endpoints = vec![(true, "http")],
        "MissingEndpoints: endpointslices for service/web in \"shop\" have no addresses with port name \"https\"",
        &[Flaw::PortNameMismatch],
    );
    check(
        |w| (w.minor, w.endpoints) = (33, vec![(true, "")]),
        "MissingEndpoints: endpoints for service/web in \"shop\" have no addresses with port name \"https\"",
        &[Flaw::PortNameMismatch],
    );
    check(|w| w.minor = 33, "asks", &[]);
}

#[test]
fn other_types_are_dialled_unseen() {
    check(|w| (w.kind, w.endpoints) = (ServiceType::NodePort, vec![]), "asks", &[]);
    check(
        |w| (w.kind, w.port) = (ServiceType::LoadBalancer, 80),
        "FailedDiscoveryCheck: no service port 443 found for service \"web\"",
        &[Flaw::PortNotFound],
    );
    check(|w| (w.kind, w.port) = (ServiceType::ExternalName, 80), "asks", &[Flaw::ExternalName]);
    // Endpoint routing can dial it, and no object says whether that is enabled.
    check(|w| w.cluster_ip = "None", "asks", &[Flaw::Headless]);
}

#[test]
fn what_the_source_lacks_is_no_failure() {
    check(
        |w| (w.listed, w.service) = (false, "other"),
        "unseen service: Services are incomplete in the source",
        &[Flaw::NotSeen],
    );
    check(
        |w| (w.listed, w.endpoints) = (false, vec![]),
        "unseen endpoints: EndpointSlices are incomplete in the source",
        &[],
    );
    check(
        |w| (w.listed, w.endpoints) = (false, vec![(false, "https")]),
        "unseen ready: EndpointSlices are incomplete in the source",
        &[Flaw::NotReady],
    );
    // A list of one namespace is not evidence about another.
    let mut snapshot = World::new().snapshot();
    let Input::Loaded(services) = &mut snapshot.services else { panic!() };
    services.retain(|service| service.namespace == "shop");
    let elsewhere = ServiceReference { namespace: "bakery".into(), ..reference() };
    let check = Controller::new(&snapshot).check(&elsewhere);
    assert_eq!(
        check.service,
        ServiceLookup::Unseen(Gap { part: SnapshotPart::Services, lack: Lack::Incomplete })
    );
}

#[test]
fn a_missing_service_is_looked_for_elsewhere() {
    let snapshot = World::new().snapshot();
    let gone = ServiceReference { namespace: "bakery".into(), ..reference() };
    let check = Controller::new(&snapshot).check(&gone);
    let namespace = NamespaceState::Unseen;
    assert_eq!(check.service, ServiceLookup::Missing { elsewhere: Some("default"), namespace });
}
