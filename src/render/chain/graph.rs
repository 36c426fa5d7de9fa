//! The chain of servers as a graph, for other tools to draw.

use std::borrow::Cow;
use std::fmt::Write;

use super::text::service_name;
use crate::render::{enumerate, sanitize};
use kube_aggregation::registry::Chain;

/// How many names a label lists: tools refuse long labels.
const MAX_NAMES: usize = 12;

/// The longest label, in characters.
const LONGEST_LABEL: usize = 1000;

/// Returns the edges of the graph: from, to and label.
fn edges(chain: &Chain<'_>) -> Vec<(String, String, String)> {
    let built_in: usize = chain.built_in.values().map(Vec::len).sum();
    let crds: usize = chain.custom.values().map(Vec::len).sum();
    let edge = |from: &str, to: &str, label: String| (from.to_owned(), to.to_owned(), label);
    let local = format!("{} local APIServices, and no match", chain.local);
    let built_in = format!("not one of {built_in} built-in group versions");
    let mut edges = vec![
        edge("request", "kube-aggregator", String::new()),
        edge("kube-aggregator", "kube-apiserver", local),
        edge("kube-apiserver", "apiextensions-apiserver", built_in),
        edge("apiextensions-apiserver", "404", format!("not one of {crds} CRDs")),
    ];
    for (reference, services) in &chain.services {
        let down = services.iter().any(|s| !s.is_available());
        let names: Vec<&str> = services.iter().map(|s| s.name.as_str()).collect();
        let names = enumerate(&names, MAX_NAMES);
        let label = if down { format!("{names} (not available)") } else { names };
        edges.push(edge("kube-aggregator", &service_name(*reference), label));
    }
    edges
}

/// Returns a Mermaid flowchart.
pub(super) fn mermaid(chain: &Chain<'_>) -> String {
    let mut text = "flowchart TD\n".to_owned();
    let quoted = |label: &str| -> String { bounded(label).chars().map(mermaid_char).collect() };
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

/// Returns a graph for Graphviz.
pub(super) fn dot(chain: &Chain<'_>) -> String {
    let mut text = "digraph chain {\n  rankdir=TB;\n  node [shape=box];\n".to_owned();
    let quoted =
        |label: &str| format!("\"{}\"", bounded(label).replace('\\', "\\\\").replace('"', "\\\""));
    for (from, to, label) in edges(chain) {
        let _ =
            writeln!(text, "  {} -> {} [label={}];", quoted(&from), quoted(&to), quoted(&label));
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

fn bounded(label: &str) -> String {
    let label = sanitize(label);
    match label.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => format!("{}…", label.get(..end).unwrap_or_default()),
        None => label.into_owned(),
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
