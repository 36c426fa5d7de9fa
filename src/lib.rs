//! aggctl explains the Kubernetes API aggregation layer.
pub mod document;
pub mod error;
