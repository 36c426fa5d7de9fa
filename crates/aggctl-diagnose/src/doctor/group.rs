//! Diagnoses that say the same of the same Service, told together.

use std::collections::BTreeMap;

use super::{CheckState, Diagnosis, Verdict};
use kube_aggregation::availability::AvailabilityStep;
use kube_aggregation::registry::Code;

/// APIServices of one Service with one verdict, for one reason.
#[derive(Debug)]
pub struct DiagnosisGroup<'d, 'r> {
    /// At least one, in the order of names.
    pub members: Vec<&'d Diagnosis<'r>>,
}

impl<'d, 'r> DiagnosisGroup<'d, 'r> {
    /// The one that stands for all.
    pub fn first(&self) -> Option<&'d Diagnosis<'r>> {
        self.members.first().copied()
    }

    /// The names, versions of one API group together: `v1, v2.example.com`.
    pub fn names(&self) -> String {
        let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for gv in self.members.iter().map(|one| &one.service.group_version) {
            groups.entry(&gv.group).or_default().push(&gv.version);
        }
        let each = groups.iter().map(|(group, all)| format!("{}.{group}", all.join(", ")));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// Groups diagnoses: the worst first, then by name.
pub fn groups<'d, 'r>(
    diagnoses: impl IntoIterator<Item = &'d Diagnosis<'r>>,
) -> Vec<DiagnosisGroup<'d, 'r>> {
    let mut alike: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for one in diagnoses {
        let rank = (std::cmp::Reverse(one.verdict), one.is_verified());
        // Local ones have no Service in common.
        let own = one.service.service.is_none().then_some(&one.service.name);
        let key = (rank, &one.service.service, own, &one.summary);
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

impl Diagnosis<'_> {
    /// Whether somebody checked what a healthy one needs. Servers before 1.36 say Available
    /// without ever looking at the certificate.
    pub fn is_verified(&self) -> bool {
        let proven = |link: &super::DoctorCheck| {
            link.step == AvailabilityStep::Tls
                && matches!(link.state, CheckState::Ok | CheckState::Broken)
        };
        self.verdict != Verdict::Healthy
            || self.is_known() && (!self.has(Code::TlsNotChecked) || self.links.iter().any(proven))
    }

    /// Whether anything says if it works: the condition, or an answer of its server.
    pub fn is_known(&self) -> bool {
        let answered = |link: &super::DoctorCheck| {
            link.step == AvailabilityStep::Discovery && link.state == CheckState::Ok
        };
        !self.service.is_not_checked()
            || self.verdict != Verdict::Healthy
            || self.links.iter().any(answered)
    }
}
