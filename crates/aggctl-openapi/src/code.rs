//! The findings of `aggctl openapi`. The knowledge entry of each code has its wording.

use aggctl_diagnose::knowledge;
use kube_aggregation::model::{Severity, codes};

codes! {
    /// An issue with the OpenAPI documents.
    /// A new path is a string prefix of an existing one, so nothing can be merged.
    DuplicatedPath = "duplicated-path",
    /// A kind is added to a definition without extensions: the API server panics.
    KindOnPlainDefinition = "kind-on-plain-definition",
    /// A schema cannot be encoded in protobuf.
    NotProtobuf = "not-protobuf",
    /// A Service does not publish a v2 document.
    V2Missing = "v2-missing",
    /// The v2 document of a Service is invalid.
    V2Broken = "v2-broken",
    /// A Service's group version is not in the index.
    V3Missing = "v3-missing",
    /// The served document differs from what merging its parts gives.
    StaleDocument = "stale-document",
    /// Several servers list the same document, and one of them is chosen at random per request.
    V3Overlap = "v3-overlap",
    /// Like `V3Overlap`, for keys that every generic API server lists.
    V3OverlapOfAll = "v3-overlap",
    /// A listed document cannot be fetched.
    V3ListedUnreachable = "v3-listed-unreachable",
    /// A request for a document took too long.
    SlowOpenApi = "slow-openapi",
    /// A version that no CRD serves is still listed.
    UnservedStillListed = "unserved-still-listed",
    /// A server publishes something outside its group version.
    OutsideGroupVersion = "outside-group-version",
    /// Definitions were renamed.
    RenamedDefinition = "renamed-definition",
    /// Shared definitions refer to the types of another server.
    BorrowedDefinition = "borrowed-definition",
}

impl Code {
    /// Returns the severity of the code.
    pub fn severity(self) -> Severity {
        match self {
            // Here the documents prove what the registry can only suspect.
            Self::DuplicatedPath => Severity::Error,
            Self::V3OverlapOfAll => Severity::Info,
            _ => knowledge::severity(self.as_str()),
        }
    }

    /// Returns whether the code is only about the v3 index and its documents.
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

/// One finding about the OpenAPI documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenApiFinding {
    /// The kind of finding.
    pub code: Code,
    /// The APIService that it is about, if any.
    pub api_service: Option<String>,
    /// The group version that it is about, if any.
    pub group_version: Option<String>,
    /// Values for the placeholders of the knowledge entry.
    pub facts: Vec<(&'static str, String)>,
}

impl OpenApiFinding {
    fn fact(&self, name: &str) -> Option<String> {
        let known = self.facts.iter().find(|(fact, _)| *fact == name);
        known.map(|(_, value)| value.clone())
    }

    /// Returns the message of the finding.
    pub fn message(&self) -> String {
        knowledge::phrase(self.code.as_str(), |name| self.fact(name)).unwrap_or_default()
    }

    /// Returns what to do first, if there is anything to do.
    pub fn hint(&self) -> Option<String> {
        knowledge::advice(self.code.as_str(), |name| self.fact(name))
    }
}
