//! client-go's expansion of short names, and kubectl's expansion of categories.

use crate::documents::DiscoveredResource;
use crate::kubectl::Kubectl;
use crate::mapper::PartialResource;
use crate::session::Discovered;

/// What became of a word that may be a short name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expansion {
    /// What is looked up instead of the word.
    pub(crate) resource: PartialResource,
    /// Whether the word is a short name.
    pub(crate) is_short: bool,
    /// `resource.group` of others with the same short name, in order.
    pub(crate) others: Vec<String>,
}

/// Returns the resources of all lists with their groups.
fn resources<'d>(
    discovered: &'d Discovered<'_>,
) -> impl Iterator<Item = (&'d str, &'d DiscoveredResource)> {
    discovered.lists.iter().flat_map(|list| {
        let group = list.group_version.rsplit_once('/').map_or("", |(group, _)| group);
        // A group version with two slashes is not one.
        let is_valid = !group.contains('/');
        list.resources.iter().filter(move |_| is_valid).map(move |one| (group, one))
    })
}

/// Replaces a short name. Full names always precede short names, whatever their groups are.
pub(crate) fn expand(
    discovered: &Discovered<'_>,
    asked: &PartialResource,
    kubectl: Kubectl,
) -> Expansion {
    let unchanged = || Expansion { resource: asked.clone(), ..Expansion::default() };
    let in_group = |group: &str| asked.group.is_empty() || asked.group == group;
    let is_full_name = |(group, one): (&str, &DiscoveredResource)| {
        in_group(group) && (asked.resource == one.name || asked.resource == one.singular_name)
    };
    if resources(discovered).any(is_full_name) {
        return unchanged();
    }
    let short =
        || resources(discovered).filter(|(_, one)| one.short_names.contains(&asked.resource));
    let mut exact = short().filter(|(group, _)| in_group(group));
    if let Some((group, one)) = exact.next() {
        let mut others: Vec<String> = vec![];
        for (other_group, other) in exact {
            let other_name = match other_group {
                "" => other.name.clone(),
                group => format!("{}.{group}", other.name),
            };
            let same = (other_group, &other.name) == (group, &one.name);
            if !same && !others.contains(&other_name) {
                others.push(other_name);
            }
        }
        // The version that was asked for is lost since the change that added the warning.
        let keeps_version = !kubectl.warns_about_short_names();
        let version = if keeps_version { asked.version.clone() } else { String::new() };
        let resource =
            PartialResource { group: group.to_owned(), version, resource: one.name.clone() };
        return Expansion { resource, is_short: true, others };
    }
    let by_prefix =
        short().find(|(group, _)| !asked.group.is_empty() && group.starts_with(&asked.group));
    by_prefix.map_or_else(unchanged, |(group, one)| Expansion {
        resource: PartialResource {
            group: group.to_owned(),
            resource: one.name.clone(),
            ..asked.clone()
        },
        is_short: true,
        others: vec![],
    })
}

/// Returns the resources of a category as kubectl names them; empty if it is not a category.
pub(crate) fn category(discovered: &Discovered<'_>, word: &str) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for (group, resource) in resources(discovered) {
        if !resource.categories.iter().any(|category| category == word) {
            continue;
        }
        let name = match group {
            "" => resource.name.clone(),
            group => format!("{}.{group}", resource.name),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
