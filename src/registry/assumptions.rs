//! What an answer rests on that the source does not have, in words.

use super::{Backing, Registry};
use crate::model::{AGGREGATED_SINCE, Input};

/// A kind of fact that an answer may rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// APIServices, all of them.
    ApiServices,
    /// CRDs, all of them.
    Crds,
    /// Services.
    Services,
    /// EndpointSlices.
    EndpointSlices,
    /// What `/version` says.
    Version,
    /// The server's own aggregated document, which alone tells what is stale.
    Freshness,
}

impl Registry<'_> {
    /// What was put in the place of facts that are not in the source, a sentence each; then what
    /// was asked for and could not be read.
    pub fn assumptions(&self, rests_on: &[Fact]) -> Vec<String> {
        let mut found: Vec<String> =
            rests_on.iter().filter_map(|fact| self.assumed(*fact)).collect();
        // What was inferred is that of some version.
        let inferred = rests_on.contains(&Fact::ApiServices) && !self.api_services_complete;
        if inferred && !rests_on.contains(&Fact::Version) {
            found.extend(self.assumed(Fact::Version));
        }
        found.extend(self.snapshot.gaps());
        found
    }

    /// Whether there is anything that the aggregated document could call stale.
    fn may_be_stale(&self) -> bool {
        let remote = || self.api_services().any(|(_, backing)| backing == Backing::Service);
        self.minor >= AGGREGATED_SINCE && remote()
    }

    fn assumed(&self, fact: Fact) -> Option<String> {
        let snapshot = self.snapshot;
        match fact {
            Fact::ApiServices if !self.api_services_complete => Some(format!(
                "APIServices {}: those that must exist were inferred, and others may be missing",
                state(&snapshot.api_services)
            )),
            Fact::Crds if snapshot.crds_complete || is_gap(&snapshot.crds) => None,
            Fact::Crds if snapshot.crds.is_loaded() => {
                Some("CRDs incomplete: others than those in the source may exist".to_owned())
            }
            Fact::Crds => Some(
                "CRDs absent: custom resources are known only by what else is in the source"
                    .to_owned(),
            ),
            Fact::Services => {
                unread(&snapshot.services, "Services", "whether they exist, and have the port,")
            }
            Fact::EndpointSlices => unread(
                &snapshot.endpoint_slices,
                "EndpointSlices",
                "whether anything is ready behind a Service",
            ),
            Fact::Version if matches!(snapshot.version, Input::Absent) => Some(format!(
                "the server's version {}: taken for {}",
                snapshot.version.state(),
                self.minor
            )),
            Fact::Freshness if self.may_be_stale() => unread(
                &snapshot.aggregated_groups,
                "the aggregated document /apis",
                "which group versions are stale",
            ),
            _ => None,
        }
    }
}

fn unread<T>(input: &Input<T>, what: &str, untold: &str) -> Option<String> {
    matches!(input, Input::Absent)
        .then(|| format!("{what} {}: {untold} cannot be told", input.state()))
}

/// Whether it was asked for in vain: that is told of with the reason.
fn is_gap<T>(input: &Input<T>) -> bool {
    matches!(input, Input::Forbidden(_) | Input::Failed(_))
}

/// The state of an input of which something was missed.
fn state<T>(input: &Input<T>) -> &'static str {
    if input.is_loaded() { "incomplete" } else { input.state() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Origin, Snapshot, SourceKind};

    const ALL: [Fact; 6] = [
        Fact::ApiServices,
        Fact::Crds,
        Fact::Services,
        Fact::EndpointSlices,
        Fact::Version,
        Fact::Freshness,
    ];

    fn empty() -> Snapshot {
        Snapshot::empty(Origin { kind: SourceKind::Dump, name: "d".to_owned() })
    }

    #[test]
    fn every_missing_fact_is_named_once() {
        let snapshot = empty();
        let registry = Registry::new(&snapshot);
        let found = registry.assumptions(&ALL);
        let subjects = [
            "APIServices absent",
            "CRDs absent",
            "Services absent",
            "EndpointSlices absent",
            "the server's version absent",
        ];
        assert_eq!(found.len(), subjects.len(), "{found:#?}");
        for (text, subject) in found.iter().zip(subjects) {
            assert!(text.starts_with(&format!("{subject}: ")), "{text}");
        }
        assert_eq!(registry.assumptions(&[]), Vec::<String>::new());
    }

    #[test]
    fn what_was_inferred_is_that_of_a_version() {
        let snapshot = empty();
        let found = Registry::new(&snapshot).assumptions(&[Fact::ApiServices]);
        assert_eq!(found.len(), 2, "{found:#?}");
        assert!(found[1].starts_with("the server's version absent: "), "{found:#?}");
    }

    #[test]
    fn what_was_refused_is_told_with_its_reason() {
        let mut snapshot = empty();
        snapshot.crds = Input::Forbidden("403 Forbidden".to_owned());
        let found = Registry::new(&snapshot).assumptions(&[Fact::Crds]);
        assert_eq!(found, ["CRDs may not be read: 403 Forbidden"]);
    }

    #[test]
    fn a_plain_server_leaves_nothing_open() {
        let plain = crate::baseline::server(crate::baseline::LATEST);
        let registry = Registry::new(plain);
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Freshness];
        assert_eq!(registry.assumptions(&rests_on), Vec::<String>::new());
    }
}
