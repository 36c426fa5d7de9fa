//! Splits a served v2 document into the part of the local servers and those of extension servers.
//!
//! The document does not show which server published what, so paths decide. A definition belongs to
//! the paths that alone use it, as when a part is filtered.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use memchr::memmem;
use serde_json::value::RawValue;

use super::contribution::{Owner, Renamed};
use super::document::{Base, OpenApiDocument, Published, Section, reached};
use super::keys::{DEFINITION, PARAMETER};
use super::names::{rename_all, with_names};
use super::shape::Shape;
use super::transcript::How;
use super::value::{Value, written};

/// A served document, split by owner.
#[derive(Default)]
pub(super) struct Split<'a> {
    pub(super) base: Base<'a>,
    /// By APIService: what it published, as far as that can be determined.
    pub(super) parts: BTreeMap<String, Published<'a>>,
    /// By APIService: the numbered definitions that its paths use.
    pub(super) numbered: BTreeMap<String, Vec<String>>,
}

/// Assigns each path to the APIService that `owner` returns. Paths without an owner stay in the
/// base, and paths for which `gone` is true are dropped.
pub(super) fn split<'a>(
    mut served: Base<'a>,
    owner: &dyn Fn(&str) -> Option<String>,
    gone: &dyn Fn(&str) -> bool,
) -> Split<'a> {
    let all = served.paths.take().unwrap_or_default();
    let mut theirs: BTreeMap<String, Section<'a, &'a RawValue>> = BTreeMap::new();
    let (mut ours, mut left) = (Section::new(), vec![]);
    for (path, raw) in all {
        if gone(&path) {
            left.push(raw);
        } else if let Some(name) = owner(&path) {
            theirs.entry(name).or_default().insert(path, raw);
        } else {
            ours.insert(path, raw);
        }
    }
    let parts = theirs.iter().map(|(name, paths)| (name.clone(), part(&served, paths))).collect();
    let numbered = theirs.iter().map(|(name, paths)| {
        let used = used(&served, paths.values().copied()).into_iter();
        let met = |name: &&str| {
            without_number(name).is_some_and(|stem| served.definitions.contains_key(stem))
        };
        (name.clone(), used.filter(met).map(str::to_owned).collect())
    });
    let numbered = numbered.collect();
    let before: Vec<_> = theirs.values().flat_map(Section::values).copied().chain(left).collect();
    if !before.is_empty() {
        let kept = used(&served, ours.values().copied());
        let before = used(&served, before.into_iter());
        let dropped: BTreeSet<&str> = before.difference(&kept).copied().collect();
        served.definitions.retain(|name, _| !dropped.contains(&**name));
    }
    served.paths = Some(ours);
    Split { base: served, parts, numbered }
}

/// Reconstructs the document that a server must have published for these paths.
fn part<'a>(served: &Base<'a>, paths: &Section<'a, &'a RawValue>) -> Published<'a> {
    let used = used(served, paths.values().copied());
    let parameters: BTreeSet<&str> = (paths.values())
        .flat_map(|raw| references(raw.get()))
        .filter_map(|reference| reference.strip_prefix(PARAMETER))
        .collect();
    let read = |section: &Section<'a, &'a RawValue>, shape, wanted: &dyn Fn(&str) -> bool| {
        let wanted = section.iter().filter(|(name, _)| wanted(name));
        let value = |(name, raw): (&Cow<'a, str>, &&'a RawValue)| {
            Some((name.clone(), Value::read(raw.get(), shape)?))
        };
        wanted.filter_map(value).collect()
    };
    let mut document: Published<'a> = OpenApiDocument {
        paths: Some(read(paths, Shape::Path, &|_| true)),
        definitions: read(&served.definitions, Shape::Schema, &|name| used.contains(name)),
        parameters: read(&served.parameters, Shape::Parameter, &|name| parameters.contains(name)),
        rest: Section::new(),
    };
    let names = original_names(&document, served);
    rename_all(&mut document, DEFINITION, &names);
    document.definitions = with_names(document.definitions, &names);
    document
}

/// Finds definitions to which the aggregator appended a number, and their original names. A name
/// counts only if another owner has the original name and this document does not use that name.
fn original_names(document: &Published<'_>, served: &Base<'_>) -> Vec<Renamed> {
    let mut by_stem: HashMap<&str, Vec<&str>> = HashMap::new();
    for name in document.definitions.keys() {
        let stem = without_number(name).filter(|stem| {
            served.definitions.contains_key(*stem) && !document.definitions.contains_key(*stem)
        });
        if let Some(stem) = stem {
            by_stem.entry(stem).or_default().push(name);
        }
    }
    let one = |(stem, names): (&str, Vec<&str>)| match names.as_slice() {
        [name] => {
            Some(Renamed { name: (*name).to_owned(), to: stem.to_owned(), owner: Owner::Local })
        }
        _ => None,
    };
    by_stem.into_iter().filter_map(one).collect()
}

/// Returns the original name: `NAME` for `NAME_v2`.
pub(super) fn without_number(name: &str) -> Option<&str> {
    let (stem, number) = name.rsplit_once("_v")?;
    (number.parse::<u32>().ok()? >= 2 && !number.starts_with('0')).then_some(stem)
}

/// Returns whether an entry of a served document equals a published one, except for names.
pub(super) fn is_path(served: &RawValue, published: &Value<'_>) -> bool {
    let original = |reference: &str| without_number(reference).map(str::to_owned);
    let how = How { rename: Some(&original), ..How::default() };
    let plain = |text| written(text, Shape::Path, how);
    plain(served.get()).is_some_and(|served| Some(served) == plain(&published.text))
}

/// Returns the definitions that no path uses.
pub(super) fn unused<'d>(document: &'d Base<'_>) -> BTreeSet<&'d str> {
    let paths = document.paths.iter().flat_map(Section::values).copied();
    let used = used(document, paths);
    document.definitions.keys().map(|name| &**name).filter(|name| !used.contains(name)).collect()
}

/// Returns the definitions that entries use, directly or indirectly.
fn used<'a>(served: &Base<'a>, entries: impl Iterator<Item = &'a RawValue>) -> BTreeSet<&'a str> {
    let more = |raw: &&'a RawValue, out: &mut Vec<&'a str>| out.extend(references(raw.get()));
    let mut first = vec![];
    entries.for_each(|raw| more(&raw, &mut first));
    let all = reached(served, first, more).into_iter();
    all.filter_map(|reference| reference.strip_prefix(DEFINITION)).collect()
}

/// Returns every reference in a text. A reference in an example counts too, which only keeps a
/// definition longer than needed.
pub(super) fn references(text: &str) -> impl Iterator<Item = &str> {
    const NAME: &str = "\"$ref\"";
    memmem::find_iter(text.as_bytes(), NAME).filter_map(move |at| {
        let after = text.get(at + NAME.len()..)?.trim_start();
        let value = after.strip_prefix(':')?.trim_start().strip_prefix('"')?;
        value.split('"').next()
    })
}
