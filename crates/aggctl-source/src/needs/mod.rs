//! What a command needs to know about a cluster: the vocabulary that commands and transports share.
//!
//! [`Needs`] names documents. `rounds` decides which of them to request first, and which others
//! follow from the first answers.

mod documents;
mod rounds;

pub use documents::{Needs, Resources};
pub use kube_aggregation::ingest::ServerDocument;
pub(crate) use rounds::{served_by_services, unavailable};
