//! Expectations about requests, and whether they hold. Pure.
//!
//! A file of expectations is YAML: requests, each with the expected outcome, handler and so on. A
//! change that routes a request elsewhere then fails a test instead of a customer.

mod parse;
mod record;

pub use parse::{Expectation, ExpectationFault, parse};
pub use record::{recorded, requests_of};

use aggctl_diagnose::knowledge::sentence;
use kube_aggregation::routing::{RouteSummary, Router, Target};

/// The result of one expectation.
#[derive(Debug)]
pub struct ExpectationVerdict<'e> {
    pub expectation: &'e Expectation,
    /// The fields that differ; empty if the expectation holds.
    pub mismatches: Vec<FieldMismatch>,
    /// Why the request is routed as it is, if the expectation does not hold.
    pub why: Vec<String>,
}

/// One field that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMismatch {
    pub field: &'static str,
    pub expected: String,
    pub got: String,
}

/// Checks expectations against a router.
pub fn judge<'e>(
    router: &Router<'_>,
    expectations: &'e [Expectation],
) -> Vec<ExpectationVerdict<'e>> {
    expectations.iter().map(|one| judge_one(router, one)).collect()
}

fn judge_one<'e>(router: &Router<'_>, expectation: &'e Expectation) -> ExpectationVerdict<'e> {
    // The parser accepted the path before, so this is not expected to fail.
    let Ok(target) = Target::parse(expectation.method, &expectation.path) else {
        let mismatch = FieldMismatch {
            field: "request",
            expected: expectation.path.clone(),
            got: "no path".to_owned(),
        };
        return ExpectationVerdict { expectation, mismatches: vec![mismatch], why: vec![] };
    };
    let route = router.route(&target);
    let mismatches = expectation.mismatches(&route.way());
    let mut why = vec![];
    if !mismatches.is_empty() {
        why.extend(route.last_hop().map(|hop| hop.reason().to_string()));
        why.extend(router.warnings(&route).iter().map(sentence));
        why.extend(router.assumptions(&route).into_iter().map(|text| format!("assumed: {text}")));
    }
    ExpectationVerdict { expectation, mismatches, why }
}

impl Expectation {
    fn mismatches(&self, way: &RouteSummary) -> Vec<FieldMismatch> {
        let mut found = vec![];
        let mut compare = |field, expected: Option<String>, got: String| {
            if let Some(expected) = expected.filter(|expected| *expected != got) {
                let shown = |text: String| if text.is_empty() { "none".to_owned() } else { text };
                found.push(FieldMismatch { field, expected: shown(expected), got: shown(got) });
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
            found.push(FieldMismatch {
                field: "status",
                expected: words(&self.status),
                got: words(&way.status),
            });
        }
        found
    }
}
