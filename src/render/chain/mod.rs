//! The chain of servers: as a tree, as JSON, as a graph.

mod graph;
mod json;
mod svg;
mod text;

pub(in crate::render) use json::{ChainJson, ServerJson};

use serde::Serialize;

use super::format::Format;
use super::{Answer, ResponseMeta, TextOptions};
use kube_aggregation::registry::Chain;
use kube_aggregation::routing::Server;

/// The chain of servers, and what each serves.
#[derive(Debug)]
pub struct ChainAnswer<'a> {
    pub chain: Chain<'a>,
    pub meta: ResponseMeta<'a>,
}

impl Answer for ChainAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Mermaid, Format::Dot, Format::Svg];

    fn text(&self, page: TextOptions) -> String {
        text::tree(&self.chain, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("Chain", ChainJson { servers: ServerJson::all(&self.chain) })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let servers = ServerJson::all(&self.chain).into_iter();
        servers.map(|server| self.meta.answer("Server", server))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [Server::Aggregator, Server::KubeApiserver, Server::Extensions]
            .map(|server| server.as_str().to_owned())
    }

    fn mermaid(&self) -> Option<String> {
        Some(graph::mermaid(&self.chain))
    }

    fn dot(&self) -> Option<String> {
        Some(graph::dot(&self.chain))
    }

    fn svg(&self) -> Option<String> {
        Some(svg::svg(&self.chain))
    }
}
