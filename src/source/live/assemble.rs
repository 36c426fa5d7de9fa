//! From answers to a snapshot that says what is missing.

use super::document::Document;
use super::failure::Failure;
use super::fetch::Fetched;
use super::needs::Needs;
use crate::model::{Cause, HealthSample, Origin, SLOW_OPENAPI, SlowDocument, Unread};
use crate::source::Loaded;
use crate::source::facts::{Facts, Missing, openapi, recognise};
use crate::usage::is_metrics;

/// The snapshot that the answers make.
pub(super) fn snapshot(origin: Origin, documents: &[Fetched], needs: &Needs) -> Loaded {
    let mut facts = Facts::keeping(needs.objects, needs.texts);
    for fetched in documents {
        match &fetched.result {
            Ok(pages) => {
                for page in pages {
                    if let Err(why) = add(&mut facts, fetched, page) {
                        let text = format!("left out of {}: {why}", fetched.document.words());
                        facts.notes.push(recognise::warning(text));
                    }
                }
            }
            Err(Failure { cause, why, .. }) => facts.missing.push(Missing {
                document: fetched.document.clone(),
                unread: Unread { cause: *cause, why: why.clone() },
            }),
        }
    }
    // All pages came.
    facts.cut.clear();
    facts.openapi.slow = documents.iter().filter_map(slow).collect();
    facts.openapi.protobuf =
        documents.iter().any(|f| f.document == Document::OpenApiProtobuf && f.result.is_ok());
    let (snapshot, notes) = facts.into_snapshot(origin);
    Loaded { snapshot, notes }
}

/// A request for an OpenAPI document that took long.
fn slow(fetched: &Fetched) -> Option<SlowDocument> {
    let document = &fetched.document;
    let path = document.get().path;
    match &fetched.result {
        _ if !document.is_openapi() && *document != Document::OpenApiV3 => None,
        Err(failure) if matches!(failure.cause, Cause::Silence | Cause::OutOfTime) => {
            Some(SlowDocument { path, took: None })
        }
        _ if fetched.took > SLOW_OPENAPI => Some(SlowDocument { path, took: Some(fetched.took) }),
        _ => None,
    }
}

fn add(facts: &mut Facts, fetched: &Fetched, page: &str) -> Result<(), String> {
    let path = fetched.document.get().path;
    match &fetched.document {
        Document::Health(endpoint) => {
            let (endpoint, body) = (Some(*endpoint), Ok(page.to_owned()));
            facts.health.push(HealthSample { endpoint, body });
            Ok(())
        }
        Document::Metrics if is_metrics(page) => {
            facts.metrics = Some(page.to_owned());
            Ok(())
        }
        Document::Metrics => Err("it is something else".to_owned()),
        Document::OpenApiSample(_) => openapi::sample(facts, page),
        // Whose it is, its paths need not tell.
        Document::OpenApiDocument(key) => {
            openapi::document(facts, &path, key.clone(), page, fetched.tag.clone());
            Ok(())
        }
        // A selection, which must not pass for all that there are.
        Document::ApiServerPods | Document::FrontProxy => {
            let objects = facts.objects.take();
            let added = recognise::add(facts, &path, page);
            facts.objects = objects;
            added
        }
        _ => recognise::add(facts, &path, page),
    }
}

/// Why the APIServices could not be read, where the server or the way to it broke down: whatever
/// is left, every answer is about them. Who may not read them gets what discovery tells.
pub(super) fn broken_registrations(documents: &[Fetched]) -> Option<&Failure> {
    let services = documents.iter().find(|fetched| fetched.document == Document::ApiServices)?;
    services.result.as_ref().err().filter(|failure| failure.cause.is_breakdown())
}

/// Why there is nothing to answer from, where that is so: a version alone is no cluster.
pub(super) fn nothing(documents: &[Fetched]) -> Option<&Failure> {
    // Nor is it one that only says how it is.
    let rest = || documents.iter().filter(|f| !f.document.is_about_the_server());
    if rest().any(|f| f.result.is_ok()) {
        return None;
    }
    let failures = || rest().filter_map(|f| f.result.as_ref().err());
    // Where one thing is wrong with all, any tells it; credentials explain the most.
    failures().find(|f| f.cause == Cause::Unauthorized).or_else(|| failures().next())
}
