//! What somebody expects of requests, written down, and whether it holds. Pure.
//!
//! A file of expectations is a small YAML: requests, each with what is expected of it. A change of
//! manifests or of a cluster that sends a request elsewhere then fails a test, not a customer.

mod parse;
mod record;

pub use parse::{Expectation, ExpectationFault, parse};
pub use record::{recorded, requests_of};

use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::routing::{RouteSummary, Router, Target};

/// Whether an expectation holds.
#[derive(Debug)]
pub struct Verdict<'e> {
    /// What was expected.
    pub expectation: &'e Expectation,
    /// What is not as expected; empty where it holds.
    pub mismatches: Vec<Mismatch>,
    /// Why the request goes the way it goes, where that is not the expected one.
    pub why: Vec<String>,
}

/// One thing that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The field.
    pub field: &'static str,
    /// What the file says.
    pub expected: String,
    /// What the source says.
    pub got: String,
}

/// Holds expectations against a router.
pub fn judge<'e>(router: &Router<'_>, expectations: &'e [Expectation]) -> Vec<Verdict<'e>> {
    expectations.iter().map(|one| judge_one(router, one)).collect()
}

fn judge_one<'e>(router: &Router<'_>, expectation: &'e Expectation) -> Verdict<'e> {
    // The parser has read the path before; one that no longer can be is a mismatch, not a panic.
    let Ok(target) = Target::parse(expectation.method, &expectation.path) else {
        let mismatch = Mismatch {
            field: "request",
            expected: expectation.path.clone(),
            got: "no path".to_owned(),
        };
        return Verdict { expectation, mismatches: vec![mismatch], why: vec![] };
    };
    let route = router.route(&target);
    let mismatches = expectation.mismatches(&route.way());
    let mut why = vec![];
    if !mismatches.is_empty() {
        why.extend(route.last_hop().map(|hop| hop.reason().to_string()));
        why.extend(router.warnings(&route).iter().map(sentence));
        why.extend(router.assumptions(&route).into_iter().map(|text| format!("assumed: {text}")));
    }
    Verdict { expectation, mismatches, why }
}

impl Expectation {
    fn mismatches(&self, way: &RouteSummary) -> Vec<Mismatch> {
        let mut found = vec![];
        let mut compare = |field, expected: Option<String>, got: String| {
            if let Some(expected) = expected.filter(|expected| *expected != got) {
                let shown = |text: String| if text.is_empty() { "none".to_owned() } else { text };
                found.push(Mismatch { field, expected: shown(expected), got: shown(got) });
            }
        };
        compare(
            "outcome",
            self.outcome.map(|o| o.as_str().to_owned()),
            way.outcome.as_str().to_owned(),
        );
        compare("handler", self.handler.clone(), way.handler.clone());
        compare("server", self.server.clone(), way.server.unwrap_or_default().to_owned());
        compare("service", self.service.clone(), way.service.clone().unwrap_or_default());
        compare(
            "apiService",
            self.api_service.clone(),
            way.api_service.clone().unwrap_or_default(),
        );
        compare("hops", self.hops.as_ref().map(|hops| hops.join(" > ")), way.hops.join(" > "));
        if !self.status.is_empty() && !self.status.iter().any(|status| way.status.contains(status))
        {
            let words =
                |all: &[u16]| all.iter().map(u16::to_string).collect::<Vec<_>>().join(" or ");
            found.push(Mismatch {
                field: "status",
                expected: words(&self.status),
                got: words(&way.status),
            });
        }
        found
    }
}
