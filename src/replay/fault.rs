//! Injected faults: APIServices that are broken or repaired on purpose, to test clients.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::duration;
use kube_aggregation::discovery::DiscoveryDocument;
use kube_aggregation::model::{Condition, Freshness, Input, Snapshot};

/// A fault of an APIService.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is available, whatever its condition says.
    Available,
    /// The aggregator refuses its requests.
    Unavailable,
    /// Its server delays its responses.
    Slow(Duration),
    /// It is stale in aggregated discovery.
    Stale,
    /// Its server answers 403 to every request.
    Forbidden,
}

/// The longest delay; a slower server would be unavailable.
const SLOWEST: Duration = Duration::from_secs(60);

impl Fault {
    /// Parses `available`, `unavailable`, `slow:5s`, `stale` or `403`.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "available" => Self::Available,
            "unavailable" => Self::Unavailable,
            "stale" => Self::Stale,
            "403" => Self::Forbidden,
            _ => {
                let time = duration::parse(text.strip_prefix("slow:")?)?;
                return (time <= SLOWEST).then_some(Self::Slow(time));
            }
        })
    }

    /// Returns whether the aggregator fails to discover it.
    fn is_stale(self) -> bool {
        matches!(self, Self::Stale | Self::Unavailable | Self::Forbidden)
    }
}

/// The faults of a replay, by APIService.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults(BTreeMap<String, Fault>);

impl FromIterator<(String, Fault)> for Faults {
    fn from_iter<I: IntoIterator<Item = (String, Fault)>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl Faults {
    pub(super) fn of(&self, name: &str) -> Option<Fault> {
        self.0.get(name).copied()
    }

    /// Returns the snapshot with the conditions that the faults cause.
    pub fn applied(&self, snapshot: &Snapshot) -> Snapshot {
        let mut snapshot = snapshot.clone();
        let Input::Loaded(services) = &mut snapshot.api_services else { return snapshot };
        let mut changed = vec![];
        for service in services.iter_mut().filter(|service| service.service.is_some()) {
            let (status, reason, message) = match self.of(&service.name) {
                Some(Fault::Available) => ("True", "Passed", "all checks passed"),
                Some(Fault::Unavailable) => {
                    ("False", "FailedDiscoveryCheck", "unavailable on purpose: --fault")
                }
                _ => continue,
            };
            service.available = Some(Condition {
                status: status.to_owned(),
                reason: reason.to_owned(),
                message: message.to_owned(),
                since: None,
            });
            changed.push(service.name.clone());
        }
        let kept = |object: &kube_aggregation::model::CollectedObject| {
            object.kind != "APIService" || !changed.contains(&object.name)
        };
        snapshot.objects = Arc::new(snapshot.objects.retained(kept));
        snapshot
    }

    /// Marks group versions as stale that the aggregator could not discover.
    pub(super) fn mark(&self, document: &mut DiscoveryDocument) {
        let DiscoveryDocument::Aggregated(groups) = document else { return };
        for group in groups {
            for version in &mut group.versions {
                let fault = self.of(&format!("{}.{}", version.version, group.name));
                match fault {
                    Some(Fault::Available) => version.freshness = Freshness::Current,
                    Some(fault) if fault.is_stale() => version.freshness = Freshness::Stale,
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_as_they_are_written() {
        for (text, want) in [
            ("available", Some(Fault::Available)),
            ("unavailable", Some(Fault::Unavailable)),
            ("stale", Some(Fault::Stale)),
            ("403", Some(Fault::Forbidden)),
            ("slow:5s", Some(Fault::Slow(Duration::from_secs(5)))),
            ("slow:250ms", Some(Fault::Slow(Duration::from_millis(250)))),
            ("slow:", None),
            ("slow:5m", None),
            ("slow:1000s", None),
            ("404", None),
            ("", None),
        ] {
            assert_eq!(Fault::parse(text), want, "{text}");
        }
    }
}
