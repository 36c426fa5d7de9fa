//! Diagnoses why an APIService does not work, check by check, as the API server proceeds.
//!
//! The checks of an APIService with a Service: does the Service exist, does it have the port, are
//! there endpoints, is one of them ready, which address is dialed, can its certificate be trusted,
//! does discovery answer, is the aggregated document fresh. The first broken check decides.
//!
//! There are three layers:
//! - `objects`, `endpoints`, `tls`, `front_proxy`, `bindings`, `condition`, `discovery` and `direct`
//!   collect evidence.
//! - `fold` makes checks of it. `diagnose` derives the verdict, `finding`, `agreement`, `consequence`
//!   and `advice` the rest.
//! - `wording` puts all of it into English.
//!
//! The time and what direct connections found ([`Probe`]) are arguments.

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
