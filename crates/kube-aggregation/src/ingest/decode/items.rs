//! Reads the items of a list, each straight into what it is.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess};
use serde::de::{Unexpected, Visitor};

use super::{Items, Reader};
use crate::kube::text::visit_other_scalars;

/// Reads the items of a list. `null`, like any other scalar, counts as absent.
pub(super) struct ItemsSeed<'r>(pub(super) Reader<'r>);

impl<'de> DeserializeSeed<'de> for ItemsSeed<'_> {
    type Value = Option<Items>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Items>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ItemsSeed<'_> {
    type Value = Option<Items>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Option<Items>, A::Error> {
        let Some(lists) = self.0.lists.checked_sub(1) else {
            IgnoredAny.visit_seq(seq)?;
            return Ok(Some(Err("lists are nested too deeply".to_owned())));
        };
        let mut items = vec![];
        while let Some(item) = seq.next_element_seed(Reader { lists, ..self.0 })? {
            items.push(item);
        }
        Ok(Some(Ok(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<Items>, A::Error> {
        IgnoredAny.visit_map(map).map(|_| Some(Err(not_items(Unexpected::Map))))
    }

    fn visit_str<E>(self, text: &str) -> Result<Option<Items>, E> {
        Ok(Some(Err(not_items(Unexpected::Str(text)))))
    }

    visit_other_scalars!(None);
}

fn not_items(found: Unexpected<'_>) -> String {
    let error: serde_json::Error = de::Error::invalid_type(found, &"a sequence");
    format!("its items: {error}")
}
