//! The value that the access formats show: who may send a request, and who controls an APIService.

use crate::render::ResponseMeta;
use aggctl_diagnose::access::{Attributes, Grant, Holder};
use kube_aggregation::model::ApiService;
use kube_aggregation::routing::Target;

/// One request or APIService, and who has access to it.
#[derive(Debug)]
pub enum AccessTo<'a> {
    /// A request.
    Request {
        /// The request as the user typed it.
        target: &'a Target<'a>,
        /// The attributes that authorization looks at.
        request: Attributes<'a>,
        /// The grants that allow it.
        grants: Vec<Grant<'a>>,
    },
    /// An APIService.
    ApiService {
        service: &'a ApiService,
        /// Who can do what with it.
        holders: Vec<Holder<'a>>,
    },
}

/// Who has access to each request or APIService.
#[derive(Debug)]
pub struct AccessAnswer<'a> {
    /// One entry per argument.
    pub answers: &'a [AccessTo<'a>],
    /// Whether text lists the accounts of Kubernetes itself one by one.
    pub all: bool,
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
