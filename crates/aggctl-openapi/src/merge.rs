//! `/openapi/v2`: how kube-aggregator merges what extension servers publish into what the local
//! servers have. A function of documents.

use std::collections::BTreeMap;

use super::contribution::{Contribution, MergeFailure, NotProtobuf, Owner};
use super::document::{Base, Published, Section, in_both};
use super::filter::keep;
use super::keys::{DEFINITION, PARAMETER};
use super::kinds;
use super::merged::{IndexedDefinition, Merged};
use super::names::{borrowed, free_names, rename_all, with_names};
use super::shape::Shape;
use super::value::Value;

/// What an APIService brings along.
#[derive(Debug)]
pub struct MergePart<'a> {
    /// The APIService.
    pub name: &'a str,
    /// Only paths that begin with it are taken: `/apis/GROUP/VERSION/`.
    pub prefix: String,
    /// What its Service publishes.
    pub document: Published<'a>,
}

/// Merges. A part that fails is left out of the result, for the others to be seen: the server has
/// no result then.
pub fn merge<'a>(base: &Base<'a>, parts: Vec<MergePart<'a>>) -> Merged<'a> {
    let mut merged = Merged::new(base);
    for (index, part) in parts.into_iter().enumerate() {
        let contribution = Contribution { name: part.name.to_owned(), ..Contribution::default() };
        let contribution = add(&mut merged, part, Owner::Part(index), contribution);
        merged.parts.push(contribution);
    }
    merged
}

fn add<'a>(
    merged: &mut Merged<'a>,
    part: MergePart<'a>,
    owner: Owner,
    mut told: Contribution,
) -> Contribution {
    let MergePart { prefix, mut document, .. } = part;
    if document.paths.is_none() {
        return told;
    }
    told.outside = keep(&mut document, &|path| path.starts_with(&prefix));
    let mut new: Vec<String> =
        document.paths.iter().flat_map(Section::keys).map(ToString::to_string).collect();
    let taken = document.paths.as_ref().map(|paths| names_in_both(&merged.paths, paths));
    let taken = taken.unwrap_or_default();
    new.retain(|path| taken.binary_search(path).is_err());
    if new.is_empty() {
        told.taken = taken;
        return told;
    }
    // The new paths count as prefixes: what begins with one slips through, though it is taken.
    let spoiling = beginning_with(&new, taken.iter());
    told.taken = keep(&mut document, &|path| {
        taken.binary_search_by(|one| one.as_str().cmp(path)).is_err() || spoiling.contains_key(path)
    });
    told.renamed = free_names(&merged.definitions, &document.definitions, Shape::Schema);
    told.borrowed = borrowed(&told.renamed, &document.definitions, &merged.definitions);
    rename_all(&mut document, DEFINITION, &told.renamed);
    document.definitions = with_names(document.definitions, &told.renamed);
    told.renamed_parameters =
        free_names(&merged.parameters, &document.parameters, Shape::Parameter);
    rename_all(&mut document, PARAMETER, &told.renamed_parameters);
    document.parameters = with_names(document.parameters, &told.renamed_parameters);

    // Kinds are added in place, whatever becomes of the paths.
    for name in names_in_both(&merged.definitions, &document.definitions) {
        // The one that is there stays.
        let Some(value) = document.definitions.remove(&*name) else { continue };
        let Some(entry) = merged.definitions.get_mut(&*name) else { continue };
        match kinds::unite(&name, &mut entry.value, &value) {
            Ok(false) => {}
            Ok(true) => told.kinds.push(name),
            Err(why) => told.failure = told.failure.or(Some(why)),
        }
    }
    let paths = document.paths.take().unwrap_or_default();
    if let Some(prefix) = spoiling.values().next().map(|prefix| (*prefix).to_owned()) {
        let paths = spoiling.keys().map(|path| (*path).to_owned()).collect();
        told.failure = told.failure.or(Some(MergeFailure::DuplicatedPath { prefix, paths }));
    }
    if told.failure.is_some() {
        return told;
    }
    told.paths = new;
    let unfit = |(at, value): (&_, &Value<'a>)| {
        let property = value.unfit.clone()?;
        Some(NotProtobuf { at: ToString::to_string(at), property })
    };
    let all = document.definitions.iter().chain(&document.parameters).chain(&paths);
    told.not_protobuf = all.into_iter().find_map(unfit);
    put(&mut merged.definitions, document.definitions, owner);
    document.parameters.retain(|name, _| !merged.parameters.contains_key(name));
    put(&mut merged.parameters, document.parameters, owner);
    put(&mut merged.paths, paths, owner);
    told
}

fn put<'a>(
    into: &mut Section<'a, IndexedDefinition<'a>>,
    from: Section<'a, Value<'a>>,
    owner: Owner,
) {
    let entry = |(name, value)| (name, IndexedDefinition { owner, value });
    into.append(&mut from.into_iter().map(entry).collect());
}

fn names_in_both<A, B>(have: &Section<'_, A>, new: &Section<'_, B>) -> Vec<String> {
    in_both(have, new).map(|(name, ..)| name.to_string()).collect()
}

/// The paths that begin, by letters, with one of some prefixes, and with which. Both are sorted: what
/// lies between a prefix and a path that begins with it begins with it too.
fn beginning_with<'p>(
    prefixes: &'p [String],
    paths: impl Iterator<Item = &'p String>,
) -> BTreeMap<&'p str, &'p str> {
    let mut prefixes = prefixes.iter().peekable();
    let mut last: Option<&str> = None;
    let below = |path: &'p String| {
        while let Some(prefix) = prefixes.next_if(|prefix| *prefix <= path) {
            if !last.is_some_and(|last| prefix.starts_with(last)) {
                last = Some(prefix);
            }
        }
        Some((path.as_str(), last.filter(|prefix| path.starts_with(prefix))?))
    };
    paths.filter_map(below).collect()
}
