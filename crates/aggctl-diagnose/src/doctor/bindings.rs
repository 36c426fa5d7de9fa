//! Evidence from RBAC: whether an extension server may call back to the API server, to check what
//! users may do and to read the front-proxy CA.

use std::collections::{BTreeMap, BTreeSet};

use super::check::CheckState;
use super::evidence::Observation;
use super::fact::Fact;
use crate::access::{
    AccessDecision, Authorizer, Grant, MatchedAccounts, Power, User, matched_accounts, rbac_decides,
};
use kube_aggregation::model::{Lack, Pod, Service, Snapshot};

/// The powers that extension servers need, and the accounts that have them.
#[derive(Debug)]
pub(super) struct Bindings<'s> {
    snapshot: &'s Snapshot,
    authorizer: Authorizer<'s>,
    /// The grants of each needed power.
    can: Vec<(Power, Grants<'s>)>,
    /// The Pods of each namespace.
    pods: BTreeMap<&'s str, Vec<&'s Pod>>,
}

/// The first grant of a power per matched accounts, in the order of bindings.
type Grants<'s> = BTreeMap<Option<&'s str>, (usize, Grant<'s>)>;

impl<'s> Bindings<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let authorizer = Authorizer::new(&snapshot.rbac);
        let needed = Power::ALL.into_iter().filter(|power| power.is_of_server());
        let who = |power: Power| {
            let request = power.own_request();
            let found = request.iter().flat_map(|request| authorizer.who(request));
            let mut grants = Grants::new();
            for (at, grant) in found.enumerate() {
                let namespace = match matched_accounts(grant.subject, &grant.binding.namespace) {
                    Some(MatchedAccounts::All) => None,
                    Some(MatchedAccounts::Of(namespace)) => Some(namespace),
                    None => continue,
                };
                grants.entry(namespace).or_insert((at, grant));
            }
            (power, grants)
        };
        let can = needed.map(who).collect();
        let mut pods: BTreeMap<&str, Vec<&Pod>> = BTreeMap::new();
        for pod in snapshot.pods.items() {
            pods.entry(&pod.namespace).or_default().push(pod);
        }
        Self { snapshot, authorizer, can, pods }
    }

    /// Checks what the server behind a Service may do. Returns `None` if RBAC was not requested or
    /// does not decide, and for a Service without a selector: a server outside the cluster has
    /// no service account.
    pub(super) fn observe(&self, service: &'s Service) -> Option<Observation<'s>> {
        let rbac = &self.snapshot.rbac;
        if service.selector.is_empty() || !rbac_decides(self.snapshot) {
            return None;
        }
        if !rbac.is_loaded() {
            let gap = rbac.gaps().find(|gap| matches!(gap.lack, Lack::Unread(_)))?;
            return Some(Observation::new(CheckState::Unknown, Fact::NotInSource(gap)));
        }
        let accounts = self.accounts(service);
        if accounts.is_empty() {
            return Some(self.observe_namespace(&service.namespace));
        }
        let namespace = service.namespace.as_str();
        let (mut lacks, mut unclear, mut granted) = (vec![], None, vec![]);
        for account in &accounts {
            let user = User::new(format!("system:serviceaccount:{namespace}:{account}"), &[]);
            for (power, _) in &self.can {
                let Some(request) = power.own_request() else { continue };
                let power = *power;
                match self.authorizer.decide(&user, &request) {
                    AccessDecision::Denied(_) => {
                        lacks.push(Fact::AccountCannot { namespace, account, power });
                    }
                    AccessDecision::Unknown(_) => unclear = unclear.or(Some(power)),
                    AccessDecision::Allowed(grant) => granted.push(Fact::Granted(power, grant)),
                    AccessDecision::Masters | AccessDecision::AlwaysAllowed => {}
                }
            }
        }
        let mut lacks = lacks.into_iter();
        Some(match (lacks.next(), unclear) {
            (Some(first), _) => {
                let fact = Fact::ExtensionServersMust(Box::new(first));
                Observation::new(CheckState::Odd, fact)
                    .with([Fact::PodsRunAs(accounts)])
                    .with(lacks)
            }
            (None, Some(power)) => {
                Observation::new(CheckState::Unknown, Fact::AccountsUnclear(accounts, power))
            }
            (None, None) => {
                Observation::new(CheckState::Ok, Fact::AccountsMayAsk(accounts)).with(granted)
            }
        })
    }

    /// Returns the service accounts of the Pods that a Service selects, sorted.
    fn accounts(&self, service: &Service) -> Vec<&'s str> {
        let behind = |pod: &&Pod| {
            service.selector.iter().all(|(key, value)| pod.labels.get(key) == Some(value))
        };
        let pods = self.pods.get(&*service.namespace).into_iter().flatten().copied();
        let pods = pods.filter(behind);
        let accounts: BTreeSet<&str> = pods.map(|pod| pod.service_account.as_str()).collect();
        accounts.into_iter().collect()
    }

    /// Checks whether any account of the namespace has each power. Used when the source has no Pods
    /// of the Service.
    fn observe_namespace(&self, namespace: &'s str) -> Observation<'s> {
        let mut granted = vec![];
        for (power, grants) in &self.can {
            let grants = [None, Some(namespace)].into_iter().filter_map(|of| grants.get(&of));
            match grants.min_by_key(|(at, _)| *at) {
                Some((_, grant)) => granted.push(Fact::Granted(*power, *grant)),
                None if self.snapshot.rbac.gaps().next().is_some() => {
                    return Observation::new(CheckState::Unknown, Fact::RbacIncomplete);
                }
                None => {
                    let fact = Fact::NoAccountCan { namespace, power: *power };
                    let fact = Fact::ExtensionServersMust(Box::new(fact));
                    return Observation::new(CheckState::Odd, fact);
                }
            }
        }
        Observation::new(CheckState::Unknown, Fact::AccountNotInSource).with(granted)
    }
}
