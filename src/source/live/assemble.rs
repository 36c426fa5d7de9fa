//! From answers to a snapshot that says what is missing.

use std::collections::{BTreeMap, BTreeSet};

use super::failure::{Failure, Kind};
use super::fetch::Fetched;
use super::needs::Document;
use crate::model::{GroupVersion, Input, Origin, Snapshot};
use crate::source::facts::{Facts, recognise};
use crate::source::{Loaded, Note, Weight};

/// How many group versions are named in one note.
const MOST_NAMES: usize = 5;

/// The snapshot that the answers make.
pub(super) fn snapshot(origin: Origin, documents: &[Fetched]) -> Loaded {
    let mut facts = Facts::default();
    for fetched in documents {
        for page in fetched.result.iter().flatten() {
            if let Err(why) = recognise::add(&mut facts, &fetched.document.get().path, page) {
                facts.notes.push(recognise::warning(format!("left out of {}: {why}", fetched.document.words())));
            }
        }
    }
    let (mut snapshot, mut notes) = facts.into_snapshot(origin);
    for fetched in documents {
        if let Err(failure) = &fetched.result {
            mark(&mut snapshot, &fetched.document, failure);
        }
    }
    notes.extend(missing(&snapshot, documents));
    Loaded { snapshot, notes }
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

fn mark(snapshot: &mut Snapshot, document: &Document, failure: &Failure) {
    fn input<T>(failure: &Failure) -> Input<T> {
        match failure.kind {
            Kind::Forbidden => Input::Forbidden(failure.why.clone()),
            _ => Input::Failed(failure.why.clone()),
        }
    }
    match document {
        Document::Version => snapshot.version = input(failure),
        Document::Root => snapshot.root_paths = input(failure),
        Document::ApiServices => snapshot.api_services = input(failure),
        Document::Crds => snapshot.crds = input(failure),
        Document::Services => snapshot.services = input(failure),
        Document::EndpointSlices => snapshot.endpoint_slices = input(failure),
        // The aggregated question may have brought the legacy answer.
        Document::Groups if !snapshot.legacy_groups.is_loaded() => snapshot.legacy_groups = input(failure),
        Document::AggregatedGroups => snapshot.aggregated_groups = input(failure),
        Document::AggregatedCore => snapshot.aggregated_core = input(failure),
        Document::OpenApiV3 => snapshot.openapi_v3 = input(failure),
        Document::Groups | Document::Resources(_) => {}
    }
}

/// What to tell the user about what did not come.
fn missing(snapshot: &Snapshot, documents: &[Fetched]) -> Vec<Note> {
    let services: BTreeSet<&GroupVersion> = (snapshot.api_services.loaded().into_iter().flatten())
        .filter(|s| s.service.is_some())
        .map(|s| &s.group_version)
        .collect();
    let mut notes = vec![];
    let mut lists: BTreeMap<(Weight, &str), Vec<&GroupVersion>> = BTreeMap::new();
    for fetched in documents {
        let Err(failure) = &fetched.result else { continue };
        match &fetched.document {
            // A Service that does not answer is no fault of the collection, and is told elsewhere.
            Document::Resources(gv) => {
                let weight = if services.contains(gv) { Weight::Detail } else { Weight::Warning };
                lists.entry((weight, &failure.why)).or_default().push(gv);
            }
            document => {
                let text = format!("could not read {}: {}", document.words(), failure.why);
                notes.push(Note { weight: Weight::Warning, text });
            }
        }
    }
    for ((weight, why), gvs) in lists {
        let mut names: Vec<String> = gvs.iter().take(MOST_NAMES).map(ToString::to_string).collect();
        if gvs.len() > MOST_NAMES {
            names.push(format!("{} more", gvs.len() - MOST_NAMES));
        }
        let text = format!("could not read the resources of {}: {why}", names.join(", "));
        notes.push(Note { weight, text });
    }
    notes
}
