//! Finds privilege paths: rights in one namespace that affect the whole cluster.

use std::fmt;

use super::authorizer::Authorizer;
use super::powers::{Holder, Power};
use kube_aggregation::model::ApiService;

/// An APIService that a namespace editor can redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirectable<'s> {
    /// The APIService that can be redirected.
    pub service: &'s ApiService,
    /// The subjects that can redirect it through a RoleBinding, but may not change the APIService
    /// itself.
    pub holders: Vec<Holder<'s>>,
}

impl Redirectable<'_> {
    /// The code of the knowledge entry that explains the issue.
    pub const CODE: &'static str = "redirectable";

    /// Returns whether the API server does not verify the backend's certificate.
    pub fn is_unverified(&self) -> bool {
        self.service.insecure_skip_tls_verify
    }
}

impl fmt::Display for Redirectable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a namespace editor can redirect this API for the whole cluster")?;
        f.write_str(if self.is_unverified() {
            ": insecureSkipTLSVerify is set, so any server is trusted"
        } else {
            " with a certificate that the caBundle trusts; without one, only break it"
        })
    }
}

/// Returns the APIServices that a namespace editor can redirect, in the given order.
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
