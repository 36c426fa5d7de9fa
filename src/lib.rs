//! aggctl explains the Kubernetes API aggregation layer.
pub mod baseline;
pub mod discovery;
pub mod document;
pub mod error;
pub mod model;
pub mod priority;
pub mod registry;
pub mod routing;
pub mod source;
