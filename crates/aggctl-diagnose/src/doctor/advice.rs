//! What to do next, with commands to copy. Nothing here is ever run.

use std::borrow::Cow;

use super::asked::DiscoveryResponse;
use super::{CheckState, Diagnosis, Verdict};
use crate::knowledge::cause_of;
use kube_aggregation::availability::{AvailabilityCheck, AvailabilityStep, EndpointKind};
use kube_aggregation::model::{ApiService, Crd, Service, ServiceReference, ServiceType};
use kube_aggregation::registry::{Code, Registry};

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What to do, as a sentence.
    pub what: String,
    /// Commands that help with it.
    pub commands: Vec<String>,
}

fn advice_of(what: impl Into<String>, commands: Vec<String>) -> Advice {
    Advice { what: what.into(), commands }
}

/// A word that a shell takes as it is, quoted where it must be: names come from outside.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&b);
    if !word.is_empty() && !word.starts_with('-') && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// What to do about one APIService.
pub(super) fn advice(registry: &Registry<'_>, diagnosis: &Diagnosis<'_>) -> Vec<Advice> {
    let service = diagnosis.service;
    let name = quoted(&service.name);
    let Some(check) = &diagnosis.check else {
        return local(registry, diagnosis, &name);
    };
    let mut found = vec![];
    match diagnosis.broken_link().map(|link| link.step) {
        Some(step) => {
            found.extend(remote(registry, service, check, step));
            // Who has connected already need not be told to.
            let routed = !matches!(
                DiscoveryResponse::of(registry, service),
                DiscoveryResponse::NotRouted(_)
            );
            if diagnosis.probe.is_none()
                && step >= AvailabilityStep::Address
                && step != AvailabilityStep::Fresh
                && routed
            {
                found.push(advice_of(
                    "From inside the cluster's network, see what is really served there.",
                    vec![format!("aggctl doctor {name} --direct")],
                ));
            }
        }
        None if diagnosis.verdict == Verdict::Broken => found.push(advice_of(
            "Look again: the server checks every 30 s.",
            vec![format!("kubectl get apiservice {name} -o yaml")],
        )),
        None => {}
    }
    if diagnosis.has(Code::ShadowsCrd) {
        found.push(advice_of(
            "See what would answer without it; if the CRDs are meant to, delete the registration.",
            vec![format!("kubectl delete apiservice {name}")],
        ));
    }
    let odd = |step| diagnosis.links.iter().find(|l| l.step == step && l.state == CheckState::Odd);
    if let Some(link) = odd(AvailabilityStep::Tls) {
        found.push(advice_of(format!("Renew the CA in time: {}.", link.what), vec![]));
    }
    if odd(AvailabilityStep::Bindings).is_some() {
        let account = format!("--serviceaccount={}:ACCOUNT", quoted(&check.reference.namespace));
        found.push(advice_of(
            "Bind the roles that every extension server needs to the account of its Pods.",
            vec![
                format!("kubectl create clusterrolebinding NAME --clusterrole=system:auth-delegator {account}"),
                format!("kubectl -n kube-system create rolebinding NAME --role=extension-apiserver-authentication-reader {account}"),
            ],
        ));
    }
    found
}

fn local(registry: &Registry<'_>, diagnosis: &Diagnosis<'_>, name: &str) -> Vec<Advice> {
    if !diagnosis.has(Code::Ghost) {
        return vec![];
    }
    let crds = registry.waiting_crds(diagnosis.service);
    if !crds.is_empty() {
        return crds.into_iter().map(waiting).collect();
    }
    vec![advice_of(
        "If nothing is to serve it any more, delete the registration; otherwise install its CRDs.",
        vec![format!("kubectl delete apiservice {name}")],
    )]
}

/// Deleting the registration is of no use while its CRD is there.
fn waiting(crd: &Crd) -> Advice {
    let what = match &crd.refusal {
        Some(_) => format!("Give CRD {} another name, or delete the one that has it.", crd.name),
        None if crd.terminating => {
            format!("See what keeps CRD {} from being deleted.", crd.name)
        }
        None => format!("See why CRD {} is not established.", crd.name),
    };
    advice_of(what, vec![format!("kubectl describe crd {}", quoted(&crd.name))])
}

