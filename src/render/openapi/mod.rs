//! The answers of `openapi`: what each group version publishes, and single definitions.

mod answer;
mod json;
mod text;

pub use answer::{Forms, OpenApiAnswer};
pub(in crate::render) use json::{DefinitionJson, OpenApiItemJson, OpenApiJson};

use serde::Serialize;

use super::format::Format;
use super::sanitize::{Escape, escaped};
use super::table::Grid;
use super::{Answer, ResponseMeta, TextOptions};
use aggctl_openapi::Definition;

impl Answer for OpenApiAnswer<'_, '_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        text::text(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("OpenAPI", json::OpenApiJson::new(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let items = json::OpenApiJson::new(self).items;
        items.into_iter().map(|item| self.meta.answer("OpenAPIGroupVersion", item))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.review.items.iter().map(|item| item.group_version.to_string())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let items: Vec<_> = self.review.items.iter().collect();
        Some(text::table(&items, self.forms, options))
    }
}

/// One definition of the merged document.
#[derive(Debug)]
pub struct DefinitionAnswer<'a> {
    pub definition: &'a Definition,
    pub meta: ResponseMeta<'a>,
}

impl Answer for DefinitionAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Wide, Format::Name];

    fn text(&self, page: TextOptions) -> String {
        text::definition(self.definition, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("OpenAPIDefinition", json::DefinitionJson::from(self.definition))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.definition.name.clone()]
    }
}

/// Returns the merged document as the server writes it. Characters that could harm a terminal are
/// escaped, which changes no value.
pub fn openapi_document(document: Vec<u8>) -> String {
    escaped(&String::from_utf8(document).unwrap_or_default(), Escape::Json).into_owned()
}
