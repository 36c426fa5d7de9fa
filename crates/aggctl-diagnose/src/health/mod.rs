//! What `/livez`, `/readyz` and `/healthz` say: which server of the chain each check belongs to, what it
//! waits for, and what clients see meanwhile. Pure.
//!
//! [`bodies`] reads what an endpoint answered, [`judge()`] says what follows from it, and [`find`] knows the
//! checks. The aggregator answers for the whole chain; extension API servers are never asked.

mod answer;
mod body;
mod check;
mod expect;
mod finding;
mod judge;
mod order;
mod phase;
mod table;

pub use answer::{Answered, HealthState, HealthVerdict, Judged, Unusable};
pub use body::{bodies, is_body, reason, with_reasons, withheld};
pub use check::{HealthCheck, On, StartStage, find};
pub use expect::{Expect, Expected};
pub use finding::{Code, HealthFinding};
pub use judge::{Health, judge};
pub use order::{Passed, order};
pub use phase::Phase;

use kube_aggregation::model::Snapshot;

/// The names of all checks, in the order of their lines.
pub fn names() -> impl Iterator<Item = &'static str> {
    table::CHECKS.iter().map(|check| check.name)
}

/// Whether the server of a snapshot was starting, so that 503 stands where 404 would.
pub fn is_installing_routes(snapshot: &Snapshot) -> bool {
    !snapshot.health.is_empty() && {
        let health = judge(std::slice::from_ref(&snapshot.health), snapshot.minor(), None);
        health.expect.unknown_path == Expected::Status(503)
    }
}

#[cfg(test)]
mod tests;
