//! Recommends actions for an APIService, with the commands that help.

use super::check::CheckState;
use super::command::{get_endpoints, logs, quoted, selector};
use super::diagnosis::{Action, Advice, Diagnosis, DoctorVerdict, SuggestedCommand};
use super::discovery::DiscoveryResponse;
use crate::knowledge::{FailureCause, cause_of};
use crate::probe::Probe;
use kube_aggregation::availability::{AvailabilityCheck, AvailabilityStep, EndpointKind};
use kube_aggregation::model::{ApiService, Crd, Service, ServiceReference, ServiceType};
use kube_aggregation::registry::{Code, Registry};

fn advise(action: Action<'_>, kubectl: impl IntoIterator<Item = String>) -> Advice<'_> {
    Advice { action, commands: kubectl.into_iter().map(SuggestedCommand::Kubectl).collect() }
}

/// Returns the recommended actions for one APIService.
pub(super) fn advice<'r>(
    registry: &'r Registry<'_>,
    diagnosis: &Diagnosis<'r>,
    response: DiscoveryResponse<'_>,
) -> Vec<Advice<'r>> {
    let service = diagnosis.service;
    let name = quoted(&service.name);
    let Some(availability) = &diagnosis.availability else {
        return local(registry, diagnosis);
    };
    let mut found = vec![];
    match diagnosis.broken_check().map(|check| check.step) {
        Some(step) => {
            if diagnosis.probe.is_some_and(Probe::hangs) && step >= AvailabilityStep::Tls {
                let found_service = availability.service.found();
                let commands = logs(&availability.reference, found_service);
                found.push(advise(Action::FindHang, commands));
            } else {
                found.extend(remote(service, availability, step, response));
            }
            let is_of_connection =
                step >= AvailabilityStep::Address && step != AvailabilityStep::Fresh;
            let is_routed = !matches!(response, DiscoveryResponse::NotRouted(_));
            if diagnosis.probe.is_none() && is_of_connection && is_routed {
                let command = SuggestedCommand::DiagnoseDirectly(service.name.clone());
                found.push(Advice { action: Action::ConnectDirectly, commands: vec![command] });
            }
        }
        None if diagnosis.verdict == DoctorVerdict::Broken => {
            let command = format!("kubectl get apiservice {name} -o yaml");
            found.push(advise(Action::LookAgain, [command]));
        }
        None => {}
    }
    if diagnosis.has(Code::ShadowsCrd) {
        let command = format!("kubectl delete apiservice {name}");
        found.push(advise(Action::CompareWithCrds, [command]));
    }
    let odd = |step| {
        let mut checks = diagnosis.checks.iter();
        checks.find(|check| check.step == step && check.state == CheckState::Odd)
    };
    if let Some(check) = odd(AvailabilityStep::Tls) {
        found.push(advise(Action::RenewCa(check.fact.clone()), []));
    }
    if odd(AvailabilityStep::Bindings).is_some() {
        let namespace = quoted(&availability.reference.namespace);
        let account = format!("--serviceaccount={namespace}:ACCOUNT");
        let commands = [
            format!(
                "kubectl create clusterrolebinding NAME --clusterrole=system:auth-delegator {account}"
            ),
            format!(
                "kubectl -n kube-system create rolebinding NAME --role=extension-apiserver-authentication-reader {account}"
            ),
        ];
        found.push(advise(Action::BindRoles, commands));
    }
    // Suggest each command once, with the first action that it is for.
    let mut seen: Vec<SuggestedCommand> = vec![];
    for one in &mut found {
        one.commands.retain(|command| !seen.contains(command));
        seen.extend(one.commands.iter().cloned());
    }
    found
}

fn local<'r>(registry: &'r Registry<'_>, diagnosis: &Diagnosis<'r>) -> Vec<Advice<'r>> {
    if !diagnosis.has(Code::Ghost) {
        return vec![];
    }
    let crds = registry.waiting_crds(diagnosis.service);
    if !crds.is_empty() {
        return crds.into_iter().map(wait_for_crd).collect();
    }
    let command = format!("kubectl delete apiservice {}", quoted(&diagnosis.service.name));
    vec![advise(Action::DeleteOrInstallCrds, [command])]
}

/// Advises on a CRD that is not served yet. Deleting the APIService would not help: while the CRD
/// exists, the API server restores it.
fn wait_for_crd(crd: &Crd) -> Advice<'_> {
    let action = match &crd.refusal {
        Some(_) => Action::RenameCrd(&crd.name),
        None if crd.terminating => Action::FinishCrdDeletion(&crd.name),
        None => Action::EstablishCrd(&crd.name),
    };
    advise(action, [format!("kubectl describe crd {}", quoted(&crd.name))])
}

