//! The value that the OpenAPI formats show: what each group version publishes.

use crate::render::ResponseMeta;
use aggctl_openapi::{OpenApiReview, Served};

/// The documents to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forms {
    /// `/openapi/v2`
    pub v2: bool,
    /// `/openapi/v3`
    pub v3: bool,
}

/// Group versions, and findings about their documents.
#[derive(Debug)]
pub struct OpenApiAnswer<'a, 'r> {
    /// The selected group versions and their findings.
    pub review: &'a OpenApiReview<'r>,
    /// `/openapi/v2`
    pub document: &'a Served,
    /// The documents to show.
    pub forms: Forms,
    /// Whether they were named, so that each is shown in detail.
    pub named: bool,
    /// Whether a terminal lists healthy built-in ones too.
    pub all: bool,
    pub meta: ResponseMeta<'a>,
}
