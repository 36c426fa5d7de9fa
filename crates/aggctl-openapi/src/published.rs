//! A document that a Service publishes, as given by the user.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::document::Published;

/// A document that the Service of an APIService publishes.
#[derive(Debug)]
pub struct Given<'a> {
    /// The name of the APIService.
    pub api_service: &'a str,
    /// The parsed document.
    pub document: GivenDocument<'a>,
}

/// A document, classified by its content.
#[derive(Debug)]
pub enum GivenDocument<'a> {
    /// The `/openapi/v2` document.
    V2(Box<Published<'a>>),
    /// An invalid `/openapi/v2` document, with the error.
    Broken(String),
    /// The keys of the `/openapi/v3` index.
    Index(BTreeSet<String>),
}

#[derive(Deserialize)]
struct Top<'a> {
    #[serde(borrow)]
    swagger: Option<&'a RawValue>,
    paths: Option<BTreeMap<String, IgnoredAny>>,
}

impl Top<'_> {
    /// Returns the keys if this is an index.
    fn keys(self) -> Option<BTreeSet<String>> {
        let paths = self.paths.filter(|_| self.swagger.is_none())?;
        let is_index = !paths.is_empty() && paths.keys().all(|key| !key.starts_with('/'));
        is_index.then(|| paths.into_keys().collect())
    }
}

impl<'a> Given<'a> {
    /// Parses and classifies a document.
    pub fn read(api_service: &'a str, text: &'a str) -> Self {
        let read = Published::read(text);
        // No path in an index begins with a slash.
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
