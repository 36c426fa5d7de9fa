//! The answer of `client`: what kubectl would request, step by step.

mod blame;
mod json;
mod text;
mod wording;

pub use blame::CacheVerdicts;
pub(in crate::render) use blame::CacheVerdictsJson;
pub(in crate::render) use json::{ClientJson, DisagreementJson};
pub use wording::skipped_file;
pub(in crate::render) use wording::{age, difference};

use serde::Serialize;

use super::format::Format;
use super::{Answer, ResponseMeta, Routed, SourceFlags, TextOptions};
use aggctl_client::{Disagreements, DiscoveryCache, Kubectl, Missing, Prediction, Similar};
use jiff::Timestamp;
use kube_aggregation::model::GroupVersion;

/// The release of kubectl that an answer is for.
#[derive(Debug, Clone, Copy)]
pub struct KubectlVersion {
    pub used: Kubectl,
    /// The oldest release that may have written the cache, if the cache shows it.
    pub oldest: Option<Kubectl>,
    /// Whether the user named it.
    pub given: bool,
}

/// What kubectl would request, and why.
#[derive(Debug)]
pub struct ClientAnswer<'a> {
    /// The command, for people.
    pub command: String,
    pub is_apply: bool,
    pub kubectl: KubectlVersion,
    pub cache: Option<&'a DiscoveryCache>,
    /// The version of aggregated discovery that kubectl and the server agree on.
    pub form: Option<&'static str>,
    /// The group versions whose lists the server refuses, with the status.
    pub refused: Vec<(&'a str, u16)>,
    pub prediction: &'a Prediction,
    /// What was not found on the server, and what may have been meant.
    pub unknown: Option<(Missing, Similar)>,
    /// If a resource was not found: the group versions that may have it, but whose resources kubectl
    /// does not see, because they are unavailable or Stale.
    pub unseen: Vec<&'a GroupVersion>,
    /// What it would do without its cache.
    pub without: Option<&'a Prediction>,
    pub disagreements: Option<&'a Disagreements>,
    /// How each request is routed.
    pub routes: &'a [Routed<'a>],
    pub now: Timestamp,
    pub same: &'a SourceFlags,
    pub meta: ResponseMeta<'a>,
}

impl ClientAnswer<'_> {
    /// Returns whether kubectl would do something else without its cache.
    fn cache_decides(&self) -> bool {
        self.without.is_some_and(|without| {
            let paths = |one: &Prediction| -> Vec<String> {
                one.requests.iter().map(|request| request.path.clone()).collect()
            };
            paths(without) != paths(self.prediction) || without.refusal != self.prediction.refusal
        })
    }
}

impl Answer for ClientAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide, Format::Name];

    fn text(&self, options: TextOptions) -> String {
        text::text(self, options)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("ClientPrediction", ClientJson::of(self))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.prediction.requests.iter().map(|request| request.path.clone())
    }
}
