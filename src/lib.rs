//! aggctl explains the Kubernetes API aggregation layer: which server of the API server's chain
//! answers a request, and why.
//!
//! Data flows one way: [`source`] reads facts into a [`model::Snapshot`], [`registry::Registry`]
//! spells out what follows from it, a pure function turns that into a value, [`render`] turns the
//! value into bytes. [`cli`] wires the parts of one command.
//!
//! * [`routing`]: a request's way through the chain
//! * [`priority`], [`discovery`]: orders and merged documents
//! * [`lint`]: findings about manifests; [`doctor`]: the first broken link of an APIService
//! * [`knowledge`]: states, messages, causes and what to run, for doctor and explain
//! * [`what_if`], [`diff`], [`expectation`], [`conflict`], [`explain`]: other questions
//! * [`openapi`]: what the aggregator makes of OpenAPI documents
//! * [`page`]: a cluster to look around in, in a browser
//! * [`replay`]: the API server of a source as a function; [`serve`]: its HTTP listener
//! * [`baseline`]: plain Kubernetes servers that are part of the binary
//! * [`document`]: YAML and JSON with places; [`certificate`]: what a caBundle holds
//!
//! Invariants: only [`source`], [`serve`] and [`cli`] do I/O or look at the clock and the environment, only
//! [`render`] knows colour, only [`cli`] knows clap, and nothing panics on input. Lints and
//! `tests/it/architecture.rs` hold them. ARCHITECTURE.md says more.

pub mod access;
pub mod availability;
mod base64;
pub mod baseline;
pub mod certificate;
pub mod cli;
pub mod conflict;
pub mod diff;
pub mod discovery;
pub mod doctor;
pub mod document;
pub mod error;
pub mod expectation;
pub mod explain;
pub mod flags;
pub mod gates;
mod glob;
pub mod health;
pub mod knowledge;
pub mod lint;
pub mod model;
pub mod names;
mod nearest;
pub mod openapi;
pub mod page;
pub mod priority;
pub mod registry;
pub mod render;
pub mod replay;
pub mod routes;
pub mod routing;
pub mod runtime_config;
pub mod serve;
pub mod source;
pub mod trials;
pub mod upgrade;
pub mod usage;
pub mod what_if;
