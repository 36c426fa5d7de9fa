//! The kinds that a definition stands for: `x-kubernetes-group-version-kind`.

use std::collections::HashSet;

use serde_json::value::RawValue;

use super::contribution::MergeFailure;
use super::document::{Section, members};
use super::keys::KINDS;
use super::shape::{Shape, is_extension};
use super::value::Value;
use super::write;

/// Adds the kinds of a definition to those of the same one that is there. Whether they are more
/// now.
pub(super) fn unite<'a>(
    name: &str,
    have: &mut Value<'a>,
    more: &Value<'a>,
) -> Result<bool, MergeFailure> {
    let not_kinds = || MergeFailure::NotKinds { name: name.to_owned() };
    let added = members(&more.text).unwrap_or_default();
    let Some(more) = added.get(KINDS) else { return Ok(false) };
    let mut definition = members(&have.text).unwrap_or_default();
    let text = match definition.get(KINDS) {
        None if definition.keys().any(|name| is_extension(name)) => more.get().to_owned(),
        None => return Err(MergeFailure::KindOnPlainDefinition { name: name.to_owned() }),
        Some(have) => {
            let mut all = keyed(have).ok_or_else(not_kinds)?;
            let mut added = keyed(more).ok_or_else(not_kinds)?;
            let known: HashSet<&String> = all.iter().map(|(key, _)| key).collect();
            added.retain(|(key, _)| !known.contains(key));
            if added.is_empty() {
                return Ok(false);
            }
            all.append(&mut added);
            all.sort_by(|(a, _), (b, _)| a.cmp(b));
            let all: Vec<&str> = all.iter().map(|(_, kind)| kind.get()).collect();
            format!("[{}]", all.join(","))
        }
    };
    definition.remove(KINDS);
    let others = definition.iter().map(|(name, raw)| (&**name, raw.get()));
    let mut out = vec![];
    write::object(others.chain([(KINDS, &*text)]), &mut out);
    have.replace(&String::from_utf8_lossy(&out), Shape::Schema);
    Ok(true)
}

/// The groups of the kinds that a definition stands for.
pub(super) fn groups(definition: &str) -> Vec<String> {
    let definition = members(definition).unwrap_or_default();
    let kinds = definition.get(KINDS).and_then(|kinds| list(kinds));
    let group = |kind: &RawValue| text(&members(kind.get())?, "group");
    kinds.into_iter().flatten().filter_map(group).collect()
}

fn list(kinds: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(kinds.get()).ok()
}

fn text(members: &Section<'_, &RawValue>, name: &str) -> Option<String> {
    serde_json::from_str(members.get(name)?.get()).ok()
}

/// Kinds, with what they are told apart and sorted by.
fn keyed(kinds: &RawValue) -> Option<Vec<(String, &RawValue)>> {
    let key = |kind: &RawValue| {
        let kind = members(kind.get())?;
        let text = |name| text(&kind, name).unwrap_or_else(|| "%!s(<nil>)".to_owned());
        Some(format!("{}/{}.{}", text("group"), text("version"), text("kind")))
    };
    list(kinds)?.into_iter().map(|kind| Some((key(kind)?, kind))).collect()
}
