//! Explains an error message, a log or a condition that a user pastes.
//!
//! [`explain`] finds the entries of [`crate::knowledge`] that a text matches, and the names in it.
//! [`look_up`] finds those names in a source. [`ExplainReport`] ranks the causes by the evidence
//! and fills in commands.

mod answer;
mod backbone;
mod commands;
mod kinds;
mod lookup;
mod namespace;
mod recognize;
mod refused;
mod statement;
mod subject;
#[cfg(test)]
mod tests;

pub use answer::{EntryAnswer, ExplainReport, Likely, RankedCause};
pub use backbone::{Backbone, Direction, Speaker};
pub use commands::SuggestedStep;
pub use lookup::{Deletion, Lookup, look_up};
pub use namespace::{Blocker, NamespaceAnswer, explain_namespace};
pub use recognize::{About, EntryMatch, Explanation, explain};
pub use refused::{Refused, SaidNo, refused};
pub use subject::{TextSubject, state_of};