/// Returns the recommended actions for a broken check.
fn remote<'r>(
    service: &'r ApiService,
    availability: &AvailabilityCheck<'r>,
    step: AvailabilityStep,
    response: DiscoveryResponse<'_>,
) -> Vec<Advice<'r>> {
    let reference = &availability.reference;
    let (namespace, target, name) =
        (quoted(&reference.namespace), quoted(&reference.name), quoted(&service.name));
    let found = availability.service.found();
    let message = service.available.as_ref().map(|c| c.message.as_str()).unwrap_or_default();
    let cause = cause_of(message).or_else(|| response.cause()).filter(|cause| cause.step == step);
    let get_service = format!("kubectl -n {namespace} get service {target} -o yaml");
    let get_document = || {
        let raw = format!("kubectl get --raw {}", quoted(&service.group_version.root_path()));
        [raw].into_iter().chain(logs(reference, found))
    };
    let is_not_routed = matches!(response, DiscoveryResponse::NotRouted(_));
    let one = match step {
        AvailabilityStep::Service => {
            let list = format!("kubectl -n {namespace} get services");
            let delete = format!("kubectl delete apiservice {name}");
            return vec![
                advise(Action::RestoreService, [list]),
                advise(Action::DeleteIfRemovedForGood, [delete]),
            ];
        }
        AvailabilityStep::Port => match found.map(|s| s.ports.as_slice()).unwrap_or_default() {
            [only] => {
                let patch = format!(
                    "kubectl patch apiservice {name} --type=json -p '[{{\"op\":\"add\",\"path\":\"/spec/service/port\",\"value\":{}}}]'",
                    only.port
                );
                advise(Action::MatchOnlyPort(only.port), [get_service, patch])
            }
            _ => advise(Action::MatchPorts, [get_service]),
        },
        AvailabilityStep::Ready
            if availability.port.is_some_and(|p| availability.endpoints.misnamed(&p.name)) =>
        {
            let slices = get_endpoints(reference, EndpointKind::EndpointSlices);
            advise(Action::MatchPortNames, [get_service, slices])
        }
        AvailabilityStep::Endpoints | AvailabilityStep::Ready => {
            let kind = availability.endpoints.kind;
            let is_manual = found.is_some() && selector(found).is_none();
            if step == AvailabilityStep::Endpoints && is_manual {
                advise(Action::CreateEndpoints(kind), [get_service])
            } else {
                pods(reference, found, kind)
            }
        }
        AvailabilityStep::Address
            if let Some(name) = refused_by_external_name(found, cause.as_ref()) =>
        {
            advise(Action::FixExternalName(name, reference.port), [get_service])
        }
        AvailabilityStep::Discovery if response.is_not_a_document() => {
            advise(Action::InspectAnswer, get_document())
        }
        AvailabilityStep::Discovery if is_not_routed => {
            let action = Action::FromEntry(cause.map_or("", |cause| cause.advice));
            advise(action, ["kubectl get --raw /openapi/v3".to_owned()])
        }
        AvailabilityStep::Tls if cause.is_none() => {
            let decode = format!(
                "kubectl get apiservice {name} -o jsonpath='{{.spec.caBundle}}' | base64 -d"
            );
            advise(Action::FixBundle, [decode])
        }
        AvailabilityStep::Address | AvailabilityStep::Tls | AvailabilityStep::Discovery => {
            let action = cause.map_or(Action::ReadLogs, |cause| Action::FromEntry(cause.advice));
            advise(action, logs(reference, found))
        }
        AvailabilityStep::FrontProxy => {
            let get =
                "kubectl -n kube-system get configmap extension-apiserver-authentication -o yaml";
            advise(Action::ConfigureFrontProxy, [get.to_owned()])
        }
        // A missing binding is odd, never broken.
        AvailabilityStep::Bindings => return vec![],
        AvailabilityStep::Fresh => {
            return vec![
                advise(Action::CompareDiscovery(&service.group_version), get_document()),
                advise(Action::FixDiscovery(&service.group_version), []),
            ];
        }
    };
    vec![one]
}

/// Returns the external name of a Service whose host refuses connections.
fn refused_by_external_name<'r>(
    service: Option<&'r Service>,
    cause: Option<&FailureCause>,
) -> Option<&'r str> {
    let service = service.filter(|service| service.kind == ServiceType::ExternalName)?;
    let name = service.external_name.as_deref()?;
    cause.is_some_and(|cause| cause.code == "connection-refused").then_some(name)
}

fn pods<'r>(
    reference: &ServiceReference,
    service: Option<&Service>,
    kind: EndpointKind,
) -> Advice<'r> {
    let (namespace, name) = (quoted(&reference.namespace), quoted(&reference.name));
    match (selector(service), service) {
        (Some(selector), _) => {
            let commands = [
                format!("kubectl -n {namespace} get pods -l {selector} -o wide"),
                format!("kubectl -n {namespace} describe pods -l {selector}"),
            ];
            advise(Action::CheckPods, commands)
        }
        (None, Some(_)) => {
            advise(Action::FindEndpointWriter(kind), [get_endpoints(reference, kind)])
        }
        (None, None) => {
            let describe = format!("kubectl -n {namespace} describe service {name}");
            advise(Action::InspectService, [describe])
        }
    }
}
