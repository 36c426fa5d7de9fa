//! Tests aggctl against a TLS API server on loopback that replays a recording.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files, look at the clock and fail loudly"
)]

#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../harness/mod.rs"]
mod harness;

mod binary;
mod broken;
mod client_cache;
mod connecting;
mod credentials;
mod decoding;
mod deploy;
mod doctor;
mod dump;
mod equality;
mod fleet;
mod health;
mod kubeconfig;
mod large;
mod limits;
mod openapi;
mod promises;
mod replay;
mod requests;
mod rounds;
mod secure_proxy;
mod server;
mod usage;
mod verify;
mod world;
