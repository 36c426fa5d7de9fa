//! A cluster's API, answered from a snapshot as its API server would. Pure.
//!
//! [`Replay::respond`] is the server as a function. [`kube_aggregation::routing`] decides which
//! server would answer. The content is from merged discovery, from the objects of the source, or
//! from the server's own errors. A `Warning` header, which kubectl shows, names what the source
//! lacks. [`crate::serve`] speaks HTTP.

mod accept;
mod cache;
mod documents;
mod fault;
mod message;
mod object;
mod resource;
mod respond;
mod selection;
mod selector;
mod server;
mod service_proxy;
mod status;
mod table;
mod watch;

pub use fault::{Fault, Faults};
pub use message::{Body, Request, Response, SeenObjects, Watch};
pub use respond::ROUTE_HEADER;
pub use server::Replay;
pub use status::{too_many_watches, unauthorized};
