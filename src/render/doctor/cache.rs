//! What kubectl's cache of a cluster gets wrong.

use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;

use crate::render::client::{DisagreementJson, age, difference};
use crate::render::{SourceFlags, counted};
use aggctl_client::Disagreement;

/// How many differences the note lists.
const MAX_LISTED: usize = 3;

/// What kubectl's cache of a cluster gets wrong, so that kubectl requests something else.
#[derive(Debug)]
pub struct CacheNote {
    /// The directory of this server in the cache.
    pub directory: String,
    pub age: SignedDuration,
    /// At least one.
    pub found: Vec<Disagreement>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CacheNoteJson<'a> {
    directory: &'a str,
    age_seconds: i64,
    /// Only what misleads kubectl: what it finds anyway is not listed.
    disagreements: Vec<DisagreementJson>,
}

impl CacheNote {
    pub(super) fn json(&self) -> CacheNoteJson<'_> {
        CacheNoteJson {
            directory: &self.directory,
            age_seconds: self.age.as_secs(),
            disagreements: self.found.iter().map(DisagreementJson::of).collect(),
        }
    }

    /// Returns the note as sentences.
    pub(super) fn text(&self, same: &SourceFlags, verbose: bool) -> String {
        let most = if verbose { usize::MAX } else { MAX_LISTED };
        let listed: Vec<String> = self.found.iter().take(most).map(difference).collect();
        let more = self.found.len() - listed.len();
        let more = if more > 0 {
            format!("; {} more", counted(more, "difference"))
        } else {
            String::new()
        };
        format!(
            "kubectl's cache ({} old) contradicts this cluster: {}{more}. kubectl requests what its cache says until {} refreshes it.",
            age(self.age),
            listed.join("; "),
            same.complete("kubectl api-resources"),
        )
    }
}
