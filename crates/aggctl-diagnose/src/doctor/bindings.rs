//! Whether an extension server may ask the API server back: what a user may, and whom to believe.

use std::collections::BTreeSet;

use super::link::{CheckState, DoctorCheck};
use crate::access::{AccessDecision, Authorizer, Grant, Power, User, is_account_of, rbac_decides};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::model::{Lack, Pod, Service, Snapshot};

/// What extension servers must be able to do, and which accounts can.
#[derive(Debug)]
pub(super) struct Bindings<'s> {
    snapshot: &'s Snapshot,
    authorizer: Authorizer<'s>,
    /// Everybody who can, by what.
    can: Vec<(Power, Vec<Grant<'s>>)>,
}

impl<'s> Bindings<'s> {
    /// Of the roles and bindings of a snapshot.
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let authorizer = Authorizer::new(&snapshot.rbac);
        let needed = Power::ALL.into_iter().filter(|power| power.is_of_server());
        let who = |power: Power| {
            let request = power.own_request();
            (power, request.iter().flat_map(|request| authorizer.who(request)).collect())
        };
        let can = needed.map(who).collect();
        Self { snapshot, authorizer, can }
    }

    /// What the server behind a Service may, where somebody looked for roles and bindings. What
    /// runs outside of the cluster has no account in it.
    pub(super) fn link(&self, service: &Service) -> Option<DoctorCheck> {
        let rbac = &self.snapshot.rbac;
        if service.selector.is_empty() || !rbac_decides(self.snapshot) {
            return None;
        }
        let step = AvailabilityStep::Bindings;
        if !rbac.is_loaded() {
            let gap = rbac.gaps().find(|gap| matches!(gap.lack, Lack::Unread(_)))?;
            return Some(DoctorCheck::new(step, CheckState::Unknown, gap.to_string()));
        }
        let accounts = self.accounts(service);
        if accounts.is_empty() {
            return Some(self.by_namespace(&service.namespace));
        }
        let (mut lacks, mut untold, mut evidence) = (vec![], vec![], vec![]);
        for account in &accounts {
            let name = format!("system:serviceaccount:{}:{account}", service.namespace);
            let user = User::new(name, &[]);
            for (power, _) in &self.can {
                let Some(request) = power.own_request() else { continue };
                let phrase =
                    format!("service account {}/{account} cannot {power}", service.namespace);
                match self.authorizer.decide(&user, &request) {
                    AccessDecision::Denied(_) => lacks.push(phrase),
                    AccessDecision::Unknown(_) => untold.push(*power),
                    AccessDecision::Allowed(grant) => evidence.push(format!("{power}: {grant}")),
                    AccessDecision::Masters | AccessDecision::AlwaysAllowed => {}
                }
            }
        }
        let names = accounts.into_iter().collect::<Vec<_>>().join(", ");
        let runs = format!("its Pods run as {names}");
        Some(match (lacks.as_slice(), untold.as_slice()) {
            ([], []) => {
                let what = format!("{runs}, which may ask the API server back");
                DoctorCheck::new(step, CheckState::Ok, what).with(evidence)
            }
            ([], [power, ..]) => {
                let what = format!("{runs}; whether that may {power} is not known");
                DoctorCheck::new(step, CheckState::Unknown, what)
            }
            ([first, ..], _) => {
                let what = format!("{first}, as extension servers must");
                DoctorCheck::new(step, CheckState::Odd, what)
                    .with([runs])
                    .with(lacks.iter().skip(1).cloned())
            }
        })
    }

    /// The accounts of the Pods that a Service selects.
    fn accounts(&self, service: &Service) -> BTreeSet<&'s str> {
        let behind = |pod: &&Pod| {
            pod.namespace == service.namespace
                && service.selector.iter().all(|(key, value)| pod.labels.get(key) == Some(value))
        };
        let pods = self.snapshot.pods.items().iter().filter(behind);
        pods.map(|pod| pod.service_account.as_str()).collect()
    }

    /// Without the Pods: whether any account of the namespace can.
    fn by_namespace(&self, namespace: &str) -> DoctorCheck {
        let step = AvailabilityStep::Bindings;
        let mut evidence = vec![];
        for (power, grants) in &self.can {
            let of = |grant: &&Grant<'_>| {
                is_account_of(grant.subject, &grant.binding.namespace, namespace)
            };
            match grants.iter().find(of) {
                Some(grant) => evidence.push(format!("{power}: {grant}")),
                None if self.snapshot.rbac.gaps().next().is_some() => {
                    let what = "the source does not have all roles and bindings";
                    return DoctorCheck::new(step, CheckState::Unknown, what);
                }
                None => {
                    let what = format!(
                        "no service account of namespace {namespace} can {power}, as extension servers must"
                    );
                    return DoctorCheck::new(step, CheckState::Odd, what);
                }
            }
        }
        let what = "which account its Pods run as is not in the source; one of the namespace may";
        DoctorCheck::new(step, CheckState::Unknown, what).with(evidence)
    }
}
