//! Request path and snapshot in, hops and outcome out. Pure.
mod crd_handler;
mod mux;
mod outcome;
mod request;
mod restful;
mod router;
mod unlisted;

pub use mux::{Kind, Match};
pub use outcome::{Decision, Hop, Miss, Outcome, Refusal, Route, Server};
pub use request::{Method, RequestInfo, Segments, Target, TargetError, UnfinishedVerb};
pub use restful::Methods;
pub use router::Router;
