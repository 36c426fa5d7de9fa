//! client-go's RESTMapper: from a resource to a kind, and from a kind to the resource to request.
//!
//! Both steps are lossy. A word is first mapped to a kind, and the kind to a resource: if two
//! resources of a group version share a kind, the last one of the list is requested, whatever the
//! word was.

use std::collections::HashMap;

use crate::session::Discovered;

/// A resource, as far as it was named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PartialResource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) resource: String,
}

/// A kind with its group.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct GroupKind {
    pub group: String,
    pub kind: String,
}

/// A kind with its group and version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct GroupVersionKind {
    pub group: String,
    pub version: String,
    pub kind: String,
}

/// The resource to request for a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The kind.
    pub kind: GroupVersionKind,
    /// The plural name.
    pub resource: String,
    /// Whether it is namespaced.
    pub namespaced: bool,
}

/// Why a lookup found nothing to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LookupError {
    NoMatch,
    /// Several, and no rule prefers one.
    Ambiguous,
    /// The resource is empty.
    Empty,
}

/// Why the first of several kinds is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// It is the only one.
    Only,
    /// The core group precedes all others.
    Core,
    /// Its group is the first in the list of groups.
    GroupOrder,
    /// It is the preferred version of its group.
    PreferredVersion,
    /// It is the first version of its group that has the resource. The preferred version has not.
    VersionOrder,
}

/// The resources of one group version.
#[derive(Debug)]
struct VersionMapper {
    group: String,
    version: String,
    kinds: HashMap<String, String>,
    resources: HashMap<String, (String, bool)>,
}

/// The mapper of all documents of a client.
#[derive(Debug)]
pub(crate) struct Mapper {
    versions: Vec<VersionMapper>,
    /// Groups and versions in order of preference; `None` for any version.
    priorities: Vec<(String, Option<String>)>,
    preferred: HashMap<String, String>,
}

impl VersionMapper {
    fn add(&mut self, kind: &str, plural: &str, singular: Option<&str>, namespaced: bool) {
        self.kinds.extend(singular.map(|singular| (singular.to_owned(), kind.to_owned())));
        self.kinds.insert(plural.to_owned(), kind.to_owned());
        self.resources.insert(kind.to_owned(), (plural.to_owned(), namespaced));
    }

    fn guess(&mut self, kind: &str, namespaced: bool) {
        if let Some((plural, singular)) = guessed_names(kind) {
            self.add(kind, &plural, Some(&singular), namespaced);
        }
    }

    fn kind_for(&self, asked: &PartialResource) -> Option<GroupVersionKind> {
        let kind = self.kinds.get(&asked.resource)?;
        let group = match (asked.group.as_str(), asked.version.as_str()) {
            ("", _) => true,
            (group, "") => self.group.starts_with(group),
            (group, _) => self.group == group,
        };
        let version = asked.version.is_empty() || self.version == asked.version;
        (group && version).then(|| self.named(kind))
    }

    fn mapping(&self, asked: &GroupKind, version: &str) -> Option<Mapping> {
        if self.group != asked.group || !(version.is_empty() || version == self.version) {
            return None;
        }
        let (resource, namespaced) = self.resources.get(&asked.kind)?;
        let kind = self.named(&asked.kind);
        Some(Mapping { kind, resource: resource.clone(), namespaced: *namespaced })
    }

    fn named(&self, kind: &str) -> GroupVersionKind {
        GroupVersionKind {
            group: self.group.clone(),
            version: self.version.clone(),
            kind: kind.to_owned(),
        }
    }
}

/// Returns the plural and the singular name that a kind usually has; `None` for an empty kind.
fn guessed_names(kind: &str) -> Option<(String, String)> {
    let singular = kind.to_lowercase();
    let plural = match singular.chars().next_back()? {
        _ if singular.ends_with("endpoints") => singular.clone(),
        's' => format!("{singular}es"),
        'y' => format!("{}ies", singular.strip_suffix('y').unwrap_or_default()),
        _ => format!("{singular}s"),
    };
    Some((plural, singular))
}

