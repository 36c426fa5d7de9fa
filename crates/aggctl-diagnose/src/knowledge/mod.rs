//! What is known about the aggregation layer: the states it can be in, the messages that programs
//! print about it, their causes and what to run next. Pure.
//!
//! `entries/` has one readable file per entry; adding a file is enough. `doctor` and `explain` read
//! the same entries.

mod cause;
mod component;
mod entry;
mod fill;
mod owner;
mod pattern;
mod words;

pub use cause::{Cause, cause_of, known_cause};
pub use component::{Component, components, hints};
pub(crate) use entry::candidates;
pub use entry::{EntryWeight, KnowledgeEntry, Layer, NextStep, Shared, UsualCause, entries, find};
pub use owner::{Owner, owner};
pub(crate) use pattern::{Found, is_front_proxy, is_version};
pub use words::{Words, advice, names, next, next_of, phrase, says, sentence, severity, worded};

#[cfg(test)]
mod tests;
