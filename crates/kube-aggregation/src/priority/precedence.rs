//! Explains why one group or version precedes another in an order.

use std::fmt;

use super::{OrderedGroup, Registered};
use crate::model::{AGGREGATOR_GROUP, KubeVersion, Stage};

/// An endpoint with its own order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `/apis`
    Legacy,
    /// `/apis`, aggregated discovery
    Aggregated,
    /// `/openapi/v2`
    OpenApiV2,
}

/// Why one group or version precedes another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence<'a> {
    /// It is the aggregator's own group.
    AggregatorFirst,
    /// The server's document lists it first; the source lacks the priorities.
    Listed,
    /// The group priorities differ; the APIServices that set them.
    GroupPriority(Registered<'a>, Registered<'a>),
    /// Equal priorities: the names of these APIServices decide.
    CarrierName(Registered<'a>, Registered<'a>),
    /// Equal priorities: the group names decide.
    GroupName(i32),
    /// APIService names decide, regardless of version priorities.
    NameAlone(Registered<'a>, Registered<'a>),
    /// The version priorities differ.
    VersionPriority(Registered<'a>, Registered<'a>),
    /// Equal priorities: the version strings decide.
    VersionString(Registered<'a>, Registered<'a>),
}

/// Returns why a group precedes another one in an order.
pub fn why_group<'a>(
    form: Form,
    first: &OrderedGroup<'a>,
    second: &OrderedGroup<'a>,
) -> Precedence<'a> {
    let (a, b) = (first.carrier, second.carrier);
    if form == Form::Legacy && first.name == AGGREGATOR_GROUP {
        Precedence::AggregatorFirst
    } else if a.inferred || b.inferred {
        Precedence::Listed
    } else if a.group_priority != b.group_priority {
        Precedence::GroupPriority(a, b)
    } else if form == Form::Legacy {
        Precedence::CarrierName(a, b)
    } else if let (Form::OpenApiV2, Some(a), Some(b)) =
        (form, first.versions.first(), second.versions.first())
    {
        Precedence::NameAlone(*a, *b)
    } else {
        Precedence::GroupName(a.group_priority)
    }
}

/// Returns why a version precedes another one of its group in an order.
pub fn why_version<'a>(
    form: Form,
    first: &Registered<'a>,
    second: &Registered<'a>,
) -> Precedence<'a> {
    if form == Form::OpenApiV2 {
        Precedence::NameAlone(*first, *second)
    } else if first.inferred || second.inferred {
        Precedence::Listed
    } else if first.version_priority != second.version_priority {
        Precedence::VersionPriority(*first, *second)
    } else {
        Precedence::VersionString(*first, *second)
    }
}

impl fmt::Display for Precedence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In the aggregated order, group versions of the aggregator and of CRDs have no APIService.
        fn name<'a>(of: &Registered<'a>) -> &'a str {
            if of.name.is_empty() { "none" } else { of.name }
        }
        match self {
            Self::AggregatorFirst => {
                f.write_str("it is the aggregator's own group, which is always first")
            }
            Self::Listed => f.write_str(
                "the server or the built-in Kubernetes lists it first; the APIServices with the reason are not in the source",
            ),
            Self::GroupPriority(a, b) => write!(
                f,
                "its groupPriorityMinimum is {} (APIService {}), and that of {} is {} (APIService {})",
                a.group_priority,
                name(a),
                b.group,
                b.group_priority,
                name(b)
            ),
            Self::CarrierName(a, b) => write!(
                f,
                "both have groupPriorityMinimum {}; the name of the APIService breaks the tie, and {} sorts before {}",
                a.group_priority, a.name, b.name
            ),
            Self::GroupName(priority) => write!(
                f,
                "both have groupPriorityMinimum {priority}; the name of the group breaks the tie"
            ),
            Self::NameAlone(a, b) => write!(
                f,
                "/openapi/v2 ignores version priorities and sorts by name, and {} sorts before {}",
                a.name, b.name
            ),
            Self::VersionPriority(a, b) => write!(
                f,
                "its versionPriority is {}, and that of {} is {}",
                a.version_priority, b.version, b.version_priority
            ),
            Self::VersionString(a, b) => write!(
                f,
                "both have versionPriority {}, so version strings decide: {} is {}, {} is {}",
                a.version_priority,
                a.version,
                version_words(a.version),
                b.version,
                version_words(b.version)
            ),
        }
    }
}

/// Describes why a version string sorts where it does.
pub fn version_words(version: &str) -> String {
    match KubeVersion::parse(version) {
        Some(KubeVersion { stage: Stage::Ga, major, .. }) => format!("stable, major {major}"),
        Some(KubeVersion { stage: Stage::Beta, major, minor }) => {
            format!("beta {minor} of major {major}")
        }
        Some(KubeVersion { stage: Stage::Alpha, major, minor }) => {
            format!("alpha {minor} of major {major}")
        }
        None => "not a Kubernetes version: sorted last, by bytes".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_one_comes_before_another() {
        let one = |name, group, version, group_priority, version_priority| Registered {
            name,
            group,
            version,
            group_priority,
            version_priority,
            inferred: false,
        };
        let group = |carrier: Registered<'static>| OrderedGroup {
            name: carrier.group,
            carrier,
            versions: vec![carrier],
        };
        let (a, b) = (one("v1.a", "a", "v1", 200, 9), one("v1.b", "b", "v1", 100, 9));
        let same = Registered { group_priority: 200, ..b };
        let why = |form, x, y| why_group(form, &group(x), &group(y));
        assert_eq!(why(Form::Legacy, a, b), Precedence::GroupPriority(a, b));
        assert_eq!(why(Form::Legacy, a, same), Precedence::CarrierName(a, same));
        assert_eq!(why(Form::Aggregated, a, same), Precedence::GroupName(200));
        assert_eq!(why(Form::OpenApiV2, a, same), Precedence::NameAlone(a, same));
        let old = Registered { version: "v1beta1", version_priority: 9, ..a };
        assert_eq!(why_version(Form::OpenApiV2, &a, &old), Precedence::NameAlone(a, old));
        assert_eq!(why_version(Form::Legacy, &a, &old), Precedence::VersionString(a, old));
        let lower = Registered { version_priority: 1, ..old };
        let found = why_version(Form::Legacy, &a, &lower);
        assert_eq!(found.to_string(), "its versionPriority is 9, and that of v1beta1 is 1");
    }
}
