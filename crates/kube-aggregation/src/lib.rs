//! Pure functions that mirror the Kubernetes API aggregation layer.

pub mod availability;
pub mod baseline;
pub mod ca_bundle;
pub mod diff;
pub mod discovery;
pub mod flags;
pub mod gates;
pub mod ingest;
pub mod kube;
pub mod model;
pub mod names;
pub mod nearest;
pub mod priority;
pub mod registry;
pub mod routing;
pub mod runtime_config;
pub mod upgrade;
pub mod what_if;
