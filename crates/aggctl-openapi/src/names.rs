//! New names for definitions and parameters that meet others of their name.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::contribution::{Borrowed, Renamed};
use super::document::{Published, Section, in_both};
use super::keys::DEFINITION;
use super::merged::IndexedDefinition;
use super::shape::Shape;
use super::value::Value;

/// What meets something else of its name, and the name that it gets: that of an equal one, or the
/// first that neither side has. What is equal, definitions but for their kinds, is shared.
pub(super) fn free_names<'a>(
    have: &Section<'a, IndexedDefinition<'a>>,
    new: &Section<'a, Value<'a>>,
    shape: Shape,
) -> Vec<Renamed> {
    let mut found = vec![];
    for (name, met, value) in in_both(have, new) {
        let same = value.same(shape);
        let is_same = |entry: &IndexedDefinition<'a>| same(&entry.value);
        if is_same(met) {
            continue;
        }
        let mut numbered = (2_usize..).map(|number| format!("{name}_v{number}"));
        // The first name that nobody has, or that has the same.
        let first = numbered.find(|one| have.get(&**one).is_none_or(is_same));
        let is_free = |one: &String| !have.contains_key(&**one) && !new.contains_key(&**one);
        let to = first.filter(|one| have.contains_key(&**one) || is_free(one));
        let Some(to) = to.or_else(|| numbered.find(is_free)) else { continue };
        found.push(Renamed { name: name.to_string(), to, owner: met.owner });
    }
    found
}

/// What is shared although it refers to something that was renamed: the text is the same, the
/// types are the other one's.
pub(super) fn borrowed<'a>(
    renamed: &[Renamed],
    new: &Section<'a, Value<'a>>,
    have: &Section<'a, IndexedDefinition<'a>>,
) -> Vec<Borrowed> {
    let is_renamed = |name: &str| renamed.binary_search_by(|r| r.name.as_str().cmp(name)).is_ok();
    let mut found = vec![];
    if renamed.is_empty() {
        return found;
    }
    for (name, shared, value) in in_both(have, new).filter(|(name, ..)| !is_renamed(name)) {
        let names = value.references.iter().filter_map(|one| one.strip_prefix(DEFINITION));
        let first = { names }.find(|name| is_renamed(name));
        found.extend(first.map(|refers_to| Borrowed {
            name: name.to_string(),
            refers_to: refers_to.to_owned(),
            owner: shared.owner,
        }));
    }
    found
}

/// Renames references everywhere in a document.
pub(super) fn rename_all(document: &mut Published<'_>, prefix: &str, renamed: &[Renamed]) {
    let names = by_name(renamed);
    if names.is_empty() {
        return;
    }
    let new = |reference: &str| {
        let new = names.get(reference.strip_prefix(prefix)?)?;
        Some(format!("{prefix}{new}"))
    };
    for (value, shape) in document.entries_mut() {
        value.rename(shape, &new);
    }
}

/// A section under the new names.
pub(super) fn with_names<'a, V>(section: Section<'a, V>, renamed: &[Renamed]) -> Section<'a, V> {
    if renamed.is_empty() {
        return section;
    }
    let names = by_name(renamed);
    let new = |name: Cow<'a, str>| match names.get(&*name) {
        Some(to) => Cow::Owned((*to).to_owned()),
        None => name,
    };
    section.into_iter().map(|(name, value)| (new(name), value)).collect()
}

fn by_name(renamed: &[Renamed]) -> HashMap<&str, &str, FixedState> {
    renamed.iter().map(|one| (&*one.name, &*one.to)).collect()
}
