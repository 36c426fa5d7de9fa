//! aggctl against a real TLS API server on loopback.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files, look at the clock and fail loudly"
)]

#[path = "../harness/mod.rs"]
mod harness;

mod binary;
mod broken;
mod connecting;
mod credentials;
mod decoding;
mod deploy;
mod doctor;
mod dump;
mod equality;
mod health;
mod kubeconfig;
mod large;
mod limits;
mod openapi;
mod replay;
mod requests;
mod rounds;
mod secure_proxy;
mod server;
mod usage;
mod world;
