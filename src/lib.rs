//! aggctl explains the Kubernetes API aggregation layer.
mod base64;
pub mod baseline;
pub mod certificate;
pub mod cli;
pub mod discovery;
pub mod doctor;
pub mod document;
pub mod error;
pub mod lint;
pub mod model;
pub mod priority;
pub mod registry;
pub mod render;
pub mod routing;
pub mod source;
