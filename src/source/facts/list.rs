//! Lists as the server writes them, read in one go: first their kind and API version, then objects
//! that repeat neither. Whatever differs is for `recognise` to read.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Facts;
use super::recognise::{known, revision};
use super::wire::{self, ListMetadata};
use crate::model::ObjectName;

/// An object that lists are read of.
pub(super) trait Object: for<'de> Deserialize<'de> {
    const KIND: &'static str;

    /// Whether it says itself what it is.
    fn has_kind(&self) -> bool;

    /// # Errors
    /// Where it has no name.
    fn add(self, facts: &mut Facts, file: &str) -> Result<(), String>;
}

impl Object for wire::ApiService {
    const KIND: &'static str = "APIService";

    fn has_kind(&self) -> bool {
        self.kind.is_some()
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

    fn has_kind(&self) -> bool {
        self.kind.is_some()
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

/// Adds the objects of a list; `None` where it is another's, and then some may have been added.
pub(super) fn add<T: Object>(facts: &mut Facts, file: &str, json: &str) -> Option<()> {
    // Where objects are kept as they came, or in their order, each is looked at for itself.
    if facts.objects.is_some() || facts.order.is_some() || facts.unneeded.contains(T::KIND) {
        return None;
    }
    let mut json = serde_json::Deserializer::from_str(json);
    let is_cut = json.deserialize_map(List(Items::<T> { facts, file, of: PhantomData })).ok()?;
    json.end().ok()?;
    facts.lists(T::KIND, is_cut.then_some(file));
    Some(())
}

struct Items<'f, T> {
    facts: &'f mut Facts,
    file: &'f str,
    of: PhantomData<T>,
}

struct List<'f, T>(Items<'f, T>);

impl<'de, T: Object> Visitor<'de> for List<'_, T> {
    /// Whether it is only a page.
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut items, mut is_cut, mut is_known) = (Some(self.0), false, false);
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match &*key {
                "apiVersion" => {
                    is_known = known(T::KIND, &map.next_value::<Cow<'de, str>>()?).is_some();
                }
                "metadata" => is_cut = map.next_value::<ListMetadata>()?.is_cut(),
                "items" => match items.take().filter(|_| is_known) {
                    Some(items) => map.next_value_seed(items)?,
                    None => return Err(A::Error::custom("another's list")),
                },
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if items.is_none() { Ok(is_cut) } else { Err(A::Error::missing_field("items")) }
    }
}

impl<'de, T: Object> DeserializeSeed<'de> for Items<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Object> Visitor<'de> for Items<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the items of a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while let Some(item) = items.next_element::<T>()? {
            if item.has_kind() {
                return Err(A::Error::custom("an object of any kind"));
            }
            item.add(self.facts, self.file).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
