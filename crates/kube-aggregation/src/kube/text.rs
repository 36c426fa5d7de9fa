//! Strings that are borrowed from the input where possible, and values of any type.

use std::borrow::Cow;
use std::fmt;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Implements the methods of a visitor for null, booleans and numbers, with one result for all.
macro_rules! visit_other_scalars {
    ($result:expr) => {
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($result)
        }

        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok($result)
        }

        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok($result)
        }

        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok($result)
        }

        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok($result)
        }
    };
}
pub(crate) use visit_other_scalars;

/// A string.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// A string, or `None` for a value of any other type.
#[derive(Debug, PartialEq)]
pub(crate) struct MaybeText<'a>(pub(crate) Option<Cow<'a, str>>);

impl<'de> Deserialize<'de> for MaybeText<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = MaybeText<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<MaybeText<'de>, E> {
                Ok(MaybeText(Some(Cow::Borrowed(text))))
            }

            fn visit_str<E>(self, text: &str) -> Result<MaybeText<'de>, E> {
                Ok(MaybeText(Some(Cow::Owned(text.to_owned()))))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<MaybeText<'de>, A::Error> {
                IgnoredAny.visit_seq(seq).map(|_| MaybeText(None))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MaybeText<'de>, A::Error> {
                IgnoredAny.visit_map(map).map(|_| MaybeText(None))
            }

            visit_other_scalars!(MaybeText(None));
        }
        deserializer.deserialize_any(Read)
    }
}
