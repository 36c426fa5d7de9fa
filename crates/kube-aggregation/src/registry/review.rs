//! Every APIService: where it leads, whether it works, who manages it, what is odd about it.

use super::{Anomaly, Backend, Code, Registry};
use crate::model::{ApiService, Automanaged, Freshness, GroupVersion, words};

/// One APIService, looked at from all sides.
#[derive(Debug)]
pub struct ApiServiceReview<'r> {
    /// The APIService.
    pub service: &'r ApiService,
    /// What stands behind it.
    pub backing: Backend,
    /// Who keeps it in shape.
    pub manager: Manager,
    /// What is odd about it.
    pub oddities: Vec<Anomaly<'r>>,
}

impl ApiServiceReview<'_> {
    /// Whether it is odd in that way.
    pub fn is(&self, code: Code) -> bool {
        self.oddities.iter().any(|oddity| oddity.code == code)
    }
}

words! {
    /// Who keeps an APIService in shape.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Manager {
        /// The API server, at its start.
        BuiltIn = "built-in",
        /// The controller that registers CRDs.
        Crd = "crd",
        /// A person or an operator.
        Somebody = "somebody",
    }
}

impl Registry<'_> {
    /// Looks at every APIService, in the order of their names.
    pub fn review(&self) -> Vec<ApiServiceReview<'_>> {
        let all = self.api_services().map(|(service, backing)| ApiServiceReview {
            service,
            backing,
            manager: match service.automanaged {
                Some(Automanaged::OnStart) => Manager::BuiltIn,
                Some(Automanaged::CrdController) => Manager::Crd,
                None => Manager::Somebody,
            },
            oddities: self.oddities(service, backing),
        });
        all.collect()
    }

    /// Whether the server's own aggregated document has the group version as Stale.
    pub(crate) fn is_stale(&self, gv: &GroupVersion) -> bool {
        self.aggregated_version(gv).is_some_and(|v| v.freshness == Freshness::Stale)
    }
}
