//! Compares an answer with its prediction.

use super::evidence::Evidence;
use super::predict::{Expected, Prediction};
use super::probe::Probe;
use kube_aggregation::words;

words! {
    /// Why an answer cannot be compared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Incomparable {
        /// The user may not send the request; authorization precedes routing.
        Forbidden = "forbidden",
        /// The server does not accept the credentials.
        Unauthorized = "unauthorized",
        /// The facts do not decide how the request ends.
        Unknown = "unknown",
        /// A backend answered, and only the backend knows its paths.
        Backend = "backend",
        /// The server asked for fewer requests until the time was over.
        Busy = "busy",
        /// There was no answer.
        NoAnswer = "no-answer",
        /// The time was over before the request was sent.
        OutOfTime = "out-of-time",
    }
}

words! {
    /// The result of one comparison.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Verdict {
        /// Status and responder are as predicted.
        Agrees = "agrees",
        /// Status or responder differ.
        Differs = "differs",
        /// The answer does not decide it.
        NotComparable = "not-comparable",
    }
}

/// What was observed for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// An answer.
    Answer {
        /// Its status.
        status: u16,
        /// What it shows.
        evidence: Evidence,
    },
    /// No answer that could be compared.
    Nothing(Incomparable),
}

/// A request with its prediction, its answer and the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The request.
    pub probe: Probe,
    /// The prediction.
    pub prediction: Prediction,
    /// What was observed.
    pub observed: Observed,
    /// Why it cannot be compared, if so.
    pub incomparable: Option<Incomparable>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Compares an answer with its prediction.
pub fn judge(probe: Probe, prediction: Prediction, observed: Observed) -> Judged {
    let result = compare(&prediction.expected, &observed);
    let verdict = match result {
        Ok(true) => Verdict::Agrees,
        Ok(false) => Verdict::Differs,
        Err(_) => Verdict::NotComparable,
    };
    Judged { probe, prediction, observed, incomparable: result.err(), verdict }
}

fn compare(expected: &Expected, observed: &Observed) -> Result<bool, Incomparable> {
    let (status, evidence) = match observed {
        Observed::Nothing(why) => return Err(*why),
        Observed::Answer { status, evidence } => (*status, evidence),
    };
    match evidence {
        Evidence::Forbidden => return Err(Incomparable::Forbidden),
        Evidence::Unauthorized => return Err(Incomparable::Unauthorized),
        Evidence::Busy => return Err(Incomparable::Busy),
        _ => {}
    }
    expected.admits(status, evidence).ok_or(match expected {
        Expected::Backend => Incomparable::Backend,
        _ => Incomparable::Unknown,
    })
}
