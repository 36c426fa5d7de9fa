//! A cluster's API as its API server would answer, from what is known of it. Pure.
//!
//! [`Replay::respond`] is the server as a function: [`kube_aggregation::routing`] says who would answer, and
//! the answer is put together from discovery that is merged here, from the objects of the source,
//! and else from the server's own words for what went wrong. What the source does not have is said
//! in a `Warning` header, which kubectl shows. [`crate::serve`] is what speaks HTTP.

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
mod status;
mod synthetic;
mod table;
mod watch;

pub use fault::{Fault, Faults};
pub use message::{Body, Request, Response, Seen, Watch};
pub use respond::ROUTE_HEADER;
pub use server::Replay;
pub use status::unauthorized;
