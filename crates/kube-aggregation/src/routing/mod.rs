//! Request path and snapshot in, hops and outcome out. Pure.
mod compile;
mod crd_handler;
mod known;
mod mux;
mod outcome;
mod reason;
mod remarks;
mod request;
mod restful;
mod router;
mod shape;
mod suggest;
mod target;
mod unlisted;
mod way;

pub use mux::Match;
pub use outcome::{Decision, Hop, Miss, Outcome, Refusal, Route, Server};
pub use remarks::Remarks;
pub use request::{Method, RequestInfo, UnfinishedVerb};
pub use restful::Methods;
pub use router::Router;
pub use shape::Shape;
pub use target::{Segments, Target, TargetError};
pub use way::Way;
