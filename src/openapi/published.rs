//! What a Service is said to publish.

use std::collections::BTreeSet;

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

impl<'a> Given<'a> {
    /// Reads a document.
    pub fn read(api_service: &'a str, text: &'a str) -> Self {
        #[derive(Deserialize)]
        struct Top<'a> {
            #[serde(borrow)]
            swagger: Option<&'a RawValue>,
            paths: Option<std::collections::BTreeMap<String, IgnoredAny>>,
        }
        let document = match serde_json::from_str::<Top<'_>>(text) {
            Ok(Top { swagger: None, paths: Some(paths) })
                if !paths.is_empty() && paths.keys().all(|key| !key.starts_with('/')) =>
            {
                GivenDocument::Index(paths.into_keys().collect())
            }
            _ => match Published::read(text) {
                Ok(document) => GivenDocument::V2(Box::new(document)),
                Err(error) => GivenDocument::Broken(error.to_string()),
            },
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
