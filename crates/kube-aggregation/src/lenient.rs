//! Helpers for serde fields that treat null as absent, and that are omitted if they have their
//! default.

use serde::{Deserialize, Deserializer};

/// Decodes `null` like an absent field, as the default.
///
/// # Errors
/// If the value is neither null nor of that type.
pub fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
