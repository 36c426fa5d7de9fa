//! The state of the replayed API server.

use super::cache::Documents;
use super::fault::Faults;
use super::message::Request;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Route, Router, Target};

/// A request and its route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) request: &'a Request,
    pub(super) target: &'a Target<'a>,
    pub(super) route: &'a Route<'a>,
}

/// The API server of a registry.
#[derive(Debug)]
pub struct Replay<'s> {
    pub(super) registry: &'s Registry<'s>,
    pub(super) router: Router<'s>,
    pub(super) documents: Documents,
    pub(super) faults: Faults,
    /// The resource version of all lists: the highest of any object, plus how often the source was
    /// read again.
    pub(super) revision: u64,
}
