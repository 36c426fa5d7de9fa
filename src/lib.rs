//! aggctl explains the Kubernetes API aggregation layer.
pub mod baseline;
pub mod document;
pub mod error;
pub mod model;
pub mod registry;
pub mod routing;
pub mod source;
