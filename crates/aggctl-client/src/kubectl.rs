//! How releases of kubectl differ in what they read and how they decide.
//!
//! Taken from the source of the releases, and checked against the programs (`tests/external`).

use jiff::SignedDuration;
use kube_aggregation::model::Minor;

/// A release of kubectl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kubectl {
    /// Its version.
    pub minor: Minor,
}

impl Kubectl {
    /// The newest release that is modeled.
    pub const NEWEST: Self = Self::new(37);

    /// The oldest release that is modeled.
    pub const OLDEST: Self = Self::new(24);

    /// Returns release 1.`minor`.
    pub const fn new(minor: u32) -> Self {
        Self { minor: Minor::new(minor) }
    }

    fn since(self, minor: u32) -> bool {
        self.minor >= Minor::new(minor)
    }

    /// Returns the forms of aggregated discovery that it accepts, best first. 1.26 was the first to
    /// ask for one, 1.30 added `v2`, and 1.37 dropped `v2beta1`.
    pub fn aggregated_forms(self) -> &'static [&'static str] {
        match self.minor.minor {
            ..26 => &[],
            26..30 => &["v2beta1"],
            30..37 => &["v2", "v2beta1"],
            _ => &["v2"],
        }
    }

    /// Returns the header Accept of its discovery requests.
    pub fn accept(self) -> String {
        let form = |version: &&str| {
            format!("application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList")
        };
        let forms = self.aggregated_forms().iter().map(form);
        forms.chain(["application/json".to_owned()]).collect::<Vec<_>>().join(",")
    }

    /// Returns the releases that send this header Accept, oldest and newest; `None` if no release
    /// does.
    pub fn sending(accept: &str) -> Option<(Self, Self)> {
        let all = || (Self::OLDEST.minor.minor..=Self::NEWEST.minor.minor).map(Self::new);
        let oldest = all().find(|kubectl| kubectl.accept() == accept)?;
        let newest = all().rfind(|kubectl| kubectl.accept() == accept)?;
        Some((oldest, newest))
    }

    /// Returns how long a file of the discovery cache is used. It was ten minutes before 1.24.
    pub fn time_to_live(self) -> SignedDuration {
        if self.since(24) { SignedDuration::from_hours(6) } else { SignedDuration::from_mins(10) }
    }

    /// Returns whether it ignores group versions that are Stale in the aggregated document. 1.26
    /// took them as current.
    pub(crate) fn skips_stale(self) -> bool {
        self.since(27)
    }

    /// Returns whether it ignores resources of the aggregated document that have no kind.
    pub(crate) fn skips_unknown_kinds(self) -> bool {
        self.since(29)
    }

    /// Returns whether it warns about ambiguous short names. The same change lost the version of
    /// `po.v1.`: a short name is always looked up without its version.
    pub fn warns_about_short_names(self) -> bool {
        self.since(29)
    }

    /// Returns whether it expands a short name once more after it discarded the cache.
    pub(crate) fn expands_again(self) -> bool {
        self.since(25)
    }

    /// Returns whether it reads `$KUBECACHEDIR`.
    pub fn reads_cache_variable(self) -> bool {
        self.since(25)
    }

    /// Returns whether its error about an unknown resource names the group that was asked for.
    pub fn names_group_in_errors(self) -> bool {
        self.since(37)
    }

    /// Returns which OpenAPI documents it reads before it writes an object, to learn whether the
    /// server validates fields.
    pub fn validation(self) -> ValidationDocuments {
        match self.minor.minor {
            ..27 => ValidationDocuments::V2,
            // The schema of version 2 was loaded for every run, whether it was needed or not.
            27 | 28 => ValidationDocuments::Both,
            _ => ValidationDocuments::V3,
        }
    }
}

/// The OpenAPI documents that decide how an object is validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValidationDocuments {
    /// `/openapi/v2`.
    V2,
    /// `/openapi/v2`, then `/openapi/v3`.
    Both,
    /// `/openapi/v3`, and `/openapi/v2` only if that fails.
    V3,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_accept_bounds_the_release() {
        let between = |minor| {
            let (oldest, newest) = Kubectl::sending(&Kubectl::new(minor).accept()).unwrap();
            (oldest.minor.minor, newest.minor.minor)
        };
        assert_eq!(between(25), (24, 25));
        assert_eq!(between(27), (26, 29));
        assert_eq!(between(33), (30, 36));
        assert_eq!(between(37), (37, 37));
        assert_eq!(Kubectl::sending("text/html"), None);
    }
}
