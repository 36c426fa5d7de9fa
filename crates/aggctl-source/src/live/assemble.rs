//! From answers to a snapshot that says what is missing.

use super::document_request::DocumentRequest;
use super::failure::RequestFailure;
use super::fetch::Fetched;
use super::needs::Needs;
use crate::Loaded;
use aggctl_usage::is_metrics;
use kube_aggregation::ingest::ServerDocument;
use kube_aggregation::ingest::{NoteLevel, SnapshotBuilder};
use kube_aggregation::model::{Cause, Origin, SLOW_OPENAPI, SlowDocument, Unread};

/// The snapshot that the answers make.
pub(super) fn snapshot(origin: Origin, documents: &[Fetched], needs: &Needs) -> Loaded {
    let mut builder = SnapshotBuilder::keeping(needs.objects, needs.texts);
    for fetched in documents {
        match &fetched.result {
            Ok(pages) => {
                for page in pages {
                    if let Err(why) = add(&mut builder, fetched, page) {
                        let text = format!("left out of {}: {why}", fetched.document.words());
                        builder.note(NoteLevel::Warning, text);
                    }
                }
            }
            Err(RequestFailure { cause, why, .. }) => builder
                .add_missing(fetched.document.clone(), Unread { cause: *cause, why: why.clone() }),
        }
    }
    builder.set_lists_complete();
    let protobuf =
        documents.iter().any(|f| f.document == ServerDocument::OpenApiProtobuf && f.result.is_ok());
    builder.set_openapi_behavior(documents.iter().filter_map(slow).collect(), protobuf);
    let (snapshot, notes) = builder.build_from(origin);
    Loaded { snapshot, notes }
}

/// A request for an OpenAPI document that took long.
fn slow(fetched: &Fetched) -> Option<SlowDocument> {
    let document = &fetched.document;
    let path = document.path();
    match &fetched.result {
        _ if !document.is_openapi() && *document != ServerDocument::OpenApiV3 => None,
        Err(failure) if matches!(failure.cause, Cause::Silence | Cause::OutOfTime) => {
            Some(SlowDocument { path, took: None })
        }
        _ if fetched.took > SLOW_OPENAPI => Some(SlowDocument { path, took: Some(fetched.took) }),
        _ => None,
    }
}

fn add(builder: &mut SnapshotBuilder, fetched: &Fetched, page: &str) -> Result<(), String> {
    let path = fetched.document.path();
    match &fetched.document {
        ServerDocument::Health(endpoint) => builder.add_health(Some(*endpoint), page),
        ServerDocument::Metrics if is_metrics(page) => builder.set_metrics(page),
        ServerDocument::Metrics => return Err("it is something else".to_owned()),
        ServerDocument::OpenApiSample(_) => return builder.add_openapi_sample(page),
        ServerDocument::OpenApiDocument(key) => {
            builder.add_openapi_document(key, page, fetched.tag.clone());
        }
        ServerDocument::ApiServerPods | ServerDocument::FrontProxy => {
            return builder.add_selection(&path, page);
        }
        _ => return builder.add_json(&path, page),
    }
    Ok(())
}

/// Why the APIServices could not be read, where the server or the way to it broke down: whatever
/// is left, every answer is about them. Who may not read them gets what discovery tells.
pub(super) fn broken_registrations(documents: &[Fetched]) -> Option<&RequestFailure> {
    let services =
        documents.iter().find(|fetched| fetched.document == ServerDocument::ApiServices)?;
    services.result.as_ref().err().filter(|failure| failure.cause.is_breakdown())
}

/// Why there is nothing to answer from, where that is so: a version alone is no cluster.
pub(super) fn nothing(documents: &[Fetched]) -> Option<&RequestFailure> {
    // Nor is it one that only says how it is.
    let rest = || documents.iter().filter(|f| !f.document.is_about_the_server());
    if rest().any(|f| f.result.is_ok()) {
        return None;
    }
    let failures = || rest().filter_map(|f| f.result.as_ref().err());
    // Where one thing is wrong with all, any tells it; credentials explain the most.
    failures().find(|f| f.cause == Cause::Unauthorized).or_else(|| failures().next())
}
