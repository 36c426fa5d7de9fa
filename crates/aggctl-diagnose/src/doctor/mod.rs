//! Diagnoses why an APIService does not work, with the same checks in the same order as the API
//! server.
//!
//! For an APIService with a Service the checks are: does the Service exist, does it have the port,
//! are there endpoints, is one of them ready, which address is dialed, can its certificate be
//! trusted, does discovery answer, is the aggregated document fresh. The first broken check decides
//! the verdict.
//!
//! There are three layers:
//! - `objects`, `endpoints`, `tls`, `front_proxy`, `bindings`, `condition`, `discovery` and
//!   `direct` collect evidence.
//! - `fold` turns the evidence into checks. `diagnose` derives the verdict from them; `finding`,
//!   `agreement`, `consequence` and `advice` derive the rest.
//! - `wording` puts all of it into English.
//!
//! The current time and the results of direct connections ([`Probe`]) are arguments.

mod advice;
mod age;
mod agreement;
mod bindings;
mod check;
mod command;
mod condition;
mod consequence;
mod diagnose;
mod diagnosis;
mod direct;
mod discovery;
mod endpoints;
mod evidence;
mod fact;
mod finding;
mod fold;
mod front_proxy;
mod objects;
mod standing;
#[cfg(test)]
mod tests;
mod tls;
mod wording;
mod writer;

pub use crate::probe::{Handshake, Probe, ProbeFailure, ProbePhase};
pub use age::{Age, short_age};
pub use agreement::{Agreement, Contradiction};
pub use check::{CheckState, DoctorCheck};
pub use command::quoted;
pub use consequence::common_consequences;
pub use diagnose::{DoctorIndexes, Probes, RESTS_ON, diagnose, diagnose_all};
pub use diagnosis::{
    Action, Advice, Consequence, Diagnosis, DoctorFinding, DoctorVerdict, Effect, Reported,
    SuggestedCommand, Summary,
};
pub use fact::{CaSource, Fact};
pub use standing::{HealthSummary, Standings, changes, matches_name, standings, waited_for};
pub use writer::{ManagedWith, Writer, WrittenBy};
