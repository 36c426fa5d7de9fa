//! Reads one object of any kind, field by field, until its kind is certain.

use std::borrow::Cow;

use serde::de::value::{CowStrDeserializer, MapAccessDeserializer};
use serde::de::{
    self, Deserialize, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, Visitor,
};
use serde_json::Value;

use super::items::ItemsSeed;
use super::{Body, Decoded, Keep, List, Reader, Untyped};
use crate::ingest::codec::Codec;
use crate::ingest::openapi::OpenApiVersion;
use crate::kube::ListMeta;
use crate::kube::text::{MaybeText, Text};

/// The fields that tell what an object is.
#[derive(Debug, Default)]
struct Tags<'de> {
    kind: Option<Cow<'de, str>>,
    api_version: Option<Cow<'de, str>>,
}

/// What an object is, once that is certain.
enum Known<'k> {
    Content(Codec, &'k str, &'k str),
    List,
    Other,
}

impl Tags<'_> {
    /// Decides what an object is; `None` if fields that tell may follow.
    fn decide<'k>(&'k self, of: Option<(&'k str, &'k str)>) -> Option<Known<'k>> {
        let (kind, version) = match (self.kind(), &self.api_version) {
            ("", _) => of?,
            (kind, Some(version)) => (kind, &**version),
            (kind, None) => (Codec::of(kind, "")?.is_discovery()).then_some((kind, ""))?,
        };
        Some(match Codec::of(kind, version) {
            Some(codec) => Known::Content(codec, kind, version),
            None if kind.ends_with("List") && !self.kind().is_empty() => Known::List,
            None => Known::Other,
        })
    }

    fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or_default()
    }

    fn api_version(&self) -> &str {
        self.api_version.as_deref().unwrap_or_default()
    }
}

/// Reads an object.
pub(super) fn read<'de, A: MapAccess<'de>>(
    reader: Reader<'_>,
    map: A,
) -> Result<Decoded, A::Error> {
    Object { reader, tags: Tags::default(), rest: Untyped::default() }.read(map)
}

/// An object that is being read.
struct Object<'r, 'de> {
    reader: Reader<'r>,
    tags: Tags<'de>,
    rest: Untyped,
}

