//! Leaving paths out, with the definitions that only they used.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::document::{Published, reached};
use super::keys::DEFINITION;
use super::value::Value;

type Names<'n> = HashSet<&'n str, FixedState>;

/// Keeps only some paths; the others are returned. Definitions that were used and no longer are
/// go as well; those that no path ever used stay.
pub(super) fn keep(document: &mut Published<'_>, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let paths = document.paths.iter().flat_map(|paths| paths.keys());
    let dropped: Vec<String> =
        paths.filter(|path| !wanted(path)).map(|path| path.to_string()).collect();
    if dropped.is_empty() {
        return dropped;
    }
    let after = used(document, wanted);
    let gone: HashSet<String> = used(document, &|_| true)
        .difference(&after)
        .filter_map(|reference| Some(reference.strip_prefix(DEFINITION)?.to_owned()))
        .collect();
    if let Some(paths) = &mut document.paths {
        paths.retain(|path, _| wanted(path));
    }
    document.definitions.retain(|name, _| !gone.contains(&**name));
    dropped
}

/// What some paths refer to, be it through others.
fn used<'n>(document: &'n Published<'_>, wanted: &dyn Fn(&str) -> bool) -> Names<'n> {
    let more = |value: &'n Value<'_>, out: &mut Vec<&'n str>| {
        out.extend(value.references.iter().map(|reference| &**reference));
    };
    let mut first = vec![];
    let paths = document.paths.iter().flatten().filter(|(path, _)| wanted(path));
    paths.for_each(|(_, value)| more(value, &mut first));
    reached(document, first, more)
}
