//! Privilege paths: rights in one namespace that affect the whole cluster.

use std::fmt;

use super::authorizer::Authorizer;
use super::powers::{Holder, Power};
use kube_aggregation::model::ApiService;

/// An APIService that a namespace editor can redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirectable<'s> {
    /// The APIService.
    pub service: &'s ApiService,
    /// The subjects that can, through a RoleBinding, and that may not change the APIService itself.
    pub holders: Vec<Holder<'s>>,
}

impl Redirectable<'_> {
    /// The entry that explains it.
    pub const CODE: &'static str = "redirectable";

    /// Whether the API server does not verify who answers.
    pub fn is_unverified(&self) -> bool {
        self.service.insecure_skip_tls_verify
    }
}

impl fmt::Display for Redirectable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "anyone who may edit the namespace of its Service can answer for the whole cluster",
        )?;
        f.write_str(if self.is_unverified() {
            ": insecureSkipTLSVerify is set, so that nothing checks who answers"
        } else {
            " if it has a certificate that the caBundle signs; without one it can only make it fail"
        })
    }
}

/// Finds the APIServices that a namespace editor can redirect, and keeps their order.
pub fn redirectable<'s>(
    authorizer: &Authorizer<'s>,
    services: impl Iterator<Item = &'s ApiService>,
) -> Vec<Redirectable<'s>> {
    let judge = |service: &'s ApiService| {
        let all = authorizer.holders(service);
        let owns = |holder: &Holder<'_>| {
            let same =
                |other: &&Holder<'_>| other.grant.subject_name() == holder.grant.subject_name();
            all.iter().filter(|other| other.power == Power::ChangeApiService).any(|o| same(&o))
        };
        let surprises = |holder: &&Holder<'_>| {
            let inside = !holder.grant.binding.namespace.is_empty();
            holder.power.redirects() && inside && !owns(holder)
        };
        let holders: Vec<Holder<'s>> = all.iter().filter(surprises).copied().collect();
        (!holders.is_empty()).then_some(Redirectable { service, holders })
    };
    services.filter(|service| service.service.is_some()).filter_map(judge).collect()
}
