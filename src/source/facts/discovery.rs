//! Discovery documents: groups, and the resources of group versions.

use super::Facts;
use super::wire;
use crate::model::{AggregatedGroup, Form, GroupVersion};

/// The legacy document `/apis`.
pub(super) fn groups(facts: &mut Facts, file: &str, groups: Vec<wire::Group>) {
    let groups = groups.into_iter().map(Into::into).collect();
    let conflict = facts.legacy_groups.add((), groups, 0, file);
    facts.note_conflict(conflict, |()| "the document /apis".to_owned());
}

/// An APIResourceList.
pub(super) fn resource_list(
    facts: &mut Facts,
    file: &str,
    json: &str,
    list: wire::ResourceList,
) -> Result<(), String> {
    let Some(gv) = GroupVersion::parse(&list.group_version) else {
        return Err(format!(
            "APIResourceList of {:?}, which is not a group version",
            list.group_version
        ));
    };
    if facts.as_served.is_some() {
        facts.keep_text(gv.root_path(), Form::Legacy, json);
    }
    let resources = list.resources.into_iter().map(Into::into).collect();
    let conflict = facts.resource_lists.add(gv, resources, 0, file);
    facts.note_conflict(conflict, |gv| format!("the APIResourceList of {gv}"));
    Ok(())
}

/// The documents of `/api` and `/apis` have one form; only the core group has no name.
pub(super) fn aggregated(facts: &mut Facts, file: &str, json: &str, list: wire::AggregatedList) {
    let groups = list.items.into_iter().map(AggregatedGroup::from);
    let (core, named): (Vec<_>, Vec<_>) = groups.partition(|g| g.name.is_empty());
    if core.is_empty() || named.is_empty() {
        let path = if core.is_empty() { "/apis" } else { "/api" };
        facts.keep_text(path.to_owned(), Form::Aggregated, json);
    }
    if !core.is_empty() {
        let conflict = facts.aggregated_core.add((), core, 0, file);
        facts.note_conflict(conflict, |()| "the aggregated document /api".to_owned());
    }
    if !named.is_empty() {
        let conflict = facts.aggregated_groups.add((), named, 0, file);
        facts.note_conflict(conflict, |()| "the aggregated document /apis".to_owned());
    }
}
