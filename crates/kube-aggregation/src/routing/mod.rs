//! Routes requests through the server chain. Takes a path and a snapshot, returns hops and an
//! outcome.

mod compile;
mod crd_handler;
mod known;
mod method;
mod mux;
mod non_api_paths;
mod outcome;
mod path_template;
mod reason;
mod remarks;
mod request;
mod restful;
mod router;
mod statuses;
mod suggest;
mod summary;
mod target;

pub use method::Method;
pub use mux::Match;
pub use outcome::{CrdLookupFailure, Decision, Hop, Outcome, ProxyRefusal, Route, Server};
pub use path_template::PathTemplate;
pub use remarks::Remarks;
pub use request::{RequestInfo, UnfinishedVerb};
pub use restful::Methods;
pub use router::Router;
pub use summary::RouteSummary;
pub use target::{Target, TargetError};
