//! Describes what a command needs from a cluster. Commands and transports share these types.
//!
//! [`Needs`] lists documents. `rounds` decides which of them to request first, and which others the
//! first responses require.

mod documents;
mod rounds;

pub use documents::{Needs, Resources};
pub use kube_aggregation::ingest::ServerDocument;
pub(crate) use rounds::{served_by_services, unavailable};
