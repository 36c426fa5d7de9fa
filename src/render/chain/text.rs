//! The chain of servers as a tree.

use std::fmt::Write;

use super::super::answer::Page;
use super::super::layout::{counted, paragraph};
use super::super::paint::Paint;
use super::super::sanitise::sanitise;
use super::service_name;
use crate::model::{AGGREGATOR_GROUP, ApiService, EXTENSIONS_GROUP};
use crate::registry::Chain;
use crate::routing::Server;

/// A tree; on a wide page, with every group version and every CRD.
pub(super) fn tree(chain: &Chain<'_>, page: Page) -> String {
    let Page { paint, width, wide, .. } = page;
    let services =
        chain.services.keys().map(|reference| service_name(*reference).chars().count() + 2);
    let longest = LONGEST_LABEL.min(width / 3).max(SHORTEST_LABEL);
    let label = services.max().unwrap_or(0).clamp(SHORTEST_LABEL, longest);
    let mut tree = Tree { text: String::new(), paint, width, label };
    tree.server(Server::Aggregator);
    tree.leaf(
        "itself",
        &format!(
            "/apis, {}, {} paths such as /healthz and /openapi/v2",
            versions(AGGREGATOR_GROUP, &chain.aggregator_versions),
            chain.own_paths
        ),
    );
    tree.leaf(
        "local",
        &format!("{}, passed on to the servers below", counted(chain.local, "APIService")),
    );
    for (reference, services) in &chain.services {
        let down: Vec<&&ApiService> = services.iter().filter(|s| !s.is_available()).collect();
        let names: Vec<&str> = services.iter().map(|s| s.name.as_str()).collect();
        let state = match down.len() {
            0 => "available".to_owned(),
            n if n == services.len() => format!("not available ({})", reasons(&down)),
            n => format!("{n} of {} not available ({})", services.len(), reasons(&down)),
        };
        tree.branch(
            &format!("→ {}", service_name(*reference)),
            &format!("{state}: {}", names.join(", ")),
            down.is_empty(),
        );
    }
    if !chain.ghosts.is_empty() {
        let names: Vec<&str> = chain.ghosts.iter().map(|s| s.name.as_str()).collect();
        tree.branch(
            "ghosts",
            &format!("local, and no server answers: {}", names.join(", ")),
            false,
        );
    }
    tree.rest(Server::Aggregator);
    tree.server(Server::KubeApiserver);
    let all: usize = chain.built_in.values().map(Vec::len).sum();
    let groups = chain.built_in.iter().map(|(group, versions)| match (wide, group.is_empty()) {
        (false, true) => "(core)".to_owned(),
        (false, false) => (*group).to_owned(),
        (true, true) => versions.join(", "),
        (true, false) => {
            (versions.iter()).map(|v| format!("{group}/{v}")).collect::<Vec<_>>().join(", ")
        }
    });
    let groups: Vec<String> = groups.collect();
    tree.leaf(
        "built in",
        &format!(
            "{all} group versions in {}: {}",
            counted(groups.len(), "group"),
            groups.join(", ")
        ),
    );
    tree.rest(Server::KubeApiserver);
    tree.server(Server::Extensions);
    tree.leaf("itself", &versions(EXTENSIONS_GROUP, &chain.extensions_versions));
    let crds: usize = chain.custom.values().map(Vec::len).sum();
    let groups: Vec<&str> = if wide {
        chain.custom.values().flatten().map(|crd| crd.name.as_str()).collect()
    } else {
        chain.custom.keys().copied().collect()
    };
    match crds {
        0 => tree.leaf("CRDs", "none"),
        n => tree.leaf(
            "CRDs",
            &format!("{n} in {}: {}", counted(chain.custom.len(), "group"), groups.join(", ")),
        ),
    }
    if chain.custom_unknown > 0 {
        tree.leaf(
            "unknown",
            &format!(
                "{} whose CRDs are not in the source",
                counted(chain.custom_unknown, "custom group version")
            ),
        );
    }
    if !chain.idle.is_empty() {
        let names: Vec<&str> = chain.idle.iter().map(|c| c.name.as_str()).collect();
        tree.branch(
            "idle",
            &format!("not established, so they serve nothing: {}", names.join(", ")),
            false,
        );
    }
    tree.rest(Server::Extensions);
    let _ = writeln!(tree.text, "{}", paint.strong("404"));
    tree.text
}

/// How wide the first column is at least.
const SHORTEST_LABEL: usize = 9;
/// A longer label gets a line of its own.
const LONGEST_LABEL: usize = 30;

struct Tree {
    text: String,
    paint: Paint,
    width: usize,
    label: usize,
}

impl Tree {
    fn server(&mut self, server: Server) {
        let (name, role) = (self.paint.strong(server.as_str()), self.paint.faint(server.role()));
        let _ = writeln!(self.text, "{name}  {role}");
    }

    fn leaf(&mut self, label: &str, text: &str) {
        self.branch(label, text, true);
    }

    fn branch(&mut self, label: &str, text: &str, good: bool) {
        let label = sanitise(label);
        let shown = if good { label.as_ref().into() } else { self.paint.bad(&label) };
        let rest = format!("│  {:width$}  ", "", width = self.label);
        let long = label.chars().count() > self.label;
        let first = if long {
            let _ = writeln!(self.text, "├─ {shown}");
            rest.clone()
        } else {
            let pad = " ".repeat(self.label.saturating_sub(label.chars().count()));
            format!("├─ {shown}{pad}  ")
        };
        self.text.push_str(&paragraph(&first, &rest, text, self.width));
    }

    fn rest(&mut self, server: Server) {
        let _ = writeln!(self.text, "│\n▼ {}", self.paint.faint(server.passes_on()));
    }
}

fn versions(group: &str, versions: &[&str]) -> String {
    let all: Vec<String> = versions.iter().map(|v| format!("{group}/{v}")).collect();
    if all.is_empty() { "nothing of its own".to_owned() } else { all.join(", ") }
}

fn reasons(down: &[&&ApiService]) -> String {
    let mut all: Vec<&str> = down
        .iter()
        .map(|s| s.available.as_ref().map_or("no condition", |c| c.reason.as_str()))
        .collect();
    all.sort_unstable();
    all.dedup();
    all.join(", ")
}
