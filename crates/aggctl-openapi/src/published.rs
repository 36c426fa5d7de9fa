//! What a Service is said to publish.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::document::Published;

/// A document that the Service of an APIService publishes.
#[derive(Debug)]
pub struct Given<'a> {
    /// The APIService.
    pub api_service: &'a str,
    /// What it is.
    pub document: GivenDocument<'a>,
}

/// What a document is, told by its content.
#[derive(Debug)]
pub enum GivenDocument<'a> {
    /// Its `/openapi/v2`.
    V2(Box<Published<'a>>),
    /// Its `/openapi/v2`, which cannot be read; why.
    Broken(String),
    /// The keys of its `/openapi/v3`.
    Index(BTreeSet<String>),
}

#[derive(Deserialize)]
struct Top<'a> {
    #[serde(borrow)]
    swagger: Option<&'a RawValue>,
    paths: Option<BTreeMap<String, IgnoredAny>>,
}

impl Top<'_> {
    /// The keys, if it is an index.
    fn keys(self) -> Option<BTreeSet<String>> {
        let paths = self.paths.filter(|_| self.swagger.is_none())?;
        let is_index = !paths.is_empty() && paths.keys().all(|key| !key.starts_with('/'));
        is_index.then(|| paths.into_keys().collect())
    }
}

impl<'a> Given<'a> {
    /// Reads a document.
    pub fn read(api_service: &'a str, text: &'a str) -> Self {
        let read = Published::read(text);
        // An index has no path that begins with a slash.
        let has_paths = |document: &Published<'_>| {
            document.paths.as_ref().is_none_or(|paths| !paths.is_empty())
        };
        let index = match &read {
            Ok(document) if has_paths(document) => None,
            _ => serde_json::from_str::<Top<'_>>(text).ok().and_then(Top::keys),
        };
        let document = match (index, read) {
            (Some(index), _) => GivenDocument::Index(index),
            (None, Ok(document)) => GivenDocument::V2(Box::new(document)),
            (None, Err(error)) => GivenDocument::Broken(error.to_string()),
        };
        Self { api_service, document }
    }

    pub(super) fn index(&self) -> Option<&BTreeSet<String>> {
        match &self.document {
            GivenDocument::Index(keys) => Some(keys),
            _ => None,
        }
    }

    pub(super) fn broken(&self) -> Option<&str> {
        match &self.document {
            GivenDocument::Broken(why) => Some(why),
            _ => None,
        }
    }

    pub(super) fn v2(&self) -> Option<&Published<'a>> {
        match &self.document {
            GivenDocument::V2(document) => Some(document),
            _ => None,
        }
    }
}
