//! Groups diagnoses that would print the same line, to print it once.

use std::collections::BTreeMap;

use crate::render::joined;
use aggctl_diagnose::doctor::Diagnosis;

/// APIServices of one Service with the same verdict and summary.
#[derive(Debug)]
pub(super) struct DiagnosisGroup<'d, 'r> {
    /// At least one, sorted by name.
    pub(super) members: Vec<&'d Diagnosis<'r>>,
}

impl<'d, 'r> DiagnosisGroup<'d, 'r> {
    /// Returns one of the diagnoses, for what they have in common.
    pub(super) fn first(&self) -> Option<&'d Diagnosis<'r>> {
        self.members.first().copied()
    }

    /// Returns the names in full, so that each can be copied and searched.
    pub(super) fn names(&self) -> String {
        joined(self.members.iter().map(|one| &*one.service.name), ", ")
    }
}

/// Groups diagnoses, the worst first, then by name.
pub(super) fn groups<'d, 'r>(
    diagnoses: impl IntoIterator<Item = &'d Diagnosis<'r>>,
) -> Vec<DiagnosisGroup<'d, 'r>> {
    let mut alike: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for one in diagnoses {
        let rank = (std::cmp::Reverse(one.verdict), one.is_verified());
        // Local APIServices have no Service in common.
        let own = one.service.service.is_none().then_some(&one.service.name);
        let key = (rank, &one.service.service, own, one.summary.to_string());
        alike.entry(key).or_default().push(one);
    }
    let mut groups: Vec<_> =
        alike.into_iter().map(|((rank, ..), members)| (rank, DiagnosisGroup { members })).collect();
    groups.sort_by(|(a, x), (b, y)| {
        let name =
            |group: &DiagnosisGroup<'d, 'r>| group.first().map(|one| one.service.name.as_str());
        a.cmp(b).then_with(|| name(x).cmp(&name(y)))
    });
    groups.into_iter().map(|(_, group)| group).collect()
}
