//! Looks up one definition of the merged document: its owner, and its conflicts with others.

use super::contribution::Contribution;
use super::review::OpenApiReview;
use kube_aggregation::registry::Registry;

/// A definition of the merged document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name in the merged document.
    pub name: String,
    /// The owner of the definition.
    pub owner: String,
    /// The name before it was renamed, if it was.
    pub original: Option<String>,
    /// The owner of the definition that has the original name.
    pub met: Option<String>,
    /// Other Services with an identical definition.
    pub reused_by: Vec<String>,
    /// Services that share the definition, although their own one refers to other types.
    pub borrowed_by: Vec<String>,
    /// Services that added kinds to it.
    pub kinds_from: Vec<String>,
}

/// Finds a definition by its name.
pub fn definition(
    review: &OpenApiReview<'_>,
    registry: &Registry<'_>,
    name: &str,
) -> Option<Definition> {
    let merged = review.merged.as_ref()?;
    let owner = merged.definitions.get(name)?.owner;
    let parts = || merged.parts.iter().zip(&review.services);
    let renamed: Vec<_> = parts()
        .flat_map(|(part, service)| part.renamed.iter().map(move |one| (one, service)))
        .filter(|(one, _)| one.to == name)
        .collect();
    let met = renamed.first().map(|(one, _)| one);
    let owner = review.owner(owner, name, registry);
    let with = |has: &dyn Fn(&Contribution) -> bool| -> Vec<String> {
        parts().filter(|(part, _)| has(part)).map(|(_, service)| service.clone()).collect()
    };
    Some(Definition {
        name: name.to_owned(),
        original: met.map(|one| one.name.clone()),
        met: met.map(|one| review.owner(one.owner, &one.name, registry)),
        reused_by: renamed.iter().map(|(_, s)| *s).filter(|s| **s != owner).cloned().collect(),
        borrowed_by: with(&|part| part.borrowed.iter().any(|one| one.name == name)),
        kinds_from: with(&|part| part.kinds.iter().any(|one| one == name)),
        owner,
    })
}

/// Returns the names of all definitions.
pub fn definition_names<'r>(review: &'r OpenApiReview<'_>) -> impl Iterator<Item = &'r str> {
    review.merged.iter().flat_map(|merged| merged.definitions.keys()).map(|name| &**name)
}
