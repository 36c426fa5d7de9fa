//! Discovery documents as tables.

use crate::render::table::Grid;
use crate::render::{Table, TextOptions, Tone, joined};
use kube_aggregation::discovery::{DiscoveryDocument, DocumentPage as Discovered};
use kube_aggregation::model::{AggregatedGroup, ApiResource, Freshness, GroupVersion, LegacyGroup};

/// Returns the table of a document.
pub(super) fn table(of: &Discovered<'_>, page: TextOptions) -> Grid {
    match &of.document {
        DiscoveryDocument::Groups(groups) => groups_table(of, groups, page),
        DiscoveryDocument::Group(group) => groups_table(of, std::slice::from_ref(group), page),
        DiscoveryDocument::Aggregated(groups) => aggregated_table(of, groups, page),
        DiscoveryDocument::Resources(_, list) => resources_table(list, page),
        DiscoveryDocument::Versions(versions) => Table::new(versions, page)
            .column("GROUP", |_| "(core)")
            .column("VERSION", |version| version)
            .grid(),
    }
}

fn groups_table(of: &Discovered<'_>, groups: &[LegacyGroup], page: TextOptions) -> Grid {
    let rows: Vec<(&LegacyGroup, &String)> =
        groups.iter().flat_map(|group| group.versions.iter().map(move |v| (group, v))).collect();
    Table::new(&rows, page)
        .column("GROUP", |(group, _)| &group.name)
        .column("VERSION", |(_, version)| *version)
        .column(
            "PREFERRED",
            |(group, version)| if **version == group.preferred { "yes" } else { "" },
        )
        .column("SERVED BY", |(group, version)| origin(of, &group.name, version))
        .grid()
}

fn aggregated_table(of: &Discovered<'_>, groups: &[AggregatedGroup], page: TextOptions) -> Grid {
    let rows: Vec<_> =
        groups.iter().flat_map(|group| group.versions.iter().map(move |v| (group, v))).collect();
    Table::new(&rows, page)
        .column("GROUP", |(group, _)| if group.name.is_empty() { "(core)" } else { &group.name })
        .column("VERSION", |(_, version)| &version.version)
        .toned("FRESHNESS", |(_, version)| match version.freshness {
            Freshness::Current => ("Current", Tone::Good),
            Freshness::Stale => ("Stale", Tone::Bad),
            Freshness::Unknown => ("Unknown", Tone::Odd),
        })
        .column("RESOURCES", |(_, version)| match page.wide {
            true => joined(version.resources.iter().map(|r| &r.resource), ", "),
            false => version.resources.len().to_string(),
        })
        .droppable()
        .column("SERVED BY", |(group, version)| origin(of, &group.name, &version.version))
        .grid()
}

fn resources_table(list: &[ApiResource], page: TextOptions) -> Grid {
    Table::new(list, page)
        .column("NAME", |r| &r.name)
        .column("SHORTNAMES", |r| r.short_names.join(", "))
        .column("NAMESPACED", |r| r.namespaced.to_string())
        .column("KIND", |r| &r.kind)
        .wide("VERBS", |r| r.verbs.join(", "))
        .wide("CATEGORIES", |r| r.categories.join(", "))
        .grid()
}

fn origin(of: &Discovered<'_>, group: &str, version: &str) -> String {
    let found = of.origins.get(&GroupVersion::new(group, version));
    found.map(ToString::to_string).unwrap_or_default()
}
