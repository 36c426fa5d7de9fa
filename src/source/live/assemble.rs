//! From answers to a snapshot that says what is missing.

use super::failure::{Failure, Kind};
use super::fetch::Fetched;
use super::needs::Document;
use crate::model::Origin;
use crate::source::Loaded;
use crate::source::facts::{Facts, Missing, State, recognise};

/// The snapshot that the answers make.
pub(super) fn snapshot(origin: Origin, documents: &[Fetched]) -> Loaded {
    let mut facts = Facts::default();
    for fetched in documents {
        match &fetched.result {
            Ok(pages) => {
                for page in pages {
                    if let Err(why) = recognise::add(&mut facts, &fetched.document.get().path, page)
                    {
                        let text = format!("left out of {}: {why}", fetched.document.words());
                        facts.notes.push(recognise::warning(text));
                    }
                }
            }
            Err(failure) => facts.missing.push(missing(&fetched.document, failure)),
        }
    }
    let (snapshot, notes) = facts.into_snapshot(origin);
    Loaded { snapshot, notes }
}

/// A document that did not come, in the words of every source.
pub(super) fn missing(document: &Document, failure: &Failure) -> Missing {
    let state = match failure.kind {
        Kind::Forbidden => State::Forbidden,
        Kind::Missing => State::NotThere,
        Kind::Unreachable | Kind::Unauthorized | Kind::Gone | Kind::Unusable => State::Failed,
    };
    Missing { document: document.clone(), state, why: failure.why.clone() }
}

/// Why there is nothing to answer from, where that is so: a version alone is no cluster.
pub(super) fn nothing(documents: &[Fetched]) -> Option<&Failure> {
    let rest = || documents.iter().filter(|f| f.document != Document::Version);
    if rest().any(|f| f.result.is_ok()) {
        return None;
    }
    let failures = || rest().filter_map(|f| f.result.as_ref().err());
    // Where one thing is wrong with all, any tells it; credentials explain the most.
    failures().find(|f| f.kind == Kind::Unauthorized).or_else(|| failures().next())
}
