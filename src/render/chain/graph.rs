//! The chain of servers as a graph: what Mermaid, Graphviz and the SVG draw.

use std::borrow::Cow;
use std::fmt::Write;

use super::text::service_name;
use crate::render::{counted, sanitize};
use kube_aggregation::registry::Chain;

/// How many APIServices a box lists.
const MAX_LINES: usize = 6;

/// The longest line of a box, in characters.
const LONGEST_LINE: usize = 60;

/// The boxes of the chain in order, and the Services next to it.
pub(super) struct Graph {
    pub(super) chain: Vec<Node>,
    /// Backends of kube-aggregator.
    pub(super) services: Vec<Node>,
}

/// A box.
pub(super) struct Node {
    pub(super) title: String,
    pub(super) lines: Vec<String>,
    pub(super) state: State,
    /// The label of the edge to the next box of the chain.
    pub(super) passes_on: String,
}

/// What the color of a box means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Plain,
    Broken,
    Unknown,
}

impl State {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Broken => "broken",
            Self::Unknown => "unknown",
        }
    }
}

impl Graph {
    pub(super) fn new(chain: &Chain<'_>) -> Self {
        let node = |title: &str, lines: Vec<String>, passes_on: &str| Node {
            title: title.to_owned(),
            lines: lines.iter().map(|line| bounded(line)).collect(),
            state: State::Plain,
            passes_on: passes_on.to_owned(),
        };
        let built_in: usize = chain.built_in.values().map(Vec::len).sum();
        let crds = match (chain.custom.values().map(Vec::len).sum(), chain.crds_complete) {
            (0, false) => "CRDs unknown".to_owned(),
            (crds, false) => format!("at least {}", counted(crds, "CRD")),
            (crds, true) => counted(crds, "CRD"),
        };
        let local = vec![counted(chain.local, "local APIService")];
        let built_in = vec![counted(built_in, "built-in group version")];
        let mut aggregator = node("kube-aggregator", local, "no match, or local");
        if !chain.ghosts.is_empty() {
            aggregator.lines.push(format!("{} unserved", chain.ghosts.len()));
            aggregator.state = State::Broken;
        }
        let services = chain.services.iter().map(|(reference, services)| {
            let names: Vec<&str> = services.iter().map(|s| s.name.as_str()).collect();
            let shown = if names.len() > MAX_LINES { MAX_LINES - 1 } else { MAX_LINES };
            let mut lines: Vec<String> = names.iter().take(shown).map(|&n| n.to_owned()).collect();
            if names.len() > shown {
                lines.push(format!("and {} more", names.len() - shown));
            }
            let down = services.iter().filter(|s| !s.is_available()).count();
            let state = match down {
                0 if services.iter().any(|s| s.inferred || s.is_not_checked()) => State::Unknown,
                0 => State::Plain,
                _ => State::Broken,
            };
            if down > 0 {
                lines.push(format!("{down} of {} unavailable", services.len()));
            }
            Node { state, ..node(&bounded(&service_name(*reference)), lines, "") }
        });
        Self {
            chain: vec![
                node("request", vec![], ""),
                aggregator,
                node("kube-apiserver", built_in, "not built in"),
                node("apiextensions-apiserver", vec![crds], "no CRD"),
                node("404", vec![], ""),
            ],
            services: services.collect(),
        }
    }

    /// Returns all boxes.
    fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.chain.iter().chain(&self.services)
    }

    /// Returns the edges, by position of their boxes: from, to and label.
    fn edges(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        let pairs = self.chain.iter().enumerate().take(self.chain.len().saturating_sub(1));
        let chain = pairs.map(|(index, node)| (index, index + 1, node.passes_on.as_str()));
        let first = self.chain.len();
        chain.chain((0..self.services.len()).map(move |index| (AGGREGATOR, first + index, "")))
    }
}

/// The position of kube-aggregator in the chain.
pub(super) const AGGREGATOR: usize = 1;

/// Returns a Mermaid flowchart.
pub(super) fn mermaid(chain: &Chain<'_>) -> String {
    let graph = Graph::new(chain);
    let quoted = |text: &str| -> String { text.chars().map(mermaid_char).collect() };
    let mut text = "flowchart LR\n".to_owned();
    for (index, node) in graph.nodes().enumerate() {
        let lines = std::iter::once(&node.title).chain(&node.lines);
        let label: Vec<String> = lines.map(|line| quoted(line)).collect();
        let _ = writeln!(text, "  n{index}[\"{}\"]:::{}", label.join("<br>"), node.state.class());
    }
    for (from, to, label) in graph.edges() {
        let label =
            if label.is_empty() { String::new() } else { format!("|\"{}\"|", quoted(label)) };
        let _ = writeln!(text, "  n{from} -->{label} n{to}");
    }
    text.push_str("  classDef plain stroke:#57606a\n");
    text.push_str("  classDef broken stroke:#cf222e,color:#cf222e,stroke-width:2px\n");
    text.push_str("  classDef unknown stroke:#9a6700,stroke-dasharray:4\n");
    text
}

/// Returns a graph for Graphviz.
pub(super) fn dot(chain: &Chain<'_>) -> String {
    let graph = Graph::new(chain);
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = "digraph chain {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n".to_owned();
    for (index, node) in graph.nodes().enumerate() {
        let mut label = escaped(&node.title);
        for line in &node.lines {
            let _ = write!(label, "\\n{}", escaped(line));
        }
        let style = match node.state {
            State::Plain => "",
            State::Broken => ", color=\"#cf222e\", fontcolor=\"#cf222e\", penwidth=2",
            State::Unknown => ", color=\"#9a6700\", style=dashed",
        };
        let _ = writeln!(text, "  n{index} [label=\"{label}\"{style}];");
    }
    for (from, to, label) in graph.edges() {
        let label = match label {
            "" => String::new(),
            label => format!(" [label=\"{}\"]", escaped(label)),
        };
        let _ = writeln!(text, "  n{from} -> n{to}{label};");
    }
    text.push_str("}\n");
    text
}

/// Writes a character of a label. Mermaid takes labels for HTML and Markdown, and decodes entities
/// that begin with `#`.
fn mermaid_char(c: char) -> Cow<'static, str> {
    match c {
        '"' => "#quot;".into(),
        '<' => "#lt;".into(),
        '>' => "#gt;".into(),
        '&' => "#amp;".into(),
        '#' | '`' | '\\' | '*' | '_' | '[' | ']' => format!("#{};", u32::from(c)).into(),
        c => c.to_string().into(),
    }
}

fn bounded(line: &str) -> String {
    let line = sanitize(line);
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_neither_html_nor_markdown() {
        let label: String = "<img src=x>\"`**a_b&#".chars().map(mermaid_char).collect();
        assert_eq!(label, "#lt;img src=x#gt;#quot;#96;#42;#42;a#95;b#amp;#35;");
    }
}
