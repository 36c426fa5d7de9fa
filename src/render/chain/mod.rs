//! The chain of servers: as a tree, as JSON, as a graph.

mod graph;
mod json;
mod text;

pub use graph::{chain_dot, chain_mermaid};

pub(in crate::render) use json::{ChainJson, ServerJson};

use serde::Serialize;

use super::{Answer, ResponseMeta, TextOptions};
use kube_aggregation::model::ServiceReference;
use kube_aggregation::registry::Chain;

/// The chain, with what each server holds.
#[derive(Debug)]
pub struct ChainAnswer<'a> {
    /// The servers.
    pub chain: &'a Chain<'a>,
    pub basis: ResponseMeta<'a>,
}

impl Answer for ChainAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        text::tree(self.chain, page)
    }

    fn json(&self) -> impl Serialize {
        self.basis.answer("Chain", ChainJson { servers: ServerJson::all(self.chain) })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let servers = ServerJson::all(self.chain).into_iter();
        servers.map(|server| self.basis.answer("Server", server))
    }
}

fn service_name(reference: Option<&ServiceReference>) -> String {
    reference.map_or_else(|| "a Service".to_owned(), ServiceReference::id)
}
