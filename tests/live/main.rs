//! aggctl against a real TLS API server on loopback.

mod equality;
mod server;
mod world;
