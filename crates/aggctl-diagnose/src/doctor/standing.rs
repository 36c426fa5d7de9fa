//! The health of APIServices in short, and what changed between two looks at a cluster.

use std::collections::BTreeMap;

use super::diagnosis::{Diagnosis, DoctorVerdict};

/// The health of one APIService, in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthSummary {
    /// How bad it is.
    pub verdict: DoctorVerdict,
    /// What decides the verdict, as a phrase.
    pub summary: String,
    /// Whether the API server passes requests on.
    pub available: bool,
}

/// The health of all APIServices, by name.
pub type Standings = BTreeMap<String, HealthSummary>;

/// Sums up diagnoses.
pub fn standings(diagnoses: &[Diagnosis<'_>]) -> Standings {
    let standing = |d: &Diagnosis<'_>| HealthSummary {
        verdict: d.verdict,
        summary: d.summary.to_string(),
        available: d.service.is_available(),
    };
    diagnoses.iter().map(|d| (d.service.name.clone(), standing(d))).collect()
}

/// Returns what changed between two looks, sorted by name; `None` for an APIService that is gone.
pub fn changes<'s>(
    before: &'s Standings,
    after: &'s Standings,
) -> Vec<(&'s str, Option<&'s HealthSummary>)> {
    let mut found: Vec<(&str, Option<&HealthSummary>)> = after
        .iter()
        .filter(|(name, standing)| before.get(*name) != Some(standing))
        .map(|(name, standing)| (name.as_str(), Some(standing)))
        .collect();
    found.extend(
        before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name.as_str(), None)),
    );
    found.sort_by_key(|(name, _)| *name);
    found
}

/// Whether an argument names this APIService, or its group.
pub fn matches_name(wanted: &str, name: &str) -> bool {
    let group = name.split_once('.').map(|(_, group)| group);
    name == wanted || group.is_some_and(|group| !group.is_empty() && group == wanted)
}

/// Returns the wanted APIServices that are not available or do not exist; all are wanted if none is
/// named.
pub fn waited_for(wanted: &[String], now: &Standings) -> Vec<String> {
    let down = |of: &dyn Fn(&str) -> bool| -> Vec<String> {
        let meant = now.iter().filter(|(name, _)| of(name));
        meant.filter(|(_, s)| !s.available).map(|(name, _)| name.clone()).collect()
    };
    if wanted.is_empty() {
        return down(&|_| true);
    }
    let each =
        wanted.iter().flat_map(|wanted| match now.keys().any(|name| matches_name(wanted, name)) {
            true => down(&|name| matches_name(wanted, name)),
            false => vec![wanted.clone()],
        });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(of: &[(&str, DoctorVerdict, &str, bool)]) -> Standings {
        let one = |(name, verdict, summary, available): &(&str, DoctorVerdict, &str, bool)| {
            let standing = HealthSummary {
                verdict: *verdict,
                summary: (*summary).to_owned(),
                available: *available,
            };
            ((*name).to_owned(), standing)
        };
        of.iter().map(one).collect()
    }

    #[test]
    fn only_changes_are_returned() {
        use DoctorVerdict::{Broken, Healthy};
        let before = standings(&[
            ("v1.a", Healthy, "answers", true),
            ("v1.b", Broken, "gone", false),
            ("v1.c", Healthy, "answers", true),
        ]);
        let after = standings(&[
            ("v1.a", Healthy, "answers", true),
            ("v1.b", Healthy, "answers", true),
            ("v1.d", Broken, "x", false),
        ]);
        let found: Vec<_> = changes(&before, &after)
            .iter()
            .map(|(n, s)| format!("{n} {:?}", s.map(|s| s.verdict)))
            .collect();
        assert_eq!(found, ["v1.b Some(Healthy)", "v1.c None", "v1.d Some(Broken)"]);
        assert_eq!(changes(&after, &after), []);
    }

    #[test]
    fn a_missing_one_is_not_available() {
        let now = standings(&[
            ("v1.a", DoctorVerdict::Healthy, "", true),
            ("v1.b", DoctorVerdict::Broken, "", false),
        ]);
        assert_eq!(waited_for(&[], &now), ["v1.b"]);
        assert_eq!(waited_for(&["v1.a".to_owned()], &now), Vec::<String>::new());
        assert_eq!(waited_for(&["v1.z".to_owned(), "v1.a".to_owned()], &now), ["v1.z"]);
    }
}
