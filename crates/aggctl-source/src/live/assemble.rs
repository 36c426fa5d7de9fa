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
    ///
    /// # Errors
    /// If there are too many APIServices. Every answer depends on them.
    pub(super) fn add(&mut self, documents: &[Fetched]) -> Result<(), RequestFailure> {
        for fetched in documents {
            let kind = fetched.document.listed_kind().map(|(kind, _)| kind);
            self.slow.extend(slow(fetched));
            match &fetched.result {
                Ok(pages) => {
                    self.protobuf |= fetched.document == ServerDocument::OpenApiProtobuf;
                    for page in pages {
                        let Err(why) = add_page(&mut self.builder, fetched, page) else { continue };
                        // Otherwise, only objects in the page are malformed.
                        let too_much = kind.is_some_and(|k| self.builder.is_list_incomplete(k));
                        if too_much && fetched.document == ServerDocument::ApiServices {
                            return Err(RequestFailure::too_large(why));
                        }
                        let text = format!("skipped in {}: {why}", fetched.document.words());
                        self.builder.note(NoteLevel::Warning, text);
                        if too_much {
                            break;
                        }
                    }
                    if let Some(kind) = kind.filter(|_| fetched.is_partial) {
                        self.builder.set_list_incomplete(kind);
                    }
                }
                Err(failure) => {
                    self.builder.add_missing(fetched.document.clone(), failure.unread());
                }
            }
        }
        Ok(())
    }

    /// Returns what was added so far.
    pub(super) fn found(&self) -> &SnapshotBuilder {
        &self.builder
    }

    /// Builds the snapshot.
    pub(super) fn finish(mut self, origin: Origin) -> (Snapshot, Vec<Note>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::SourceKind;
    use std::time::Duration;

    fn list(document: ServerDocument, kind: &str, version: &str) -> Fetched {
        let page = |next: &str, items: &str| {
            format!(
                r#"{{"kind":"{kind}","apiVersion":"{version}","metadata":{{{next}}},"items":[{items}]}}"#
            )
        };
        let object = r#"{"metadata":{"name":"a","namespace":"b"}}"#;
        let next = r#""continue":"x""#;
        let bomb = format!("{}{{}}", "{},".repeat(4_000_000));
        let pages = vec![page(next, object), page(next, &bomb), page("", object)];
        Fetched { document, result: Ok(pages), tag: None, is_partial: false, took: Duration::ZERO }
    }

    #[test]
    fn a_list_without_a_page_is_not_complete() {
        let origin = || Origin { kind: SourceKind::Live, name: "a".to_owned() };
        let mut assembly = Assembly::new(&Needs::default());
        let services = list(ServerDocument::Services, "ServiceList", "v1");
        assembly.add(&[services]).unwrap();
        let (snapshot, notes) = assembly.finish(origin());
        assert!(notes.iter().any(|note| note.text.starts_with("skipped in Services: more than")));
        assert_eq!(snapshot.services.items().len(), 1);
        assert!(!snapshot.listed.services);
        let mut assembly = Assembly::new(&Needs::default());
        let version = "apiregistration.k8s.io/v1";
        let services = list(ServerDocument::ApiServices, "APIServiceList", version);
        let failure = assembly.add(&[services]).unwrap_err();
        assert_eq!(failure.to_string(), "more than 4000000 JSON objects in all");
    }
}
