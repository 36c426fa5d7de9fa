//! What `aggctl openapi` finds. The words are the entry's of that name.

use crate::knowledge;

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $word:literal, $severity:ident;)*) => {
        /// Something about the OpenAPI documents that aggctl names.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }
        }
    };
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Somebody will stumble over it.
    Warning,
    /// It breaks a document for everybody.
    Error,
}

impl Severity {
    /// One word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

codes! {
    /// A new path begins one that conflicts: nothing can be merged.
    DuplicatedPath = "duplicated-path", Error;
    /// A kind for a definition without extensions: the API server panics.
    KindOnPlainDefinition = "kind-on-plain-definition", Error;
    /// Protobuf has no place for a schema.
    NotProtobuf = "not-protobuf", Error;
    /// A Service publishes nothing for v2.
    V2Missing = "v2-missing", Warning;
    /// What a Service publishes for v2 cannot be read.
    V2Broken = "v2-broken", Warning;
    /// A Service's group version is not in the index.
    V3Missing = "v3-missing", Warning;
    /// What is served is not what the parts give.
    StaleDocument = "stale-document", Warning;
    /// Several list one document: who answers is drawn anew each time.
    V3Overlap = "v3-overlap", Warning;
    /// The same for what every generic API server lists.
    V3OverlapOfAll = "v3-overlap", Info;
    /// A document that is listed does not come.
    V3ListedUnreachable = "v3-listed-unreachable", Warning;
    /// A request for a document took long.
    SlowOpenApi = "slow-openapi", Warning;
    /// A version that no CRD serves is still listed.
    UnservedStillListed = "unserved-still-listed", Info;
    /// Something is published outside of the group version.
    OutsideGroupVersion = "outside-group-version", Info;
    /// Definitions got another name.
    RenamedDefinition = "renamed-definition", Info;
    /// Definitions are shared, and mean another server's types.
    BorrowedDefinition = "borrowed-definition", Info;
}

impl Code {
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
pub struct Finding {
    /// What.
    pub code: Code,
    /// The APIService that it is about, if one is.
    pub api_service: Option<String>,
    /// The group version that it is about, if one is.
    pub group_version: Option<String>,
    /// What the entry's places stand for.
    pub facts: Vec<(&'static str, String)>,
}

impl Finding {
    /// What is said of it.
    pub fn message(&self) -> String {
        let fact = |name: &str| {
            let known = self.facts.iter().find(|(fact, _)| *fact == name);
            known.map(|(_, value)| value.clone())
        };
        knowledge::phrase(self.code.as_str(), fact).unwrap_or_default()
    }

    /// What to do about it first, if there is anything to do.
    pub fn hint(&self) -> Option<String> {
        let fact = |name: &str| {
            let known = self.facts.iter().find(|(fact, _)| *fact == name);
            known.map(|(_, value)| value.clone())
        };
        knowledge::advice(self.code.as_str(), fact)
    }
}
