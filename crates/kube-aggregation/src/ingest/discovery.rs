//! Adds discovery documents to a builder: groups, and the resources of group versions.

use super::SnapshotBuilder;
use super::part::Part;
use crate::codec::{AggregatedListObject, GroupObject, ResourceListObject};
use crate::model::{AggregatedGroup, DiscoveryForm, GroupVersion};

/// Adds the legacy document `/apis`.
pub(super) fn groups(builder: &mut SnapshotBuilder, file: &str, groups: Vec<GroupObject>) {
    let groups = groups.into_iter().map(Into::into).collect();
    let conflict = builder.legacy_groups.add((), groups, 0, file);
    builder.note_conflict(conflict, |()| "the document /apis".to_owned());
}

/// Adds an APIResourceList.
pub(super) fn resource_list<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
    list: ResourceListObject,
) -> Result<(), String> {
    let Some(gv) = GroupVersion::parse(&list.group_version) else {
        return Err(format!(
            "APIResourceList of {:?}, which is not a group version",
            list.group_version
        ));
    };
    if builder.as_served.is_some() {
        builder.keep_text(gv.root_path(), DiscoveryForm::Legacy, part);
    }
    let resources = list.resources.into_iter().map(Into::into).collect();
    let conflict = builder.resource_lists.add(gv, resources, 0, file);
    builder.note_conflict(conflict, |gv| format!("the APIResourceList of {gv}"));
    Ok(())
}

/// Returns whether the file name shows that the document was requested with `profile=nopeer`.
fn is_without_peers(file: &str) -> bool {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    name.split('.').next().is_some_and(|stem| stem.ends_with("-nopeer"))
}

/// Adds the aggregated document of `/api` or `/apis`. They have the same format, but only the core
/// group has no name.
pub(super) fn aggregated<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
    list: AggregatedListObject,
) {
    let groups = list.items.into_iter().map(AggregatedGroup::from);
    // The document itself does not show that it excludes peers; only the file name does.
    if is_without_peers(file) {
        let named: Vec<_> = groups.filter(|group| !group.name.is_empty()).collect();
        if !named.is_empty() {
            let conflict = builder.own_groups.add((), named, 0, file);
            builder.note_conflict(conflict, |()| "the document /apis without peers".to_owned());
        }
        return;
    }
    let (core, named): (Vec<_>, Vec<_>) = groups.partition(|g| g.name.is_empty());
    if core.is_empty() || named.is_empty() {
        let path = if core.is_empty() { "/apis" } else { "/api" };
        builder.keep_text(path.to_owned(), DiscoveryForm::Aggregated, part);
    }
    if !core.is_empty() {
        let conflict = builder.aggregated_core.add((), core, 0, file);
        builder.note_conflict(conflict, |()| "the aggregated document /api".to_owned());
    }
    if !named.is_empty() {
        let conflict = builder.aggregated_groups.add((), named, 0, file);
        builder.note_conflict(conflict, |()| "the aggregated document /apis".to_owned());
    }
}
