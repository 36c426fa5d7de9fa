//! The value that the access formats show: who may send a request, and who controls an APIService.

use crate::render::ResponseMeta;
use aggctl_diagnose::access::{Attributes, Grant, Holder};
use kube_aggregation::model::ApiService;
use kube_aggregation::routing::Target;

/// What is asked about, and who has access to it.
#[derive(Debug)]
pub enum AccessTo<'a> {
    /// A request.
    Request {
        /// As it was asked for.
        target: &'a Target<'a>,
        /// What it is judged by.
        request: Attributes<'a>,
        /// What lets whom.
        grants: Vec<Grant<'a>>,
    },
    /// An APIService.
    ApiService {
        /// Which.
        service: &'a ApiService,
        /// Who can do what about it.
        holders: Vec<Holder<'a>>,
    },
}

/// Who has access to what.
#[derive(Debug)]
pub struct AccessAnswer<'a> {
    /// An entry for each thing that was asked about.
    pub answers: &'a [AccessTo<'a>],
    pub meta: ResponseMeta<'a>,
}

impl<'a> AccessTo<'a> {
    pub(super) fn grants(&self) -> Vec<&Grant<'a>> {
        match self {
            Self::Request { grants, .. } => grants.iter().collect(),
            Self::ApiService { holders, .. } => holders.iter().map(|one| &one.grant).collect(),
        }
    }
}
