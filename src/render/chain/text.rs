//! The chain of servers as a tree.

use std::collections::BTreeSet;

use crate::render::{TextBuilder, TextOptions, counted, joined, sanitize};
use kube_aggregation::model::{AGGREGATOR_GROUP, ApiService, EXTENSIONS_GROUP, ServiceReference};
use kube_aggregation::registry::Chain;
use kube_aggregation::routing::Server;

/// Returns the tree; `-o wide` lists every group version and every CRD.
pub(super) fn tree(chain: &Chain<'_>, page: TextOptions) -> String {
    let services =
        chain.services.keys().map(|reference| service_name(*reference).chars().count() + 2);
    let longest = LONGEST_LABEL.min(page.width / 3).max(SHORTEST_LABEL);
    let label = services.max().unwrap_or(0).clamp(SHORTEST_LABEL, longest);
    let mut tree = Tree { sheet: TextBuilder::new(page), label };
    tree.server(Server::Aggregator);
    let own = versions(AGGREGATOR_GROUP, &chain.aggregator_versions);
    let paths = format!("{} paths such as /healthz and /openapi/v2", chain.own_paths);
    tree.leaf("itself", &format!("/apis, {own}, {paths}"));
    let local = counted(chain.local, "APIService");
    tree.leaf("local", &format!("{local}, passed to the servers below"));
    for (reference, services) in &chain.services {
        let down: Vec<&&ApiService> = services.iter().filter(|s| !s.is_available()).collect();
        let state = match down.len() {
            0 if services.iter().any(|s| s.inferred || s.is_not_checked()) => {
                "availability unknown".to_owned()
            }
            0 => "available".to_owned(),
            n if n == services.len() => format!("unavailable ({})", reasons(&down)),
            n => format!("{n} of {} unavailable ({})", services.len(), reasons(&down)),
        };
        let names = joined(services.iter().map(|s| &s.name), ", ");
        let label = format!("→ {}", service_name(*reference));
        tree.branch(&label, &format!("{state}: {names}"), down.is_empty());
    }
    if !chain.ghosts.is_empty() {
        let names = joined(chain.ghosts.iter().map(|s| &s.name), ", ");
        tree.branch("unserved", &format!("local, but no server serves them: {names}"), false);
    }
    if !chain.of_peers.is_empty() {
        let names = joined(chain.of_peers.iter().map(|s| &s.name), ", ");
        tree.leaf("peers", &format!("local, and only other API servers serve them: {names}"));
    }
    tree.rest(Server::Aggregator);
    tree.server(Server::KubeApiserver);
    let all: usize = chain.built_in.values().map(Vec::len).sum();
    let groups =
        chain.built_in.iter().map(|(group, versions)| match (page.wide, group.is_empty()) {
            (false, true) => "(core)".to_owned(),
            (false, false) => (*group).to_owned(),
            (true, true) => versions.join(", "),
            (true, false) => joined(versions.iter().map(|v| format!("{group}/{v}")), ", "),
        });
    let count = counted(chain.built_in.len(), "group");
    let groups = joined(groups, ", ");
    tree.leaf("built in", &format!("{all} group versions in {count}: {groups}"));
    tree.rest(Server::KubeApiserver);
    tree.server(Server::Extensions);
    tree.leaf("itself", &versions(EXTENSIONS_GROUP, &chain.extensions_versions));
    let count = counted(chain.custom.len(), "group");
    let names = match page.wide {
        true => joined(chain.custom.values().flatten().map(|crd| &crd.name), ", "),
        false => joined(chain.custom.keys(), ", "),
    };
    match chain.custom.values().map(Vec::len).sum() {
        0 if !chain.crds_complete => tree.leaf("CRDs", "unknown; they are not in the source"),
        0 => tree.leaf("CRDs", "none"),
        crds => {
            let least = if chain.crds_complete { "" } else { "at least " };
            tree.leaf("CRDs", &format!("{least}{crds} in {count}: {names}"));
        }
    }
    if chain.custom_unknown > 0 {
        let versions = counted(chain.custom_unknown, "custom group version");
        tree.leaf("unknown", &format!("{versions} without CRDs in the source"));
    }
    if !chain.idle.is_empty() {
        let names = joined(chain.idle.iter().map(|crd| &crd.name), ", ");
        tree.branch("idle", &format!("not established, so they serve nothing: {names}"), false);
    }
    tree.rest(Server::Extensions);
    tree.sheet.line(page.paint.strong("404"));
    tree.sheet.into_text()
}

/// The narrowest first column.
const SHORTEST_LABEL: usize = 9;
/// The widest first column. A longer label gets its own line.
const LONGEST_LABEL: usize = 30;

struct Tree {
    sheet: TextBuilder,
    /// The width of the first column.
    label: usize,
}

impl Tree {
    fn server(&mut self, server: Server) {
        let paint = self.sheet.page.paint;
        let (name, role) = (paint.strong(server.as_str()), paint.faint(server.role()));
        self.sheet.line(format_args!("{name}  {role}"));
    }

    fn leaf(&mut self, label: &str, text: &str) {
        self.branch(label, text, true);
    }

    fn branch(&mut self, label: &str, text: &str, good: bool) {
        let label = sanitize(label);
        let shown = if good { label.as_ref().into() } else { self.sheet.page.paint.bad(&label) };
        let rest = format!("│  {:width$}  ", "", width = self.label);
        match self.label.checked_sub(label.chars().count()) {
            Some(pad) => {
                let pad = " ".repeat(pad);
                self.sheet.paragraph(format_args!("├─ {shown}{pad}  "), &rest, text);
            }
            None => {
                self.sheet.line(format_args!("├─ {shown}"));
                self.sheet.paragraph(&rest, &rest, text);
            }
        }
    }

    fn rest(&mut self, server: Server) {
        let passes_on = self.sheet.page.paint.faint(server.passes_on());
        self.sheet.line(format_args!("│\n▼ {passes_on}"));
    }
}

fn versions(group: &str, versions: &[&str]) -> String {
    match versions {
        [] => "no group of its own".to_owned(),
        versions => joined(versions.iter().map(|v| format!("{group}/{v}")), ", "),
    }
}

fn reasons(down: &[&&ApiService]) -> String {
    let reason = |s: &&&ApiService| match &s.available {
        Some(condition) => condition.reason.clone(),
        None => "no Available condition".to_owned(),
    };
    joined(down.iter().map(reason).collect::<BTreeSet<_>>(), ", ")
}

/// Returns `namespace/name`, or words if the source does not say which Service it is.
pub(super) fn service_name(reference: Option<&ServiceReference>) -> String {
    reference.map_or_else(|| "a Service".to_owned(), ServiceReference::id)
}
