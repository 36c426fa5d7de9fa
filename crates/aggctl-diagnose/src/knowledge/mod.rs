//! Knowledge about the aggregation layer: its states, the messages that programs print about it,
//! their causes, and what to run next.
//!
//! `entries/` has one Markdown file per entry; adding a file adds an entry. `doctor`, `health`,
//! `explain` and lint use the same entries.

mod cause;
mod component;
mod entry;
mod fill;
mod group;
mod mechanism;
mod owner;
mod pattern;
mod words;

pub use cause::{FailureCause, cause_of, known_cause};
pub use component::{Component, components, hints};
pub(crate) use entry::candidates;
pub use entry::{
    EntryWeight, KnowledgeEntry, Layer, NextStep, SharedWith, UsualCause, entries, find,
};
pub use group::{GroupKind, group_kind};
pub(crate) use mechanism::DESCRIBE;
pub use owner::{GroupOwner, owner};
pub(crate) use pattern::{PatternMatch, is_front_proxy, is_version};
pub use words::{
    Description, advice, describe, describe_code, names, next, next_of, phrase, sentence, severity,
};

#[cfg(test)]
mod tests;
