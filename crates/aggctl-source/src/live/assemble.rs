//! Builds a snapshot from fetched documents, round by round.

use super::document_request::DocumentRequest;
use super::failure::RequestFailure;
use super::fetch::Fetched;
use crate::needs::{Needs, ServerDocument};
use aggctl_usage::is_metrics;
use kube_aggregation::ingest::{Note, NoteLevel, SnapshotBuilder};
use kube_aggregation::model::{Cause, Origin, SLOW_OPENAPI, SlowDocument, Snapshot};

/// A snapshot under construction. Every document is decoded once, when it is added.
pub(super) struct Assembly {
    builder: SnapshotBuilder,
    slow: Vec<SlowDocument>,
    protobuf: bool,
}

impl Assembly {
    pub(super) fn new(needs: &Needs) -> Self {
        let builder = SnapshotBuilder::keeping(needs.objects, needs.texts);
        Self { builder, slow: vec![], protobuf: false }
    }

    /// Adds the documents of one round.
    pub(super) fn add(&mut self, documents: &[Fetched]) {
        for fetched in documents {
            self.slow.extend(slow(fetched));
            match &fetched.result {
                Ok(pages) => {
                    self.protobuf |= fetched.document == ServerDocument::OpenApiProtobuf;
                    for page in pages {
                        if let Err(why) = add_page(&mut self.builder, fetched, page) {
                            let text = format!("skipped in {}: {why}", fetched.document.words());
                            self.builder.note(NoteLevel::Warning, text);
                        }
                    }
                }
                Err(failure) => {
                    self.builder.add_missing(fetched.document.clone(), failure.unread());
                }
            }
        }
    }

    /// Returns what was added so far.
    pub(super) fn found(&self) -> &SnapshotBuilder {
        &self.builder
    }

    /// Builds the snapshot.
    pub(super) fn finish(mut self, origin: Origin) -> (Snapshot, Vec<Note>) {
        // All pages of each list were added.
        self.builder.set_lists_complete();
        self.builder.set_openapi_behavior(self.slow, self.protobuf);
        self.builder.build_from(origin)
    }
}

/// Returns the slow request, if a document is OpenAPI and took long.
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

fn add_page(builder: &mut SnapshotBuilder, fetched: &Fetched, page: &str) -> Result<(), String> {
    let path = fetched.document.path();
    match &fetched.document {
        ServerDocument::Health(endpoint) => builder.add_health(Some(*endpoint), page),
        ServerDocument::Metrics if is_metrics(page) => builder.set_metrics(page),
        ServerDocument::Metrics => return Err("it is something else".to_owned()),
        ServerDocument::OpenApiSample(_) => return builder.add_openapi_sample(page),
        ServerDocument::OpenApiDocument(key) => {
            builder.add_openapi_document(key, page, fetched.tag.clone());
        }
        // Only the file name distinguishes it from the document with peers.
        ServerDocument::OwnGroups => {
            return builder.add_json(&fetched.document.file_name(), page);
        }
        ServerDocument::ApiServerPods | ServerDocument::FrontProxy | ServerDocument::Leases => {
            return builder.add_selection(&path, page);
        }
        _ => return builder.add_json(&path, page),
    }
    Ok(())
}

/// Returns why the APIServices could not be read, if the server or the connection failed. Every
/// answer depends on them. If access is merely denied, discovery is used instead.
pub(super) fn broken_registrations(documents: &[Fetched]) -> Option<&RequestFailure> {
    let services =
        documents.iter().find(|fetched| fetched.document == ServerDocument::ApiServices)?;
    services.result.as_ref().err().filter(|failure| failure.cause.is_breakdown())
}

/// Returns whether the server answers, and only lists of objects cannot be read.
pub(super) fn lacks_only_objects(documents: &[Fetched]) -> bool {
    let is_list = |document: &ServerDocument| {
        document.listed_kind().is_some() || *document == ServerDocument::Leases
    };
    let (read, lost): (Vec<_>, Vec<_>) = documents.iter().partition(|f| f.result.is_ok());
    !read.is_empty() && lost.iter().all(|fetched| is_list(&fetched.document))
}

/// Returns why there is no data, if there is none. The version or health alone is not enough.
pub(super) fn nothing(documents: &[Fetched]) -> Option<&RequestFailure> {
    let rest = || documents.iter().filter(|f| !f.document.is_about_the_server());
    if rest().any(|f| f.result.is_ok()) {
        return None;
    }
    let failures = || rest().filter_map(|f| f.result.as_ref().err());
    // Usually all fail for the same reason. Rejected credentials explain the most.
    failures().find(|f| f.cause == Cause::Unauthorized).or_else(|| failures().next())
}
