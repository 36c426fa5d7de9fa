//! aggctl against a real TLS API server on loopback.

mod broken;
mod doctor;
mod dump;
mod equality;
mod requests;
mod server;
mod world;
