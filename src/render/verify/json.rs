//! The JSON of `verify`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::Verification;
use crate::render::json::non_empty;
use aggctl_verify::{Evidence, Form, Judged, Observed};
use kube_aggregation::discovery::Difference;
use kube_aggregation::routing::Server;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct VerificationJson<'a> {
    /// The API server, if several were asked.
    server: Option<&'a str>,
    seed: u64,
    /// How many requests were asked for.
    samples: usize,
    /// How many requests were chosen; fewer than `samples` if the cluster has no more to ask about.
    requests: usize,
    /// How many requests were sent again, because their answer differed.
    repeated: usize,
    agree: usize,
    differ: usize,
    not_comparable: usize,
    /// How many answers are not comparable, by reason.
    reasons: BTreeMap<&'static str, usize>,
    group_versions: CoverageJson,
    differences: Vec<ProbeJson<'a>>,
    /// How `/apis` differs from what the registered objects give.
    documents: Vec<DocumentJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct CoverageJson {
    asked: usize,
    all: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProbeJson<'a> {
    path: &'a str,
    /// Whether aggregated discovery was asked for.
    aggregated: bool,
    class: &'static str,
    predicted: PredictedJson<'a>,
    observed: ObservedJson<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PredictedJson<'a> {
    outcome: &'static str,
    status: Option<u16>,
    shows: &'static str,
    server: Option<&'static str>,
    api_service: Option<&'a str>,
    hops: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
struct ObservedJson<'a> {
    status: Option<u16>,
    shows: &'static str,
    /// The kind of a document, or the group of an object that was not found.
    of: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DocumentJson<'a> {
    form: &'static str,
    /// The group, or `group/version`; null for the order of groups.
    subject: Option<&'a str>,
    predicted: &'a str,
    observed: &'a str,
}

impl<'a> VerificationJson<'a> {
    pub(super) fn new(server: &'a str, verification: &'a Verification) -> Self {
        let differing = verification.differing();
        let agree = verification.agreeing();
        let mut reasons = BTreeMap::new();
        for why in verification.judged.iter().filter_map(|one| one.incomparable) {
            *reasons.entry(why.as_str()).or_default() += 1;
        }
        let (asked, all) = verification.coverage;
        Self {
            server: non_empty(server),
            seed: verification.seed,
            samples: verification.samples,
            requests: verification.judged.len(),
            repeated: verification.repeated,
            agree,
            differ: differing.len(),
            not_comparable: verification.judged.len() - agree - differing.len(),
            reasons,
            group_versions: CoverageJson { asked, all },
            differences: differing.into_iter().map(ProbeJson::from).collect(),
            documents: verification.documents.iter().map(DocumentJson::from).collect(),
        }
    }
}

impl<'a> From<&'a Judged> for ProbeJson<'a> {
    fn from(one: &'a Judged) -> Self {
        let prediction = &one.prediction;
        Self {
            path: &one.probe.path,
            aggregated: one.probe.form == Form::Aggregated,
            class: one.probe.class.as_str(),
            predicted: PredictedJson {
                outcome: prediction.outcome.as_str(),
                status: prediction.expected.status(),
                shows: prediction.expected.as_str(),
                server: prediction.server.map(Server::as_str),
                api_service: prediction.api_service.as_deref(),
                hops: &prediction.hops,
            },
            observed: ObservedJson::from(&one.observed),
        }
    }
}

impl<'a> From<&'a Observed> for ObservedJson<'a> {
    fn from(observed: &'a Observed) -> Self {
        match observed {
            Observed::Answer { status, evidence } => Self {
                status: Some(*status),
                shows: evidence.as_str(),
                of: match evidence {
                    Evidence::Document(of) | Evidence::NoObject(of) => non_empty(of),
                    _ => None,
                },
            },
            Observed::Nothing(why) => Self { status: None, shows: why.as_str(), of: None },
        }
    }
}

impl<'a> From<&'a (&'static str, Difference)> for DocumentJson<'a> {
    fn from((form, difference): &'a (&'static str, Difference)) -> Self {
        Self {
            form,
            subject: non_empty(&difference.subject),
            predicted: &difference.merged,
            observed: &difference.served,
        }
    }
}
