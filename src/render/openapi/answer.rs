//! The value that the OpenAPI formats show: what each group version publishes.

use crate::render::ResponseMeta;
use aggctl_openapi::{OpenApiReview, Served};

/// Which documents are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forms {
    /// `/openapi/v2`
    pub v2: bool,
    /// `/openapi/v3`
    pub v3: bool,
}

/// Group versions, and what was found about their documents.
#[derive(Debug)]
pub struct OpenApiAnswer<'a, 'r> {
    /// Those that were asked for, and what was found about them.
    pub review: &'a OpenApiReview<'r>,
    /// `/openapi/v2`
    pub document: &'a Served,
    /// Which documents were asked for.
    pub forms: Forms,
    /// Whether somebody asked for these by name: each at length.
    pub named: bool,
    /// Whether to list what is well and built in on a terminal too.
    pub all: bool,
    pub meta: ResponseMeta<'a>,
}
