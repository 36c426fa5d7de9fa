//! What `aggctl openapi` finds. The words are the entry's of that name.

use aggctl_diagnose::knowledge;
use kube_aggregation::model::{Severity, codes};

codes! {
    /// Something about the OpenAPI documents that aggctl names.
    /// A new path begins one that conflicts: nothing can be merged.
    DuplicatedPath = "duplicated-path",
    /// A kind for a definition without extensions: the API server panics.
    KindOnPlainDefinition = "kind-on-plain-definition",
    /// Protobuf has no place for a schema.
    NotProtobuf = "not-protobuf",
    /// A Service publishes nothing for v2.
    V2Missing = "v2-missing",
    /// What a Service publishes for v2 cannot be read.
    V2Broken = "v2-broken",
    /// A Service's group version is not in the index.
    V3Missing = "v3-missing",
    /// What is served is not what the parts give.
    StaleDocument = "stale-document",
    /// Several list one document: who answers is drawn anew each time.
    V3Overlap = "v3-overlap",
    /// The same for what every generic API server lists.
    V3OverlapOfAll = "v3-overlap",
    /// A document that is listed does not come.
    V3ListedUnreachable = "v3-listed-unreachable",
    /// A request for a document took long.
    SlowOpenApi = "slow-openapi",
    /// A version that no CRD serves is still listed.
    UnservedStillListed = "unserved-still-listed",
    /// Something is published outside of the group version.
    OutsideGroupVersion = "outside-group-version",
    /// Definitions got another name.
    RenamedDefinition = "renamed-definition",
    /// Definitions are shared, and mean another server's types.
    BorrowedDefinition = "borrowed-definition",
}

impl Code {
    /// How bad it is.
    pub fn severity(self) -> Severity {
        match self {
            // The documents prove here what the registry can only suspect.
            Self::DuplicatedPath => Severity::Error,
            Self::V3OverlapOfAll => Severity::Info,
            _ => knowledge::severity(self.as_str()),
        }
    }

    /// Whether it is about the index and its documents alone.
    pub fn is_of_v3(self) -> bool {
        matches!(
            self,
            Self::V3Missing
                | Self::V3Overlap
                | Self::V3OverlapOfAll
                | Self::V3ListedUnreachable
                | Self::UnservedStillListed
                | Self::SlowOpenApi
        )
    }
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApiFinding {
    /// What.
    pub code: Code,
    /// The APIService that it is about, if one is.
    pub api_service: Option<String>,
    /// The group version that it is about, if one is.
    pub group_version: Option<String>,
    /// What the entry's places stand for.
    pub facts: Vec<(&'static str, String)>,
}

impl OpenApiFinding {
    fn fact(&self, name: &str) -> Option<String> {
        let known = self.facts.iter().find(|(fact, _)| *fact == name);
        known.map(|(_, value)| value.clone())
    }

    /// What is said of it.
    pub fn message(&self) -> String {
        knowledge::phrase(self.code.as_str(), |name| self.fact(name)).unwrap_or_default()
    }

    /// What to do about it first, if there is anything to do.
    pub fn hint(&self) -> Option<String> {
        knowledge::advice(self.code.as_str(), |name| self.fact(name))
    }
}
