//! The chain of servers: as a tree, as JSON, as a graph.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::model::{AGGREGATOR_GROUP, ApiService, EXTENSIONS_GROUP, ServiceReference};
use crate::registry::Chain;
use crate::render::Paint;
use crate::render::layout::{counted, wrap};
use crate::render::sanitise::sanitise;

/// The chain as a tree; if `wide`, with every group version and every CRD.
pub fn chain_text(chain: &Chain<'_>, wide: bool, paint: Paint, width: usize) -> String {
    let services =
        chain.services.keys().map(|reference| service_name(*reference).chars().count() + 2);
    let longest = LONGEST_LABEL.min(width / 3).max(SHORTEST_LABEL);
    let label = services.max().unwrap_or(0).clamp(SHORTEST_LABEL, longest);
    let mut tree = Tree { text: String::new(), paint, width, label };
    tree.server("kube-aggregator", "sees every request first");
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
        &format!("{}, handed on to the servers below", counted(chain.local, "APIService")),
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
        tree.branch("ghosts", &format!("local, but nobody answers: {}", names.join(", ")), false);
    }
    tree.rest("what no APIService matches, and all that is local");
    tree.server("kube-apiserver", "the built-in groups");
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
            "{all} group versions of {}: {}",
            counted(groups.len(), "group"),
            groups.join(", ")
        ),
    );
    tree.rest("what is in no built-in group");
    tree.server("apiextensions-apiserver", "custom resources");
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
            &format!("{n} of {}: {}", counted(chain.custom.len(), "group"), groups.join(", ")),
        ),
    }
    if chain.custom_unknown > 0 {
        tree.leaf(
            "not known",
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
            &format!("not established, so they answer nothing: {}", names.join(", ")),
            false,
        );
    }
    tree.rest("everything else");
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
    fn server(&mut self, name: &str, what: &str) {
        let _ = writeln!(self.text, "{}  {}", self.paint.strong(name), self.paint.faint(what));
    }

    fn leaf(&mut self, label: &str, text: &str) {
        self.branch(label, text, true);
    }

    fn branch(&mut self, label: &str, text: &str, good: bool) {
        let label = sanitise(label);
        let long = label.chars().count() > self.label;
        let shown = if good { label.as_ref().into() } else { self.paint.bad(&label) };
        let pad = " ".repeat(self.label.saturating_sub(label.chars().count()));
        let lines = wrap(&sanitise(text), self.width.saturating_sub(self.label + 5));
        let mut lines = lines.iter();
        if long {
            let _ = writeln!(self.text, "├─ {shown}");
        } else if let Some(first) = lines.next() {
            let _ = writeln!(self.text, "├─ {shown}{pad}  {first}");
        }
        for line in lines {
            let _ = writeln!(self.text, "│  {:label$}  {line}", "", label = self.label);
        }
    }

    fn rest(&mut self, what: &str) {
        let _ = writeln!(self.text, "│\n▼ {}", self.paint.faint(what));
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

fn service_name(reference: Option<&ServiceReference>) -> String {
    reference.map_or_else(|| "some Service".to_owned(), ServiceReference::id)
}

/// The servers of the chain, as the JSON contract has them.
pub fn chain_json(chain: &Chain<'_>) -> Vec<Value> {
    let services: Vec<Value> = (chain.services.iter())
        .map(|(reference, services)| {
            let each: Vec<Value> = (services.iter())
                .map(|s| json!({"name": s.name, "available": s.is_available()}))
                .collect();
            json!({"service": reference.map(|r| r.id()), "apiServices": each})
        })
        .collect();
    let names = |all: &[&ApiService]| all.iter().map(|s| s.name.clone()).collect::<Vec<_>>();
    let built_in: Vec<Value> = (chain.built_in.iter())
        .map(|(group, versions)| json!({"group": group, "versions": versions}))
        .collect();
    let custom: Vec<Value> = (chain.custom.iter())
        .map(|(group, crds)| {
            let crds: Vec<&str> = crds.iter().map(|c| c.name.as_str()).collect();
            json!({"group": group, "crds": crds})
        })
        .collect();
    let idle: Vec<&str> = chain.idle.iter().map(|c| c.name.as_str()).collect();
    vec![
        json!({"server": "kube-aggregator", "ownGroupVersions": group_versions(AGGREGATOR_GROUP, &chain.aggregator_versions),
               "ownPaths": chain.own_paths, "localApiServices": chain.local, "services": services, "ghosts": names(&chain.ghosts)}),
        json!({"server": "kube-apiserver", "groups": built_in}),
        json!({"server": "apiextensions-apiserver", "ownGroupVersions": group_versions(EXTENSIONS_GROUP, &chain.extensions_versions),
               "groups": custom, "notEstablished": idle, "unknownGroupVersions": chain.custom_unknown}),
    ]
}

fn group_versions(group: &str, versions: &[&str]) -> Vec<String> {
    versions.iter().map(|v| format!("{group}/{v}")).collect()
}

/// The chain as nodes and edges, whatever the language of the picture.
fn edges(chain: &Chain<'_>) -> Vec<(String, String, String)> {
    let built_in: usize = chain.built_in.values().map(Vec::len).sum();
    let crds: usize = chain.custom.values().map(Vec::len).sum();
    let mut edges = vec![
        ("request".to_owned(), "kube-aggregator".to_owned(), String::new()),
        (
            "kube-aggregator".to_owned(),
            "kube-apiserver".to_owned(),
            format!("{} local APIServices, and no match", chain.local),
        ),
        (
            "kube-apiserver".to_owned(),
            "apiextensions-apiserver".to_owned(),
            format!("not one of {built_in} built-in group versions"),
        ),
        ("apiextensions-apiserver".to_owned(), "404".to_owned(), format!("not one of {crds} CRDs")),
    ];
    for (reference, services) in &chain.services {
        let down = services.iter().any(|s| !s.is_available());
        let names: Vec<&str> = services.iter().map(|s| s.name.as_str()).collect();
        let label = format!("{}{}", names.join(", "), if down { " (not available)" } else { "" });
        edges.push(("kube-aggregator".to_owned(), service_name(*reference), label));
    }
    edges
}

/// The chain as a Mermaid flowchart.
pub fn chain_mermaid(chain: &Chain<'_>) -> String {
    let mut text = "flowchart TD\n".to_owned();
    let quoted = |label: &str| sanitise(label).replace('"', "#quot;");
    let mut names: Vec<String> = vec![];
    let mut node = |text: &mut String, label: &str| {
        let index = names.iter().position(|n| n == label).unwrap_or_else(|| {
            names.push(label.to_owned());
            let _ = writeln!(text, "  n{}[\"{}\"]", names.len() - 1, quoted(label));
            names.len() - 1
        });
        format!("n{index}")
    };
    for (from, to, label) in edges(chain) {
        let (from, to) = (node(&mut text, &from), node(&mut text, &to));
        let label =
            if label.is_empty() { String::new() } else { format!("|\"{}\"|", quoted(&label)) };
        let _ = writeln!(text, "  {from} -->{label} {to}");
    }
    text
}

/// The chain in Graphviz's language.
pub fn chain_dot(chain: &Chain<'_>) -> String {
    let mut text = "digraph chain {\n  rankdir=TB;\n  node [shape=box];\n".to_owned();
    let quoted =
        |label: &str| format!("\"{}\"", sanitise(label).replace('\\', "\\\\").replace('"', "\\\""));
    for (from, to, label) in edges(chain) {
        let _ =
            writeln!(text, "  {} -> {} [label={}];", quoted(&from), quoted(&to), quoted(&label));
    }
    text.push_str("}\n");
    text
}
