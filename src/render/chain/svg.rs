//! The chain of servers as an SVG, left to right, with the Services below.

use std::fmt::Write;

use super::graph::{AGGREGATOR, Graph, Node, State};
use kube_aggregation::registry::Chain;

/// The width of a character, an upper bound for the fonts that `STYLE` names.
const CHARACTER: usize = 8;
const LINE: usize = 18;
const MARGIN: usize = 20;
/// Space between boxes of the chain, for the labels of the arrows.
const GAP: usize = 150;
/// Space between the Services, which are below each other.
const BELOW: usize = 14;

/// Readable on white and on dark pages.
const STYLE: &str = "\
text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#1f2328}\
.title{font-weight:600}.label{font-size:12px;fill:#57606a}\
rect{fill:#fff;stroke:#57606a;rx:6px}path{fill:none;stroke:#57606a}\
.broken rect{stroke:#cf222e;stroke-width:2}.broken text{fill:#cf222e}\
.unknown rect{stroke:#9a6700;stroke-dasharray:5 3}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.label{fill:#9198a1}rect{fill:#0d1117;stroke:#9198a1}\
path{stroke:#9198a1}.broken rect{stroke:#f85149}.broken text{fill:#f85149}.unknown rect{stroke:#d29922}}";

/// A box and its place.
struct Placed<'g> {
    node: &'g Node,
    x: usize,
    y: usize,
}

impl Placed<'_> {
    fn width(&self) -> usize {
        let lines = std::iter::once(&self.node.title).chain(&self.node.lines);
        lines.map(|line| line.chars().count()).max().unwrap_or(0) * CHARACTER + 24
    }

    fn height(&self) -> usize {
        (self.node.lines.len() + 1) * LINE + 14
    }

    fn middle(&self) -> usize {
        self.y + self.height() / 2
    }

    fn right(&self) -> usize {
        self.x + self.width()
    }

    fn bottom(&self) -> usize {
        self.y + self.height()
    }
}

/// Returns the chain as an SVG.
pub(super) fn svg(chain: &Chain<'_>) -> String {
    let graph = Graph::new(chain);
    let place = |node, x, y| Placed { node, x, y };
    let tallest = graph.chain.iter().map(|node| place(node, 0, 0).height()).max().unwrap_or(0);
    let mut servers: Vec<Placed<'_>> = vec![];
    for node in &graph.chain {
        let x = servers.last().map_or(MARGIN, |last| last.right() + GAP);
        let y = MARGIN + (tallest - place(node, 0, 0).height()) / 2;
        servers.push(place(node, x, y));
    }
    let column = servers.get(AGGREGATOR).map_or(MARGIN, |one| one.x + one.width() / 2 + 40);
    let mut services: Vec<Placed<'_>> = vec![];
    for node in &graph.services {
        let y = services.last().map_or(MARGIN + tallest + 40, |last| last.bottom() + BELOW);
        services.push(place(node, column, y));
    }
    let all = || servers.iter().chain(&services);
    let width = all().map(Placed::right).max().unwrap_or(0) + MARGIN;
    let height = all().map(Placed::bottom).max().unwrap_or(0) + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>The chain of API servers</title>\n<style>{STYLE}</style>\n<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 8 4 0 8\"/></marker></defs>\n"
    );
    for pair in servers.windows(2) {
        let [from, to] = pair else { continue };
        let (start, end, y) = (from.right(), to.x, from.middle());
        let _ = writeln!(text, "<path d=\"M{start} {y}H{end}\" marker-end=\"url(#end)\"/>");
        let (x, y, label) = ((start + end) / 2, y - 6, escaped(&from.node.passes_on));
        let _ = writeln!(
            text,
            "<text class=\"label\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    if let Some(aggregator) = servers.get(AGGREGATOR) {
        let (x, y) = (aggregator.x + aggregator.width() / 2, aggregator.bottom());
        for service in &services {
            let (end, to) = (service.middle(), service.x);
            let _ = writeln!(text, "<path d=\"M{x} {y}V{end}H{to}\" marker-end=\"url(#end)\"/>");
        }
    }
    all().for_each(|placed| draw(&mut text, placed));
    text.push_str("</svg>\n");
    text
}

/// Draws one box.
fn draw(text: &mut String, placed: &Placed<'_>) {
    let class = match placed.node.state {
        State::Plain => "",
        State::Broken => " class=\"broken\"",
        State::Unknown => " class=\"unknown\"",
    };
    let (x, y, width, height) = (placed.x, placed.y, placed.width(), placed.height());
    let _ = write!(
        text,
        "<g{class}><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>"
    );
    let lines = std::iter::once(&placed.node.title).chain(&placed.node.lines);
    for (index, line) in lines.enumerate() {
        let (x, y) = (x + 12, y + 21 + index * LINE);
        let class = if index == 0 { " class=\"title\"" } else { "" };
        let _ = write!(text, "<text{class} x=\"{x}\" y=\"{y}\">{}</text>", escaped(line));
    }
    text.push_str("</g>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
