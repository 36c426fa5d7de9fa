//! Who publishes which OpenAPI documents.

mod json;
mod text;

pub(in crate::render) use json::{DefinitionJson, ItemJson, OpenApiJson};

use serde::Serialize;

use super::sanitise::{Escape, escaped};
use super::{Answer, ResponseMeta, TextOptions};
use aggctl_openapi::{Definition, OpenApiReview, Served};

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
    pub basis: ResponseMeta<'a>,
}

impl Answer for OpenApiAnswer<'_, '_> {
    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("OpenAPI", json::OpenApiJson::new(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let items = json::OpenApiJson::new(self).items;
        items.into_iter().map(|item| self.basis.answer("OpenAPIGroupVersion", item))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.review.items.iter().map(|item| item.group_version.to_string())
    }
}

/// One definition.
#[derive(Debug)]
pub struct DefinitionAnswer<'a> {
    /// Which.
    pub definition: &'a Definition,
    pub basis: ResponseMeta<'a>,
}

impl Answer for DefinitionAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        text::definition(self.definition, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("OpenAPIDefinition", json::DefinitionJson::from(self.definition))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.definition.name.clone()]
    }
}

/// The merged document, as the server writes it; characters that would harm a terminal are
/// escaped, which changes no value.
pub fn openapi_document(document: Vec<u8>) -> String {
    escaped(String::from_utf8(document).unwrap_or_default(), Escape::Json)
}