fn remote(
    registry: &Registry<'_>,
    service: &ApiService,
    check: &AvailabilityCheck<'_>,
    step: AvailabilityStep,
) -> Vec<Advice> {
    let reference = &check.reference;
    let (namespace, target, name) =
        (quoted(&reference.namespace), quoted(&reference.name), quoted(&service.name));
    let found = check.service.found();
    let message = service.available.as_ref().map(|c| c.message.as_str()).unwrap_or_default();
    let asked = DiscoveryResponse::of(registry, service);
    let cause = cause_of(message).or_else(|| asked.cause()).filter(|cause| cause.step == step);
    let service_itself = format!("kubectl -n {namespace} get service {target} -o yaml");
    let document = || {
        let raw = format!("kubectl get --raw {}", quoted(&service.group_version.root_path()));
        [vec![raw], logs(reference, found)].concat()
    };
    match step {
        AvailabilityStep::Service => vec![
            advice_of(
                "If its component is to run, bring the Service back, or point the APIService at the right one.",
                vec![format!("kubectl -n {namespace} get services")],
            ),
            advice_of(
                "If the component was removed for good, delete the registration; nothing else is deleted with it.",
                vec![format!("kubectl delete apiservice {name}")],
            ),
        ],
        AvailabilityStep::Port => {
            let mut commands = vec![service_itself];
            let ports = found.map(|s| s.ports.as_slice()).unwrap_or_default();
            let what = match ports {
                [only] => {
                    commands.push(format!(
                        "kubectl patch apiservice {name} --type=json -p '[{{\"op\":\"add\",\"path\":\"/spec/service/port\",\"value\":{}}}]'",
                        only.port
                    ));
                    format!("Make the two agree: the Service's only port is {}.", only.port)
                }
                _ => "Make spec.service.port of the APIService and the Service's ports agree."
                    .to_owned(),
            };
            vec![advice_of(what, commands)]
        }
        AvailabilityStep::Ready
            if check.port.is_some_and(|p| check.endpoints.misnamed(&p.name)) =>
        {
            vec![advice_of(
                "Give the Service's port the name that its EndpointSlices have, or the other way round.",
                vec![service_itself, endpoints(reference, EndpointKind::EndpointSlices)],
            )]
        }
        AvailabilityStep::Endpoints | AvailabilityStep::Ready => {
            vec![pods(reference, found, check.endpoints.kind)]
        }
        AvailabilityStep::Discovery if asked.is_strange() => vec![advice_of(
            "See what answers there: it is no API server, or a broken one.",
            document(),
        )],
        AvailabilityStep::Discovery if matches!(asked, DiscoveryResponse::NotRouted(_)) => {
            let what = cause.map_or("", |cause| cause.advice);
            vec![advice_of(what, vec!["kubectl get --raw /openapi/v3".to_owned()])]
        }
        AvailabilityStep::Tls if cause.is_none() => vec![advice_of(
            "Make spec.caBundle and the certificate that is served fit: the CA that signed it, the name, the dates.",
            vec![format!(
                "kubectl get apiservice {name} -o jsonpath='{{.spec.caBundle}}' | base64 -d"
            )],
        )],
        AvailabilityStep::Address | AvailabilityStep::Tls | AvailabilityStep::Discovery => {
            let what = "Look at what the extension API server says.";
            vec![advice_of(cause.map_or(what, |cause| cause.advice), logs(reference, found))]
        }
        AvailabilityStep::FrontProxy => vec![advice_of(
            "Set --requestheader-client-ca-file and --requestheader-*-headers of kube-apiserver, or renew the front-proxy CA and its client certificate; then restart the extension servers, which keep what they read.",
            vec![
                "kubectl -n kube-system get configmap extension-apiserver-authentication -o yaml"
                    .to_owned(),
            ],
        )],
        // It is never the first that is broken.
        AvailabilityStep::Bindings => vec![],
        AvailabilityStep::Fresh => vec![advice_of(
            "Compare what the extension API server answers to the two discovery requests of the aggregator.",
            document(),
        )],
    }
}

fn selector(service: Option<&Service>) -> Option<String> {
    let selector = &service?.selector;
    let pairs: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (!pairs.is_empty()).then(|| quoted(&pairs.join(",")).into_owned())
}

fn pods(reference: &ServiceReference, service: Option<&Service>, kind: EndpointKind) -> Advice {
    let (namespace, name) = (quoted(&reference.namespace), quoted(&reference.name));
    match (selector(service), service) {
        (Some(selector), _) => advice_of(
            "See why no Pod behind the Service is ready.",
            vec![
                format!("kubectl -n {namespace} get pods -l {selector} -o wide"),
                format!("kubectl -n {namespace} describe pods -l {selector}"),
            ],
        ),
        (None, Some(_)) => advice_of(
            format!(
                "The Service has no selector, so its {kind} are written by hand or by a controller: find out by which."
            ),
            vec![endpoints(reference, kind)],
        ),
        (None, None) => advice_of(
            "See what is behind the Service.",
            vec![format!("kubectl -n {namespace} describe service {name}")],
        ),
    }
}

/// What lists the addresses behind a Service.
fn endpoints(reference: &ServiceReference, kind: EndpointKind) -> String {
    let (namespace, name) = (quoted(&reference.namespace), quoted(&reference.name));
    let what = match kind {
        EndpointKind::Endpoints => format!("endpoints {name}"),
        EndpointKind::EndpointSlices => {
            format!("endpointslices -l kubernetes.io/service-name={name}")
        }
    };
    format!("kubectl -n {namespace} get {what} -o yaml")
}

/// The logs behind a Service; those of an ExternalName are somewhere else.
fn logs(reference: &ServiceReference, service: Option<&Service>) -> Vec<String> {
    let namespace = quoted(&reference.namespace);
    match (selector(service), service.map(|s| &s.kind)) {
        (Some(selector), _) => vec![format!("kubectl -n {namespace} logs -l {selector} --tail=50")],
        (None, Some(ServiceType::ExternalName)) => vec![],
        (None, _) => {
            vec![format!("kubectl -n {namespace} describe service {}", quoted(&reference.name))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_shell_takes_words_as_they_are() {
        for (word, want) in [
            ("v1.apps", "v1.apps"),
            ("app=web,tier=a", "app=web,tier=a"),
            ("", "''"),
            ("-rf", "'-rf'"),
            ("a b", "'a b'"),
            ("$(reboot)", "'$(reboot)'"),
            ("it's", r"'it'\''s'"),
            ("a;b", "'a;b'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
