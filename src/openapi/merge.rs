//! `/openapi/v2`: how kube-aggregator merges what extension servers publish into what the local
//! servers have. A function of documents.

use super::document::{Base, Published, Section};
use super::filter::keep;
use super::kinds;
use super::merged::{Entry, Merged, Owner};
use super::names::{borrowed, free_names, rename_all, with_names};
use super::node::Node;
use super::shape::Shape;
use super::walk::{normalise, not_protobuf};

pub(super) const DEFINITION: &str = "#/definitions/";
pub(super) const PARAMETER: &str = "#/parameters/";

/// What an APIService brings along.
#[derive(Debug)]
pub struct Part<'a> {
    /// The APIService.
    pub name: &'a str,
    /// Only paths that begin with it are taken: `/apis/GROUP/VERSION/`.
    pub prefix: String,
    /// What its Service publishes.
    pub document: Published<'a>,
}

/// What became of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contribution {
    /// The APIService.
    pub name: String,
    /// The paths that it added.
    pub paths: Vec<String>,
    /// Its paths outside of the group version, which are left out.
    pub outside: Vec<String>,
    /// Its paths that the local servers have already, which are left out.
    pub taken: Vec<String>,
    /// Definitions that got another name.
    pub renamed: Vec<Renamed>,
    /// Definitions that are somebody else's word for word, but mean other types there.
    pub borrowed: Vec<Borrowed>,
    /// Parameters that got another name.
    pub renamed_parameters: Vec<Renamed>,
    /// Definitions of others that now stand for more kinds.
    pub kinds: Vec<String>,
    /// What protobuf has no place for.
    pub not_protobuf: Option<NotProtobuf>,
    /// Why nothing can be merged.
    pub failure: Option<Failure>,
}

/// A definition or parameter that met another one of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// What it was called.
    pub name: String,
    /// What it is called now.
    pub to: String,
    /// Whose the other one is.
    pub owner: Owner,
}

/// A definition that is shared, although what it refers to was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Borrowed {
    /// The definition.
    pub name: String,
    /// What it refers to, by the name that the other one's has.
    pub refers_to: String,
    /// Whose it is.
    pub owner: Owner,
}

/// A property that JSON has and protobuf has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProtobuf {
    /// The definition, the parameter or the path.
    pub at: String,
    /// The property.
    pub property: String,
}

/// Why a part spoils the whole document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// A new path is, by letters, the beginning of one that conflicts, which is then not left out.
    DuplicatedPath {
        /// The new path.
        prefix: String,
        /// The paths that conflict: the server names one of them, by chance.
        paths: Vec<String>,
    },
    /// A definition that has no extension at all is to get a kind: the server panics.
    KindOnPlainDefinition {
        /// The definition.
        name: String,
    },
    /// The kinds of a definition are not a list of kinds.
    NotKinds {
        /// The definition.
        name: String,
    },
}

/// Merges. A part that fails is left out of the result, for the others to be seen: the server has
/// no result then.
pub fn merge<'a>(base: &Base<'a>, parts: Vec<Part<'a>>) -> Merged<'a> {
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
    part: Part<'a>,
    owner: Owner,
    mut told: Contribution,
) -> Contribution {
    let Part { prefix, mut document, .. } = part;
    if document.paths.is_none() {
        return told;
    }
    let fits = normalise_all(&mut document);
    told.outside = keep(&mut document, &|path| path.starts_with(&prefix));
    let paths = document.paths.as_ref().into_iter().flat_map(Section::keys);
    let (taken, new): (Vec<_>, Vec<_>) =
        paths.map(|path| path.to_string()).partition(|path| merged.paths.contains_key(&**path));
    if new.is_empty() {
        told.taken = taken;
        return told;
    }
    if !taken.is_empty() {
        // The new paths count as prefixes.
        told.taken = keep(&mut document, &|path| begins_with(&new, path).is_some());
    }
    told.renamed = free_names(&merged.definitions, &document.definitions, Shape::Schema);
    told.borrowed = borrowed(&told.renamed, &document.definitions, &merged.definitions);
    rename_all(&mut document, DEFINITION, &told.renamed);
    document.definitions = with_names(document.definitions, &told.renamed);
    told.renamed_parameters =
        free_names(&merged.parameters, &document.parameters, Shape::Parameter);
    rename_all(&mut document, PARAMETER, &told.renamed_parameters);
    document.parameters = with_names(document.parameters, &told.renamed_parameters);

    // Kinds are added in place, whatever becomes of the paths.
    for (name, node) in &document.definitions {
        let Some(entry) = merged.definitions.get_mut(name) else { continue };
        match kinds::unite(name, entry, node) {
            Ok(false) => {}
            Ok(true) => told.kinds.push(name.to_string()),
            Err(why) => told.failure = told.failure.or(Some(why)),
        }
    }
    let paths = document.paths.take().unwrap_or_default();
    let twice = paths.keys().filter(|path| merged.paths.contains_key(&***path));
    let twice: Vec<String> = twice.map(ToString::to_string).collect();
    if let Some(first) = twice.first() {
        let prefix = begins_with(&new, first).unwrap_or_default().to_owned();
        told.failure = told.failure.or(Some(Failure::DuplicatedPath { prefix, paths: twice }));
    }
    if told.failure.is_some() {
        return told;
    }
    told.paths = new;
    let unfit = |all: &Section<'a, Node<'a>>, shape| {
        all.iter().find_map(|(at, node)| {
            let property = not_protobuf(node, shape)?.to_owned();
            Some(NotProtobuf { at: at.to_string(), property })
        })
    };
    if !fits {
        told.not_protobuf = unfit(&document.definitions, Shape::Schema)
            .or_else(|| unfit(&document.parameters, Shape::Parameter))
            .or_else(|| unfit(&paths, Shape::Path));
    }
    put(&mut merged.definitions, document.definitions, owner);
    put(&mut merged.parameters, document.parameters, owner);
    put(&mut merged.paths, paths, owner);
    told
}

fn put<'a>(into: &mut Section<'a, Entry<'a>>, from: Section<'a, Node<'a>>, owner: Owner) {
    for (name, node) in from {
        into.entry(name).or_insert_with(|| Entry::new(owner, node));
    }
}

/// The one of `sorted` that a path begins with, by letters.
fn begins_with<'p>(sorted: &'p [String], path: &str) -> Option<&'p str> {
    (1..=path.len()).filter_map(|end| path.get(..end)).find_map(|start| {
        let at = sorted.binary_search_by(|one| one.as_str().cmp(start)).ok()?;
        sorted.get(at).map(String::as_str)
    })
}

/// Makes a document what the server keeps of it. Whether protobuf has a place for all of it.
fn normalise_all(document: &mut Published<'_>) -> bool {
    let mut fits = true;
    for (node, shape) in document.entries_mut() {
        fits &= normalise(node, shape);
    }
    fits
}