impl Mapper {
    pub(crate) fn new(discovered: &Discovered<'_>) -> Self {
        let mut lists = HashMap::new();
        for list in discovered.lists.iter().copied() {
            lists.insert(list.group_version.as_str(), list);
        }
        let mut mapper = Self {
            versions: vec![],
            priorities: vec![(String::new(), Some("v1".to_owned()))],
            preferred: HashMap::new(),
        };
        for group in discovered.groups {
            let has = |version: &str| {
                let mut named = group.versions.iter().filter(|one| one.version == version);
                named.any(|one| lists.contains_key(one.group_version.as_str()))
            };
            let preferred = &group.preferred_version.version;
            mapper.preferred.insert(group.name.clone(), preferred.clone());
            if !preferred.is_empty() && has(preferred) {
                mapper.priorities.push((group.name.clone(), Some(preferred.clone())));
            }
            for version in group.versions.iter().filter(|version| has(&version.version)) {
                if version.version != *preferred {
                    mapper.priorities.push((group.name.clone(), Some(version.version.clone())));
                }
                // Of two entries for one version, the last list counts.
                let mut named = group.versions.iter().filter(|one| one.version == version.version);
                let list = named.rfind(|one| lists.contains_key(one.group_version.as_str()));
                let list = list.and_then(|one| lists.get(one.group_version.as_str()));
                let mut added = VersionMapper {
                    group: group.name.clone(),
                    version: version.version.clone(),
                    kinds: HashMap::new(),
                    resources: HashMap::new(),
                };
                let resources = list.into_iter().flat_map(|list| &list.resources);
                for resource in resources.filter(|resource| !resource.name.contains('/')) {
                    let guessed = guessed_names(&resource.kind).map(|(_, singular)| singular);
                    let singular = Some(&resource.singular_name).filter(|name| !name.is_empty());
                    let singular = singular.or(guessed.as_ref()).map(String::as_str);
                    let (name, namespaced) = (&resource.name, resource.namespaced);
                    added.add(&resource.kind.to_lowercase(), name, singular, namespaced);
                    added.add(&resource.kind, name, singular, namespaced);
                    added.guess(&format!("{}List", resource.kind), namespaced);
                }
                added.guess("List", false);
                mapper.versions.push(added);
            }
        }
        let groups = discovered.groups.iter().map(|group| (group.name.clone(), None));
        mapper.priorities.extend(groups);
        mapper
    }

    /// Returns the kinds that a resource may mean, the one that is used first.
    pub(crate) fn kinds_for(
        &self,
        asked: &PartialResource,
    ) -> Result<Vec<GroupVersionKind>, LookupError> {
        if asked.resource.is_empty() {
            return Err(LookupError::Empty);
        }
        let mut asked = asked.clone();
        asked.resource = asked.resource.to_lowercase();
        if asked.version == "__internal" {
            asked.version.clear();
        }
        let mut kinds: Vec<GroupVersionKind> = vec![];
        for kind in self.versions.iter().filter_map(|version| version.kind_for(&asked)) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        if kinds.is_empty() {
            return Err(LookupError::NoMatch);
        }
        self.prefer(&[], kinds, |kind| kind)
    }

    /// Returns the resource of a kind; of its preferred version if `version` is empty.
    pub(crate) fn mapping(&self, asked: &GroupKind, version: &str) -> Result<Mapping, LookupError> {
        let found: Vec<_> =
            self.versions.iter().filter_map(|one| one.mapping(asked, version)).collect();
        if found.is_empty() {
            return Err(LookupError::NoMatch);
        }
        let first = [(asked.group.clone(), Some(version.to_owned()))];
        let mut sorted = self.prefer(&first, found, |mapping| &mapping.kind)?;
        Ok(sorted.swap_remove(0))
    }

    /// Sorts candidates by the list of priorities.
    fn prefer<T>(
        &self,
        first: &[(String, Option<String>)],
        mut candidates: Vec<T>,
        kind: impl Fn(&T) -> &GroupVersionKind,
    ) -> Result<Vec<T>, LookupError> {
        let rank = |candidate: &T| {
            let kind = kind(candidate);
            let matches = |(group, version): &(String, Option<String>)| {
                *group == kind.group && version.as_ref().is_none_or(|v| *v == kind.version)
            };
            let mut priorities = first.iter().chain(&self.priorities);
            priorities.position(matches).unwrap_or(usize::MAX)
        };
        candidates.sort_by_key(&rank);
        match candidates.as_slice() {
            // A group version that is listed twice has two equal candidates.
            [best, next, ..] if rank(best) == rank(next) => Err(LookupError::Ambiguous),
            _ => Ok(candidates),
        }
    }

    /// Returns why the first of these kinds precedes the others.
    pub(crate) fn rule(&self, kinds: &[GroupVersionKind]) -> Rule {
        match kinds {
            [first, ..] if kinds.iter().any(|kind| kind.group != first.group) => {
                if first.group.is_empty() { Rule::Core } else { Rule::GroupOrder }
            }
            [first, _, ..] if self.preferred.get(&first.group) == Some(&first.version) => {
                Rule::PreferredVersion
            }
            [_, _, ..] => Rule::VersionOrder,
            _ => Rule::Only,
        }
    }

    /// Returns the preferred version of a group.
    pub(crate) fn preferred(&self, group: &str) -> Option<&str> {
        self.preferred.get(group).map(String::as_str).filter(|version| !version.is_empty())
    }
}
