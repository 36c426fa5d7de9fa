//! Verifies the routing model on a running server. Pure: no network, no clock.
//!
//! [`choose()`] picks harmless GET requests from what is registered. [`Prediction::new`] says how
//! each ends, from the same facts. [`Evidence::new`] reads from an answer which handler wrote it,
//! and [`judge()`] compares the two.

mod choose;
mod evidence;
mod judge;
mod predict;
mod probe;
mod random;
#[cfg(test)]
mod tests;

pub use choose::{Choice, choose};
pub use evidence::{Evidence, Response};
pub use judge::{Incomparable, Judged, Observed, Verdict, judge};
pub use predict::{Expected, Prediction};
pub use probe::{Form, Probe, ProbeClass};
