//! What a cluster said, for when it is asked again.
//!
//! Discovery documents are large, seldom change, and carry an entity tag. Whoever asks in rounds
//! sends the tag along, and a server that still has the same state says so in a few bytes. What is
//! kept belongs to one server and one asker: others may be shown something else.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use reqwest::header::HeaderMap;
use url::Url;

use super::client::{Answer, Get};

/// The most that is kept, in bytes.
const MOST: usize = 64 << 20;

/// The longest tag that is worth sending back. Those of real servers have some 70 characters.
const LONGEST_TAG: usize = 1 << 10;

/// A memory that all clones share; by default there is none.
#[derive(Clone, Default)]
pub(super) struct EtagCache(Option<Arc<Mutex<Kept>>>);

/// Who asks whom.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Asker {
    pub(super) server: Url,
    /// Authorization and impersonation.
    pub(super) headers: HeaderMap,
    /// The client's certificate.
    pub(super) certificates: Option<Vec<u8>>,
}

#[derive(Default)]
struct Kept {
    asker: Option<Asker>,
    /// By path and by what was accepted.
    answers: BTreeMap<(String, &'static str), Answer>,
}

impl EtagCache {
    /// A memory that is empty.
    pub(super) fn fresh() -> Self {
        Self(Some(Arc::default()))
    }

    /// Forgets everything, unless it is this asker's.
    pub(super) fn belong_to(&self, asker: Asker) {
        self.with(|kept| {
            if kept.asker.as_ref() != Some(&asker) {
                *kept = Kept { asker: Some(asker), ..Kept::default() };
            }
        });
    }

    /// What came the last time.
    pub(super) fn recall(&self, get: &Get) -> Option<Answer> {
        self.with(|kept| kept.answers.get(&key(get)).cloned()).flatten()
    }

    /// Keeps what came, in the place of what came before, if it has a tag and there is room.
    pub(super) fn keep(&self, get: &Get, answer: &Answer) {
        let usable = |answer: &Answer| {
            let length = answer.tag.as_ref().map_or(0, |tag| tag.as_bytes().trim_ascii().len());
            (1..=LONGEST_TAG).contains(&length)
        };
        self.with(|kept| {
            if kept.answers.get(&key(get)) == Some(answer) {
                return;
            }
            kept.answers.remove(&key(get));
            let others: usize = kept.answers.values().map(|answer| answer.body.len()).sum();
            if usable(answer) && get.query.is_empty() && others + answer.body.len() <= MOST {
                kept.answers.insert(key(get), answer.clone());
            }
        });
    }

    /// Forgets one answer.
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

/// Says nothing of what is in it: the asker's credentials are.
impl fmt::Debug for EtagCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Memory(..)" } else { "Memory(none)" })
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
        Answer { body: body.to_owned(), tag }
    }

    fn asker(token: &str) -> Asker {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(token).unwrap());
        Asker { server: Url::parse("https://a").unwrap(), headers, certificates: None }
    }

    #[test]
    fn what_has_a_tag_is_kept_for_the_one_who_asked() {
        let memory = EtagCache::fresh();
        memory.belong_to(asker("me"));
        for tag in ["\"1\"", "W/\"1\"", "odd one"] {
            memory.keep(&get("/apis"), &answer("{}", tag));
            memory.belong_to(asker("me"));
            assert_eq!(memory.recall(&get("/apis")), Some(answer("{}", tag)));
        }
        let other = Get { accept: "text/plain", ..get("/apis") };
        assert_eq!((memory.recall(&other), memory.recall(&get("/api"))), (None, None));
        memory.belong_to(asker("you"));
        assert_eq!(memory.recall(&get("/apis")), None);
        let none = EtagCache::default();
        none.keep(&get("/apis"), &answer("{}", "\"1\""));
        assert_eq!(none.recall(&get("/apis")), None);
        assert!(!format!("{memory:?}").contains("you"));
    }

    #[test]
    fn what_cannot_be_asked_for_again_is_not_kept() {
        let memory = EtagCache::fresh();
        for tag in ["", " ", &"x".repeat(LONGEST_TAG + 1)] {
            memory.keep(&get("/apis"), &answer("{}", "\"1\""));
            memory.keep(&get("/apis"), &answer("{}", tag));
            assert_eq!(memory.recall(&get("/apis")), None, "{tag:?}");
        }
        let page = Get { query: "limit=1".to_owned(), ..get("/apis") };
        memory.keep(&page, &answer("{}", "\"1\""));
        assert_eq!(memory.recall(&page), None);
    }

    #[test]
    fn there_is_an_end_to_it() {
        let memory = EtagCache::fresh();
        let large = "x".repeat(MOST / 2);
        for path in ["/a", "/b", "/c"] {
            memory.keep(&get(path), &answer(&large, "\"1\""));
        }
        let kept = ["/a", "/b", "/c"].map(|path| memory.recall(&get(path)).is_some());
        assert_eq!(kept, [true, true, false]);
        memory.keep(&get("/a"), &answer("{}", "\"2\""));
        memory.keep(&get("/c"), &answer(&large, "\"1\""));
        assert!(memory.recall(&get("/b")).is_some() && memory.recall(&get("/c")).is_none());
        memory.forget(&get("/b"));
        memory.keep(&get("/c"), &answer(&large, "\"1\""));
        assert!(memory.recall(&get("/c")).is_some());
    }
}
