//! Lists as the server writes them: first their kind and API version, then objects that repeat
//! neither. Those are read in one go; whatever differs is for `recognise` to take apart.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Facts;
use super::recognise::{known, revision};
use super::wire::{self, ListMetadata, lenient};
use crate::model::ObjectName;

/// An object that lists are read of.
pub(super) trait Object: DeserializeOwned {
    const KIND: &'static str;

    /// Whether it has a name, and does not say itself what it is.
    fn is_bare(&self) -> bool;

    /// # Errors
    /// Where it has no name.
    fn add(self, facts: &mut Facts, file: &str) -> Result<(), String>;
}

/// Adds the objects of a list; `None` where it is another's, or broken, and nothing was added.
pub(super) fn add<T: Object>(facts: &mut Facts, file: &str, json: &str) -> Option<()> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", bound = "T: Object")]
    struct List<'a, T> {
        #[serde(borrow)]
        api_version: Cow<'a, str>,
        #[serde(default, deserialize_with = "lenient")]
        metadata: ListMetadata,
        items: Vec<T>,
    }
    // Where objects are kept as they came, or in their order, each is looked at for itself.
    if facts.objects.is_some() || facts.order.is_some() || facts.unneeded.contains(T::KIND) {
        return None;
    }
    let List { api_version, metadata, items }: List<'_, T> = serde_json::from_str(json).ok()?;
    known(T::KIND, &api_version).filter(|_| items.iter().all(T::is_bare))?;
    facts.lists(T::KIND, metadata.is_cut().then_some(file));
    items.into_iter().try_for_each(|item| item.add(facts, file)).ok()
}

impl Object for wire::ApiService {
    const KIND: &'static str = "APIService";

    fn is_bare(&self) -> bool {
        self.kind.is_none() && !self.metadata.name.is_empty()
    }

    fn add(self, facts: &mut Facts, file: &str) -> Result<(), String> {
        if self.status.is_some() {
            facts.with_status.insert(Self::KIND);
        }
        let revision = revision(Self::KIND, &self.metadata)?;
        let name = self.metadata.name.clone();
        if let Some(order) = &mut facts.order {
            order.push(ObjectName::ApiService(name.clone()));
        }
        let conflict = facts.api_services.add(name, self.into(), revision, file);
        facts.note_conflict(conflict, |name| format!("APIService {name}"));
        Ok(())
    }
}

impl Object for wire::Crd {
    const KIND: &'static str = "CustomResourceDefinition";

    fn is_bare(&self) -> bool {
        self.kind.is_none() && !self.metadata.name.is_empty()
    }

    fn add(self, facts: &mut Facts, file: &str) -> Result<(), String> {
        let revision = revision(Self::KIND, &self.metadata)?;
        let name = self.metadata.name.clone();
        if let Some(order) = &mut facts.order {
            order.push(ObjectName::Crd(name.clone()));
        }
        let conflict = facts.crds.add(name, self.into(), revision, file);
        facts.note_conflict(conflict, |name| format!("CRD {name}"));
        Ok(())
    }
}
