//! One document with all that is to be said about it.

use super::compare::{self, Difference};
use super::document::{self, Document, Taken};
use super::merge;
use crate::model::{Form, GroupVersion, Snapshot};
use crate::registry::{Assumption, Instead, Registry};

/// A discovery document, and how it came about.
#[derive(Debug)]
pub struct Page<'s> {
    /// The document.
    pub document: Document,
    /// Where it was taken from.
    pub taken: Taken,
    /// The server's own text, where the document is the server's.
    pub text: Option<&'s str>,
    /// Lists of group versions that were not there to merge.
    pub assumed: Vec<Assumption>,
    /// Where it was merged: on what the server's own document says otherwise.
    pub differences: Vec<Difference>,
}

/// The document at a path, as [`document::document`] finds it.
pub fn page<'s>(registry: &Registry<'s>, path: &str, form: Form, merged: bool) -> Option<Page<'s>> {
    let (document, taken) = document::document(registry, path, form, merged)?;
    let snapshot = registry.snapshot;
    let text = as_served(snapshot, path, form).filter(|_| !merged || taken == Taken::Served);
    let mut page = Page { document, taken, text, assumed: vec![], differences: vec![] };
    let assumed = |lists: Vec<GroupVersion>, instead: Instead| {
        let any = !lists.is_empty();
        any.then(|| registry.without_lists(lists, instead))
    };
    match (&page.document, taken) {
        (Document::Resources(gv, _), Taken::Plain) => {
            page.assumed.extend(assumed(vec![gv.clone()], registry.plain_server()));
        }
        (Document::Groups(_), Taken::Merged) => {
            if let Some(served) = snapshot.legacy_groups.loaded() {
                page.differences = compare::legacy_differences(&merge::legacy(registry), served);
            }
        }
        (Document::Aggregated(_), Taken::Merged) if path.trim_matches('/') == "apis" => {
            let parts = merge::aggregated(registry);
            if let Some(served) = snapshot.aggregated_groups.loaded() {
                page.differences = compare::aggregated_differences(&parts, served);
            }
            page.assumed.extend(assumed(parts.without_resources, Instead::WithoutResources));
            page.assumed.extend(assumed(parts.from_plain, registry.plain_server()));
        }
        _ => {}
    }
    Some(page)
}

/// The text of the document at a path, where the server's own is in the source.
fn as_served<'s>(snapshot: &'s Snapshot, path: &str, form: Form) -> Option<&'s str> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let form = if parts.len() == 1 { form } else { Form::Legacy };
    snapshot.as_served.get(&(format!("/{}", parts.join("/")), form)).map(String::as_str)
}
