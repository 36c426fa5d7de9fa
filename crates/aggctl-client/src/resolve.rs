//! kubectl's way from a word to the resource to request.

use std::rc::Rc;

use crate::mapper::{
    GroupKind, GroupVersionKind, LookupError, Mapper, Mapping, PartialResource, Rule,
};
use crate::session::{Discovered, Session};
use crate::shortcut::{self, Expansion};

/// What kind of name a word turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupKind {
    /// A plural name.
    Plural,
    /// A singular name.
    Singular,
    /// A short name.
    Short,
    /// A kind.
    Kind,
    /// A name that client-go guesses from a kind, such as `podlist`. No server serves it.
    Guessed,
}

/// A resource that a word may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The kind.
    pub kind: GroupVersionKind,
    /// The resource that is requested for the kind, if there is one.
    pub resource: Option<String>,
}

/// How kubectl understands one word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    /// The word.
    pub word: String,
    /// What kind of name it is.
    pub lookup: LookupKind,
    /// The resources that it may mean, the one that is used first.
    pub matches: Vec<Match>,
    /// Why the first one is used.
    pub rule: Rule,
    /// Other resources with the same short name, as kubectl warns about them.
    pub same_short_name: Vec<String>,
    /// The version that was asked for together with a short name, and that kubectl drops.
    pub dropped_version: Option<String>,
    /// The preferred version of the group, if another one is used.
    pub preferred_instead: Option<String>,
    /// The resource that the word names, if another one of the same kind is requested.
    pub same_kind: Option<String>,
    /// The resource to request.
    pub mapping: Mapping,
}

/// Resolves words within one run of kubectl.
#[derive(Debug)]
pub(crate) struct Resolver<'a> {
    pub(crate) session: Session<'a>,
    mapper: Option<Rc<Mapper>>,
    /// The warnings that kubectl prints, repetitions included.
    pub(crate) warnings: Vec<(String, String)>,
}

/// The kinds that a word may mean, and how it was expanded.
type Kinds = (Vec<GroupVersionKind>, Expansion);

impl<'a> Resolver<'a> {
    pub(crate) fn new(session: Session<'a>) -> Self {
        Self { session, mapper: None, warnings: vec![] }
    }

