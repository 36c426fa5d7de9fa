//! Reviews every APIService: its backend, availability, manager and anomalies.

use super::{Anomaly, Backend, Code, Registry};
use crate::model::{ApiService, Automanaged, Freshness, GroupVersion, words};

/// The review of one APIService.
#[derive(Debug)]
pub struct ApiServiceReview<'r> {
    /// The APIService.
    pub service: &'r ApiService,
    /// Its backend.
    pub backing: Backend,
    /// Its manager.
    pub manager: Manager,
    /// Its anomalies.
    pub anomalies: Vec<Anomaly<'r>>,
}

impl ApiServiceReview<'_> {
    /// Returns whether it has this anomaly.
    pub fn is(&self, code: Code) -> bool {
        self.anomalies.iter().any(|anomaly| anomaly.code == code)
    }
}

words! {
    /// Who manages an APIService.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Manager {
        /// kube-apiserver, at startup.
        BuiltIn = "built-in",
        /// The controller that registers CRDs.
        Crd = "crd",
        /// A person or an operator.
        User = "somebody",
    }
}

impl Registry<'_> {
    /// Reviews all APIServices, sorted by name.
    pub fn review(&self) -> Vec<ApiServiceReview<'_>> {
        self.reviews().collect()
    }

    /// Reviews one APIService after the other, sorted by name.
    pub fn reviews(&self) -> impl Iterator<Item = ApiServiceReview<'_>> {
        self.api_services().map(|(service, backing)| ApiServiceReview {
            service,
            backing,
            manager: match service.automanaged {
                Some(Automanaged::OnStart) => Manager::BuiltIn,
                Some(Automanaged::CrdController) => Manager::Crd,
                None => Manager::User,
            },
            anomalies: self.anomalies(service, backing),
        })
    }

    /// Returns whether the server's aggregated document lists the group version as Stale.
    pub(crate) fn is_stale(&self, gv: &GroupVersion) -> bool {
        self.aggregated_version(gv).is_some_and(|v| v.freshness == Freshness::Stale)
    }
}
