//! aggctl explains the Kubernetes API aggregation layer.
pub mod error;
pub mod document;
