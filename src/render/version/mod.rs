//! Which aggctl, which Kubernetes versions it knows, which server it speaks to.

mod json;
mod text;

pub(in crate::render) use json::VersionInfoJson;

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::Basis;
use crate::model::Minor;

/// Versions of everything.
#[derive(Debug)]
pub struct VersionAnswer<'a> {
    /// Of aggctl.
    pub client: &'a str,
    /// Of the plain Kubernetes servers inside it.
    pub embedded: &'a [Minor],
    /// Of the server, where there is one.
    pub server: Option<&'a str>,
    /// What it rests on.
    pub basis: Basis<'a>,
}

impl Answer for VersionAnswer<'_> {
    fn text(&self, _: Page) -> String {
        text::text(self)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("VersionInfo", VersionInfoJson::new(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        [self.basis.answer("VersionInfo", VersionInfoJson::new(self))]
    }
}
