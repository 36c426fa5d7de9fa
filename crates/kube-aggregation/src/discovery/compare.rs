//! Compares a merged discovery document with the one that the server returned.

use std::collections::BTreeMap;
use std::fmt;

use super::merge::Aggregated;
use crate::model::{AggregatedGroup, AggregatedVersion, Freshness, LegacyGroup};
use crate::priority::OrderedGroup;

/// One difference between the merged document and the server's document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The group, or `group/version`. Empty for the order of groups.
    pub subject: String,
    /// The merged value.
    pub merged: String,
    /// The value in the server's document.
    pub served: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, merged, served } = self;
        let subject = if subject.is_empty() { "the order of groups" } else { subject };
        write!(f, "the server's own document differs on {subject}: ")?;
        write!(f, "computed {merged}, but the server has {served}")
    }
}

/// Returns the differences between the merged legacy document and the server's.
pub fn legacy_differences(merged: &[OrderedGroup<'_>], served: &[LegacyGroup]) -> Vec<Difference> {
    let ours: Vec<(&str, String)> = merged
        .iter()
        .map(|g| (g.name, g.versions.iter().map(|v| v.version).collect::<Vec<_>>().join(" ")))
        .collect();
    let theirs: Vec<(&str, String)> =
        served.iter().map(|g| (g.name.as_str(), g.versions.join(" "))).collect();
    groups(&ours, &theirs)
}

/// Returns the differences between the merged aggregated document and the server's.
pub fn aggregated_differences(
    merged: &Aggregated<'_>,
    served: &[AggregatedGroup],
) -> Vec<Difference> {
    let join = |words: Vec<&str>| words.join(" ");
    let ours: Vec<(&str, String)> = (merged.groups.iter())
        .map(|g| (g.name, join(g.versions.iter().map(|v| v.version).collect())))
        .collect();
    let theirs: Vec<(&str, String)> = (served.iter())
        .map(|g| (g.name.as_str(), join(g.versions.iter().map(|v| v.version.as_str()).collect())))
        .collect();
    let mut found = groups(&ours, &theirs);
    let listed: BTreeMap<(&str, &str), &AggregatedVersion> = (served.iter())
        .flat_map(|g| g.versions.iter().map(|v| ((g.name.as_str(), v.version.as_str()), v)))
        .collect();
    for group in &merged.groups {
        for version in &group.versions {
            let Some(served) = listed.get(&(group.name, version.version)) else { continue };
            if version.freshness == Freshness::Unknown {
                continue;
            }
            let subject = format!("{}/{}", group.name, version.version);
            if served.freshness != version.freshness {
                let (merged, served) = (version.freshness.as_str(), served.freshness.as_str());
                found.push(Difference {
                    subject: subject.clone(),
                    merged: merged.into(),
                    served: served.into(),
                });
            }
            let names =
                |all: Vec<&str>| if all.is_empty() { "no resources".to_owned() } else { join(all) };
            let ours = names(version.resources.iter().map(|r| r.resource.as_str()).collect());
            let theirs = names(served.resources.iter().map(|r| r.resource.as_str()).collect());
            if ours != theirs {
                found.push(Difference { subject, merged: ours, served: theirs });
            }
        }
    }
    found
}

/// Returns groups that only one side has, differing versions, then differing order of common
/// groups.
fn groups(ours: &[(&str, String)], theirs: &[(&str, String)]) -> Vec<Difference> {
    let mut found = vec![];
    let mine: BTreeMap<&str, &str> = ours.iter().map(|(g, v)| (*g, v.as_str())).collect();
    let served: BTreeMap<&str, &str> = theirs.iter().map(|(g, v)| (*g, v.as_str())).collect();
    let absent = "not listed";
    let mut names: Vec<&str> = mine.keys().chain(served.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (a, b) = (mine.get(name).unwrap_or(&absent), served.get(name).unwrap_or(&absent));
        if a != b {
            let (merged, served) = ((*a).to_owned(), (*b).to_owned());
            found.push(Difference { subject: name.to_owned(), merged, served });
        }
    }
    let common = |side: &[(&str, String)], other: &BTreeMap<&str, &str>| -> Vec<String> {
        side.iter().filter(|(g, _)| other.contains_key(g)).map(|(g, _)| (*g).to_owned()).collect()
    };
    let (a, b) = (common(ours, &served), common(theirs, &mine));
    if let Some(at) = a.iter().zip(&b).position(|(x, y)| x != y) {
        let from =
            |side: &[String]| side.iter().skip(at).take(3).cloned().collect::<Vec<_>>().join(", ");
        found.push(Difference { subject: String::new(), merged: from(&a), served: from(&b) });
    }
    found
}
