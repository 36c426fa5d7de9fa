//! Explains `/livez`, `/readyz` and `/healthz`: which server of the chain registers each check,
//! what the check waits for, and what clients see meanwhile.
//!
//! [`bodies`] parses the response of an endpoint, [`judge()`] evaluates it, and [`find`] describes
//! a check. The aggregator responds for the whole chain, and never contacts extension API servers.

mod answer;
mod body;
mod check;
mod expect;
mod finding;
mod judge;
mod order;
mod phase;
mod table;

pub use answer::{Answered, CheckResult, FailureReason, HealthState, HealthVerdict, Unusable};
pub use body::{bodies, is_body, reason, with_reasons, withheld};
pub use check::{HealthCheck, On, StartStage};
pub use expect::{Expect, Expected};
pub use finding::{Code, HealthFinding};
pub use judge::{Health, UnknownCheck, is_installing_routes, judge};
pub use order::{Passed, order};
pub use phase::Phase;
pub use table::{find, names};

#[cfg(test)]
mod tests;
