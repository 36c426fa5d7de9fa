//! aggctl explains the Kubernetes API aggregation layer.
pub mod baseline;
pub mod certificate;
pub mod cli;
pub mod discovery;
pub mod doctor;
pub mod document;
pub mod error;
pub mod model;
pub mod priority;
pub mod registry;
pub mod render;
pub mod routing;
pub mod source;
