//! Discovery documents as tables.

use super::super::answer::Page;
use super::super::table::{Table, Tone};
use crate::discovery::{Document, Page as Discovered};
use crate::model::{AggregatedGroup, ApiResource, Freshness, GroupVersion, LegacyGroup};

/// A document as a table.
pub(super) fn table(of: &Discovered<'_>, page: Page) -> String {
    match &of.document {
        Document::Groups(groups) => groups_table(of, groups, page),
        Document::Group(group) => groups_table(of, std::slice::from_ref(group), page),
        Document::Aggregated(groups) => aggregated_table(of, groups, page),
        Document::Resources(_, list) => resources_table(list, page),
        Document::Versions(versions) => {
            let mut table = Table::new(&["GROUP", "VERSION"], page);
            for version in versions {
                table.row(["(core)", version]);
            }
            table.render()
        }
    }
}

fn groups_table(of: &Discovered<'_>, groups: &[LegacyGroup], page: Page) -> String {
    let mut table = Table::new(&["GROUP", "VERSION", "PREFERRED", "FROM"], page);
    for group in groups {
        for version in &group.versions {
            let preferred = if *version == group.preferred { "yes" } else { "" };
            let from = origin(of, &group.name, version);
            table.row([group.name.as_str(), version, preferred, &from]);
        }
    }
    table.render()
}

fn aggregated_table(of: &Discovered<'_>, groups: &[AggregatedGroup], page: Page) -> String {
    let mut table = Table::new(&["GROUP", "VERSION", "FRESHNESS", "RESOURCES", "FROM"], page);
    for group in groups {
        for version in &group.versions {
            let fresh = match version.freshness {
                Freshness::Current => ("Current", Tone::Good),
                Freshness::Stale => ("Stale", Tone::Bad),
            };
            let names: Vec<&str> = version.resources.iter().map(|r| r.resource.as_str()).collect();
            let resources = if page.wide { names.join(", ") } else { names.len().to_string() };
            let from = origin(of, &group.name, &version.version);
            let name = if group.name.is_empty() { "(core)" } else { &group.name };
            table.toned([
                (name, Tone::Plain),
                (&version.version, Tone::Plain),
                fresh,
                (&resources, Tone::Plain),
                (&from, Tone::Plain),
            ]);
        }
    }
    table.render()
}

fn resources_table(list: &[ApiResource], page: Page) -> String {
    let mut headers = vec!["NAME", "SHORTNAMES", "NAMESPACED", "KIND"];
    if page.wide {
        headers.extend(["VERBS", "CATEGORIES"]);
    }
    let mut table = Table::new(&headers, page);
    for r in list {
        let mut cells = vec![
            r.name.clone(),
            r.short_names.join(", "),
            r.namespaced.to_string(),
            r.kind.clone(),
        ];
        if page.wide {
            cells.extend([r.verbs.join(", "), r.categories.join(", ")]);
        }
        table.row(cells);
    }
    table.render()
}

fn origin(of: &Discovered<'_>, group: &str, version: &str) -> String {
    let found = of.origins.get(&GroupVersion::new(group, version));
    found.map(ToString::to_string).unwrap_or_default()
}
