//! Bounds the version of a server that does not state it, by what else the source shows.

use std::collections::BTreeSet;

use super::infer;
use crate::baseline::{self, Span};
use crate::model::{GroupVersion, KubeVersion, Minor, Snapshot, Stage};

/// The minors that fit a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct VersionBounds {
    /// The oldest, if something shows it.
    pub oldest: Option<Minor>,
    /// The newest, if something shows it.
    pub newest: Option<Minor>,
}

impl VersionBounds {
    /// Finds the minors in which a server has the group versions that a source shows, and lacks the
    /// stable ones that its complete lists do not have. Empty if nothing fits, because flags
    /// changed what is served.
    pub fn of(snapshot: &Snapshot) -> Self {
        let services = snapshot.api_services.items();
        let local = services.iter().filter(|one| one.service.is_none() && !one.inferred);
        let mut shown: BTreeSet<&GroupVersion> = local.map(|one| &one.group_version).collect();
        let listed = infer::listed(snapshot).unwrap_or_default();
        shown.extend(&listed);
        let mut bounds = Self { oldest: snapshot.kubelet, newest: None };
        let spans = |gv: &&GroupVersion| Span::of_all(baseline::history().get(*gv)?.values());
        for span in shown.iter().filter_map(spans) {
            bounds.oldest = bounds.oldest.max(span.since);
            bounds.newest = earlier(bounds.newest, span.until);
        }
        if infer::lists_all(snapshot) || is_most(&shown) {
            let absent =
                baseline::history().keys().filter(|gv| !shown.contains(gv) && is_stable(gv));
            for span in absent.filter_map(|gv| spans(&gv)).filter(|span| span.until.is_none()) {
                let before = span.since.map(|since| Minor::new(since.minor.saturating_sub(1)));
                // What is disabled looks the same as what is too new.
                if bounds.oldest.zip(before).is_none_or(|(oldest, before)| oldest <= before) {
                    bounds.newest = earlier(bounds.newest, before);
                }
            }
        }
        match (bounds.oldest, bounds.newest) {
            (Some(oldest), Some(newest)) if oldest > newest => Self::default(),
            _ => bounds,
        }
    }

    /// Returns the only minor that fits, if there is one.
    pub fn only(self) -> Option<Minor> {
        self.oldest.filter(|oldest| self.newest == Some(*oldest))
    }

    /// Returns the newest minor that fits.
    pub fn newest_known(self) -> Minor {
        self.newest.unwrap_or(baseline::LATEST).min(baseline::LATEST)
    }
}

fn earlier(a: Option<Minor>, b: Option<Minor>) -> Option<Minor> {
    a.into_iter().chain(b).min()
}

fn is_stable(gv: &GroupVersion) -> bool {
    KubeVersion::parse(&gv.version).is_some_and(|version| version.stage == Stage::Ga)
}

/// Returns whether these are most of the groups that every server has.
fn is_most(shown: &BTreeSet<&GroupVersion>) -> bool {
    let groups = |all: &mut dyn Iterator<Item = &GroupVersion>| {
        all.map(|gv| gv.group.clone()).collect::<BTreeSet<String>>()
    };
    let all = groups(&mut baseline::group_versions(baseline::MINORS[0]).iter());
    let shown = groups(&mut shown.iter().copied());
    all.intersection(&shown).count() * 4 >= all.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Input;

    /// What a server lists bounds its version, with and without its APIServices.
    #[test]
    fn what_a_server_lists_fits_its_version() {
        for minor in baseline::MINORS {
            let mut snapshot = baseline::server(minor).clone();
            snapshot.version = Input::Absent;
            for _ in 0..2 {
                let VersionBounds { oldest, newest } = VersionBounds::of(&snapshot);
                assert!(oldest.is_some_and(|oldest| oldest <= minor), "{minor}: {oldest:?}");
                assert!(newest.is_none_or(|newest| minor <= newest), "{minor}: {newest:?}");
                snapshot.root_paths = Input::Absent;
                snapshot.resource_lists.clear();
            }
        }
    }

    #[test]
    fn two_versions_of_a_group_narrow_it_down() {
        let mut snapshot = Snapshot::default();
        let flows = |version: &str| GroupVersion::new("flowcontrol.apiserver.k8s.io", version);
        for version in ["v1beta2", "v1beta3"] {
            snapshot.resource_lists.insert(flows(version), vec![]);
        }
        let services = ["v1beta2", "v1beta3"]
            .map(|version| crate::model::ApiService::local(flows(version), 18000, 15));
        snapshot.api_services = Input::Loaded(services.to_vec());
        let bounds = VersionBounds::of(&snapshot);
        let fits = VersionBounds { oldest: Some(Minor::new(26)), newest: Some(Minor::new(28)) };
        assert_eq!(bounds, fits);
        snapshot.kubelet = Some(Minor::new(28));
        assert_eq!(VersionBounds::of(&snapshot).only(), Some(Minor::new(28)));
        // Flags can change what is served.
        snapshot.kubelet = Some(Minor::new(30));
        assert_eq!(VersionBounds::of(&snapshot), VersionBounds::default());
    }
}
