//! Caches responses by entity tag, for commands that read a cluster repeatedly.
//!
//! Discovery documents are large, rarely change, and have an entity tag. A repeated request sends
//! the tag, and the server answers 304 if nothing has changed. Cached responses belong to one
//! server and one caller, because another caller may see other documents.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use reqwest::header::HeaderMap;
use url::Url;

use super::request::{Answer, Get};

/// The maximum number of bytes to keep.
const MAX_BYTES: usize = 64 << 20;

/// The maximum length of a tag to send back. Tags of real servers have about 70 characters.
const MAX_TAG: usize = 1 << 10;

/// A cache that all clones share. The default one keeps nothing.
#[derive(Clone, Default)]
pub(super) struct EtagCache(Option<Arc<Mutex<Kept>>>);

/// The server and caller that cached responses belong to.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CacheOwner {
    pub(super) server: Url,
    /// Authorization and impersonation headers.
    pub(super) headers: HeaderMap,
    /// The client certificate.
    pub(super) certificates: Option<Vec<u8>>,
}

#[derive(Default)]
struct Kept {
    owner: Option<CacheOwner>,
    /// Responses by path and accepted media types.
    answers: BTreeMap<(String, &'static str), Answer>,
}

impl EtagCache {
    /// Returns an empty cache.
    pub(super) fn enabled() -> Self {
        Self(Some(Arc::default()))
    }

    /// Sets the owner. Removes all responses if the owner changed.
    pub(super) fn belong_to(&self, owner: CacheOwner) {
        self.with(|kept| {
            if kept.owner.as_ref() != Some(&owner) {
                *kept = Kept { owner: Some(owner), ..Kept::default() };
            }
        });
    }

    /// Returns the last response to a request.
    pub(super) fn recall(&self, get: &Get) -> Option<Answer> {
        self.with(|kept| kept.answers.get(&key(get)).cloned()).flatten()
    }

    /// Replaces the response to a request, if the new one has a tag and fits.
    pub(super) fn keep(&self, get: &Get, answer: &Answer) {
        let usable = |answer: &Answer| {
            let length = answer.tag.as_ref().map_or(0, |tag| tag.as_bytes().trim_ascii().len());
            (1..=MAX_TAG).contains(&length)
        };
        self.with(|kept| {
            if kept.answers.get(&key(get)) == Some(answer) {
                return;
            }
            kept.answers.remove(&key(get));
            let others: usize = kept.answers.values().map(|answer| answer.body.len()).sum();
            if usable(answer) && get.query.is_empty() && others + answer.body.len() <= MAX_BYTES {
                kept.answers.insert(key(get), answer.clone());
            }
        });
    }

    /// Removes one response.
    pub(super) fn forget(&self, get: &Get) {
        self.with(|kept| kept.answers.remove(&key(get)));
    }

    fn with<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> Option<T> {
        self.0.as_ref()?.lock().ok().map(|mut kept| work(&mut kept))
    }
}

fn key(get: &Get) -> (String, &'static str) {
    (get.path.clone(), get.accept)
}

/// Hides the content, which includes credentials.
impl fmt::Debug for EtagCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "EtagCache(..)" } else { "EtagCache(none)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{AUTHORIZATION, HeaderValue};

    fn get(path: &str) -> Get {
        Get { path: path.to_owned(), query: String::new(), accept: "application/json" }
    }

    fn answer(body: &str, tag: &str) -> Answer {
        let tag = (!tag.is_empty()).then(|| HeaderValue::from_str(tag).unwrap());
        Answer { body: body.to_owned(), tag, is_partial: false }
    }

    fn owner(token: &str) -> CacheOwner {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(token).unwrap());
        CacheOwner { server: Url::parse("https://a").unwrap(), headers, certificates: None }
    }

    #[test]
    fn answers_with_a_tag_are_kept_for_their_owner() {
        let cache = EtagCache::enabled();
        cache.belong_to(owner("me"));
        for tag in ["\"1\"", "W/\"1\"", "odd one"] {
            cache.keep(&get("/apis"), &answer("{}", tag));
            cache.belong_to(owner("me"));
            assert_eq!(cache.recall(&get("/apis")), Some(answer("{}", tag)));
        }
        let other = Get { accept: "text/plain", ..get("/apis") };
        assert_eq!((cache.recall(&other), cache.recall(&get("/api"))), (None, None));
        cache.belong_to(owner("you"));
        assert_eq!(cache.recall(&get("/apis")), None);
        let none = EtagCache::default();
        none.keep(&get("/apis"), &answer("{}", "\"1\""));
        assert_eq!(none.recall(&get("/apis")), None);
        assert!(!format!("{cache:?}").contains("you"));
    }

    #[test]
    fn answers_without_a_usable_tag_are_not_kept() {
        let cache = EtagCache::enabled();
        for tag in ["", " ", &"x".repeat(MAX_TAG + 1)] {
            cache.keep(&get("/apis"), &answer("{}", "\"1\""));
            cache.keep(&get("/apis"), &answer("{}", tag));
            assert_eq!(cache.recall(&get("/apis")), None, "{tag:?}");
        }
        let page = Get { query: "limit=1".to_owned(), ..get("/apis") };
        cache.keep(&page, &answer("{}", "\"1\""));
        assert_eq!(cache.recall(&page), None);
    }

    #[test]
    fn the_size_is_limited() {
        let cache = EtagCache::enabled();
        let large = "x".repeat(MAX_BYTES / 2);
        for path in ["/a", "/b", "/c"] {
            cache.keep(&get(path), &answer(&large, "\"1\""));
        }
        let kept = ["/a", "/b", "/c"].map(|path| cache.recall(&get(path)).is_some());
        assert_eq!(kept, [true, true, false]);
        cache.keep(&get("/a"), &answer("{}", "\"2\""));
        cache.keep(&get("/c"), &answer(&large, "\"1\""));
        assert!(cache.recall(&get("/b")).is_some() && cache.recall(&get("/c")).is_none());
        cache.forget(&get("/b"));
        cache.keep(&get("/c"), &answer(&large, "\"1\""));
        assert!(cache.recall(&get("/c")).is_some());
    }
}
