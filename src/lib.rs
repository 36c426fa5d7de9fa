//! aggctl explains the Kubernetes API aggregation layer.
pub mod baseline;
pub mod cli;
pub mod conflict;
pub mod diff;
pub mod discovery;
pub mod document;
pub mod error;
pub mod expectation;
pub mod explain;
pub mod lint;
pub mod model;
pub mod priority;
pub mod registry;
pub mod render;
pub mod routing;
pub mod source;
pub mod what_if;