impl<'de> Object<'_, 'de> {
    fn read<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Decoded, A::Error> {
        let reader = self.reader;
        while let Some(Text(key)) = map.next_key()? {
            let tag = match &*key {
                "kind" => &mut self.tags.kind,
                "apiVersion" => &mut self.tags.api_version,
                _ => {
                    match self.tags.decide(reader.of) {
                        Some(Known::Content(codec, kind, api_version))
                            if !reader.needs_map(Some(codec)) =>
                        {
                            let before = std::mem::take(&mut self.rest.fields).into_iter();
                            let fields = Fields { before, value: None, key: Some(key), kind, map };
                            let content = codec.decode(MapAccessDeserializer::new(fields))?;
                            return Ok(Decoded {
                                kind: kind.to_owned(),
                                api_version: api_version.to_owned(),
                                body: Body::Content(content),
                                kept: None,
                            });
                        }
                        Some(Known::Other) if !reader.needs_map(None) => {
                            map.next_value::<IgnoredAny>()?;
                            IgnoredAny.visit_map(&mut map)?;
                            break;
                        }
                        known => {
                            let is_list = matches!(known, Some(Known::List));
                            let is_certain = known.is_some();
                            self.field(key, is_list, is_certain, &mut map)?;
                        }
                    }
                    continue;
                }
            };
            let Some(MaybeText(value)) = map.next_value()? else { continue };
            // Whatever an object is whose kind is not text, it is not one of ours.
            let Some(value) = value else {
                IgnoredAny.visit_map(map)?;
                return Ok(Decoded::untyped(Body::Other));
            };
            if reader.isolate || reader.keep != Keep::default() {
                self.rest.fields.insert(key.into_owned(), value.clone().into());
            }
            *tag = Some(value);
        }
        Ok(self.finish())
    }

    /// Reads a field before it is certain that the object is one with a codec.
    fn field<A: MapAccess<'de>>(
        &mut self,
        key: Cow<'de, str>,
        is_list: bool,
        is_certain: bool,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let reader = self.reader;
        let rest = &mut self.rest;
        let may_be_document = reader.is_top() && !is_certain && !reader.isolate;
        match &*key {
            // An object of another kind may have such a field too. Where objects are kept, it has to
            // wait until the kind is certain.
            "items" if is_list || (!is_certain && !reader.keep.objects) => {
                let kind = self.tags.kind();
                let of = kind.strip_suffix("List").filter(|of| is_list && !of.is_empty());
                let of = of.map(|of| (of, self.tags.api_version()));
                rest.items = map.next_value_seed(ItemsSeed(Reader { of, ..reader }))?;
            }
            "paths" if may_be_document => rest.paths = map.next_value()?,
            "swagger" | "openapi" if may_be_document => {
                let value: Value = map.next_value()?;
                rest.openapi = OpenApiVersion::of(&key, &value);
                rest.fields.insert(key.into_owned(), value);
            }
            // Such a document is kept as text, and may be large.
            _ if may_be_document && rest.openapi.is_some() => {
                map.next_value::<IgnoredAny>()?;
            }
            _ => drop(rest.fields.insert(key.into_owned(), map.next_value()?)),
        }
        Ok(())
    }

    fn finish(self) -> Decoded {
        let Self { reader, tags, mut rest } = self;
        let (kind, api_version) = (tags.kind(), tags.api_version());
        let waiting = if rest.items.is_none() { rest.fields.get_mut("items") } else { None };
        let codec = Codec::of(kind, api_version);
        let is_list = kind.ends_with("List") && codec.is_none();
        if (is_list || kind.is_empty())
            && let Some(items) = waiting.filter(|items| !items.is_null())
        {
            let items = ItemsSeed(Reader { of: None, ..reader }).deserialize(items.take());
            rest.items = items.unwrap_or_else(|error| Some(Err(error.to_string())));
        }
        match (kind, reader.of, rest.items) {
            ("", Some((kind, api_version)), _) => {
                Decoded::of_map(kind, api_version, rest.fields, reader.keep)
            }
            ("", None, items) => {
                Decoded::untyped(Body::Untyped(Box::new(Untyped { items, ..rest })))
            }
            (_, _, Some(items)) if is_list => {
                let of = kind.strip_suffix("List").filter(|of| !of.is_empty());
                let of = of.map(|of| (of.to_owned(), api_version.to_owned()));
                let items = match &of {
                    Some((kind, version)) => items.map(|items| {
                        let typed = |item: Decoded| item.into_kind(kind, version, reader.keep);
                        items.into_iter().map(typed).collect()
                    }),
                    None => items,
                };
                let is_partial = is_partial(rest.fields.remove("metadata"));
                Decoded {
                    kind: kind.to_owned(),
                    api_version: api_version.to_owned(),
                    body: Body::List(List { items, of, is_partial }),
                    kept: None,
                }
            }
            (_, _, Some(items)) if codec == Some(Codec::AggregatedList) => {
                // They came before the kind, and are groups, not objects.
                let groups = items.unwrap_or_default().into_iter().map(Decoded::into_value);
                rest.fields.insert("items".to_owned(), groups.collect());
                Decoded::of_map(kind, api_version, rest.fields, reader.keep)
            }
            _ => Decoded::of_map(kind, api_version, rest.fields, reader.keep),
        }
    }
}

/// Whether the metadata of a list tells that other pages follow.
pub(in crate::ingest) fn is_partial(metadata: Option<Value>) -> bool {
    let metadata = metadata.and_then(|metadata| ListMeta::deserialize(metadata).ok());
    metadata.is_some_and(|metadata| metadata.is_partial())
}

/// The fields of an object whose kind is certain: those that were read before, and the rest.
struct Fields<'de, 'k, A> {
    before: serde_json::map::IntoIter,
    value: Option<Value>,
    /// A key that was read, without its value.
    key: Option<Cow<'de, str>>,
    kind: &'k str,
    map: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Fields<'de, '_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        if let Some((key, value)) = self.before.next() {
            self.value = Some(value);
            return seed.deserialize(key.into_deserializer()).map(Some);
        }
        if let Some(key) = self.key.take() {
            return seed.deserialize(CowStrDeserializer::new(key)).map(Some);
        }
        while let Some(Text(key)) = self.map.next_key()? {
            if key != "kind" {
                return seed.deserialize(CowStrDeserializer::new(key)).map(Some);
            }
            // An item of a typed list may have a kind of its own after all. The second pass reads
            // all of its fields before it decides.
            let MaybeText(kind) = self.map.next_value()?;
            if kind.as_deref() != Some(self.kind) {
                return Err(de::Error::custom("the kind follows the fields that depend on it"));
            }
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        match self.value.take() {
            Some(value) => seed.deserialize(value).map_err(de::Error::custom),
            None => self.map.next_value_seed(seed),
        }
    }
}