    pub(crate) fn documents(&mut self) -> Rc<Discovered<'a>> {
        self.session.documents()
    }

    fn mapper(&mut self) -> Rc<Mapper> {
        if let Some(mapper) = &self.mapper {
            return Rc::clone(mapper);
        }
        let mapper = Rc::new(Mapper::new(&self.session.documents()));
        self.mapper = Some(Rc::clone(&mapper));
        mapper
    }

    /// Repeats a failed lookup with documents of the server, if files were used.
    fn deferred<T>(
        &mut self,
        lookup: impl Fn(&Mapper) -> Result<T, LookupError>,
    ) -> Result<T, LookupError> {
        let found = lookup(&self.mapper());
        if found.is_ok() || self.session.is_fresh() {
            return found;
        }
        self.session.invalidate();
        self.mapper = None;
        lookup(&self.mapper())
    }

    fn kinds_for(&mut self, asked: &PartialResource) -> Result<Kinds, LookupError> {
        match self.kinds_once(asked) {
            Err(LookupError::NoMatch) if self.session.kubectl.expands_again() => {
                self.kinds_once(asked)
            }
            found => found,
        }
    }

    fn kinds_once(&mut self, asked: &PartialResource) -> Result<Kinds, LookupError> {
        let kubectl = self.session.kubectl;
        let expansion = shortcut::expand(&self.documents(), asked, kubectl);
        if kubectl.warns_about_short_names() {
            let others = expansion.others.iter();
            self.warnings.extend(others.map(|other| (asked.resource.clone(), other.clone())));
        }
        let kinds = self.deferred(|mapper| mapper.kinds_for(&expansion.resource))?;
        Ok((kinds, expansion))
    }

    /// Returns the resource of a kind.
    pub(crate) fn mapping(
        &mut self,
        kind: &GroupKind,
        version: &str,
    ) -> Result<Mapping, LookupError> {
        self.deferred(|mapper| mapper.mapping(kind, version))
    }

    /// Returns the resource to request for a plural name of a group.
    pub(crate) fn resource(&mut self, group: &str, resource: &str) -> Result<Mapping, LookupError> {
        let asked = PartialResource {
            group: group.to_owned(),
            version: String::new(),
            resource: resource.to_owned(),
        };
        let (kinds, _) = self.kinds_for(&asked)?;
        let first = kinds.into_iter().next().unwrap_or_default();
        self.mapping(&GroupKind { group: first.group, kind: first.kind }, &first.version)
    }

    /// Resolves a word such as `po`, `Pod`, `deployments.apps` or `deployments.v1.apps`.
    pub(crate) fn resolve(&mut self, word: &str) -> Result<Resolution, LookupError> {
        let versioned = three_parts(word);
        let (name, group) = word.split_once('.').unwrap_or((word, ""));
        let unversioned = PartialResource {
            group: group.to_owned(),
            version: String::new(),
            resource: name.to_owned(),
        };
        let mut found = None;
        if let Some(asked) = &versioned {
            found = self.kinds_for(asked).ok().map(|kinds| (kinds, asked.version.clone()));
        }
        if found.is_none() {
            found = self.kinds_for(&unversioned).ok().map(|kinds| (kinds, String::new()));
        }
        if let Some(((kinds, expansion), version)) = found {
            let first = kinds.first().cloned().unwrap_or_default();
            let asked = GroupKind { group: first.group, kind: first.kind };
            let mapping = self.mapping(&asked, &first.version)?;
            return Ok(self.resolution(word, kinds, &expansion, version, mapping));
        }
        self.as_kind(word, versioned, group)
    }

    /// Resolves a word that is not a resource: a kind, matched by case.
    fn as_kind(
        &mut self,
        word: &str,
        versioned: Option<PartialResource>,
        group: &str,
    ) -> Result<Resolution, LookupError> {
        let name = word.split('.').next().unwrap_or_default();
        let plain = GroupKind { group: group.to_owned(), kind: name.to_owned() };
        let (full, version) = match versioned {
            Some(asked) => (GroupKind { group: asked.group, kind: name.to_owned() }, asked.version),
            None => (plain.clone(), String::new()),
        };
        let mapping = self.mapping(&full, &version).or_else(|_| self.mapping(&plain, ""))?;
        let kinds = vec![mapping.kind.clone()];
        let expansion = Expansion::default();
        Ok(self.resolution(word, kinds, &expansion, version, mapping))
    }

    fn resolution(
        &mut self,
        word: &str,
        kinds: Vec<GroupVersionKind>,
        expansion: &Expansion,
        version: String,
        mapping: Mapping,
    ) -> Resolution {
        let mapper = self.mapper();
        let name = word.split('.').next().unwrap_or_default().to_lowercase();
        let documents = self.documents();
        let of_version = |kind: &GroupVersionKind| {
            let gv = match kind.group.as_str() {
                "" => kind.version.clone(),
                group => format!("{group}/{}", kind.version),
            };
            documents.lists.iter().rfind(move |list| list.group_version == gv)
        };
        let mut entries = of_version(&mapping.kind).into_iter().flat_map(|list| &list.resources);
        let asked = if expansion.is_short { &expansion.resource.resource } else { &name };
        let named = entries.clone().find(|one| one.name == *asked || one.singular_name == *asked);
        let lookup = match named {
            _ if expansion.is_short => LookupKind::Short,
            Some(one) if one.name == name => LookupKind::Plural,
            Some(_) => LookupKind::Singular,
            None if entries.any(|one| one.kind.to_lowercase() == name) => LookupKind::Kind,
            None => LookupKind::Guessed,
        };
        let same_kind = named.map(|one| &one.name).filter(|one| **one != mapping.resource).cloned();
        let rule = mapper.rule(&kinds);
        let matches = kinds.into_iter().map(|kind| {
            let asked = GroupKind { group: kind.group.clone(), kind: kind.kind.clone() };
            let resource = mapper.mapping(&asked, &kind.version).ok().map(|found| found.resource);
            Match { kind, resource }
        });
        let used = &mapping.kind;
        let preferred = mapper.preferred(&used.group).filter(|version| *version != used.version);
        Resolution {
            word: word.to_owned(),
            lookup,
            matches: matches.collect(),
            rule,
            same_short_name: expansion.others.clone(),
            dropped_version: Some(version)
                .filter(|version| expansion.is_short && !version.is_empty())
                .filter(|version| expansion.resource.version != *version),
            preferred_instead: preferred.map(str::to_owned),
            same_kind,
            mapping,
        }
    }
}

/// Parses `resource.version.group`. Every word with two dots has this form too.
fn three_parts(word: &str) -> Option<PartialResource> {
    let mut parts = word.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(resource), Some(version), Some(group)) => Some(PartialResource {
            group: group.to_owned(),
            version: version.to_owned(),
            resource: resource.to_owned(),
        }),
        _ => None,
    }
}
