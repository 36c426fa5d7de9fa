//! Every APIService: where it leads, whether it works, who manages it, what is odd about it.

use super::{Backing, Registry};
use crate::model::{AGGREGATOR_GROUP, ApiService, Automanaged, EXTENSIONS_GROUP, Freshness};

/// One APIService, looked at from all sides.
#[derive(Debug)]
pub struct Review<'r> {
    /// The APIService.
    pub service: &'r ApiService,
    /// What stands behind it.
    pub backing: Backing,
    /// Who keeps it in shape.
    pub manager: Manager,
    /// What is odd about it.
    pub oddities: Vec<Oddity>,
}

/// Who keeps an APIService in shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manager {
    /// The API server, at its start.
    BuiltIn,
    /// The controller that registers CRDs.
    Crd,
    /// A person or an operator.
    Somebody,
}

impl Manager {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Crd => "crd",
            Self::Somebody => "somebody",
        }
    }
}

/// Something odd about an APIService.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Oddity {
    /// Local, available, and nobody behind it.
    Ghost,
    /// Takes its group version away from CRDs.
    ShadowsCrd,
    /// Takes a group version away from kube-apiserver.
    ShadowsBuiltIn,
    /// Adds a version to a group of the API server's.
    JoinsBuiltInGroup,
    /// In the aggregator's own group, where no APIService is ever asked.
    AggregatorOwnGroup,
    /// Available, but stale in aggregated discovery.
    Stale,
    /// What stands behind it cannot be told.
    Unclear,
    /// Not in the source: it must be there for what is.
    Inferred,
}

impl Oddity {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ghost => "ghost",
            Self::ShadowsCrd => "shadows-crd",
            Self::ShadowsBuiltIn => "shadows-built-in",
            Self::JoinsBuiltInGroup => "joins-built-in-group",
            Self::AggregatorOwnGroup => "aggregator-own-group",
            Self::Stale => "stale",
            Self::Unclear => "unclear",
            Self::Inferred => "inferred",
        }
    }
}

impl Registry<'_> {
    /// Looks at every APIService, in the order of their names.
    pub fn review(&self) -> Vec<Review<'_>> {
        self.api_services().map(|(service, backing)| self.review_one(service, backing)).collect()
    }

    fn review_one<'r>(&'r self, service: &'r ApiService, backing: Backing) -> Review<'r> {
        let gv = &service.group_version;
        let manager = match service.automanaged {
            Some(Automanaged::OnStart) => Manager::BuiltIn,
            Some(Automanaged::Continuously) => Manager::Crd,
            None => Manager::Somebody,
        };
        let mut oddities = vec![];
        let mut note = |holds: bool, oddity| {
            if holds {
                oddities.push(oddity);
            }
        };
        note(backing == Backing::Nobody, Oddity::Ghost);
        note(
            backing == Backing::Service && self.custom_resources(gv).next().is_some(),
            Oddity::ShadowsCrd,
        );
        let shadows = self.shadows_built_in(service);
        note(shadows, Oddity::ShadowsBuiltIn);
        note(
            matches!(backing, Backing::Service | Backing::Nobody | Backing::Crd)
                && !shadows
                && (self.is_built_in_group(&gv.group) || gv.group == EXTENSIONS_GROUP),
            Oddity::JoinsBuiltInGroup,
        );
        note(gv.group == AGGREGATOR_GROUP, Oddity::AggregatorOwnGroup);
        note(service.is_available() && self.is_stale(gv), Oddity::Stale);
        note(backing == Backing::Unknown, Oddity::Unclear);
        note(service.inferred, Oddity::Inferred);
        Review { service, backing, manager, oddities }
    }

    /// Whether the server's own aggregated document has the group version as Stale.
    pub fn is_stale(&self, gv: &crate::model::GroupVersion) -> bool {
        self.aggregated_version(gv).is_some_and(|v| v.freshness == Freshness::Stale)
    }
}
