//! aggctl against a real TLS API server on loopback.

mod binary;
mod broken;
mod doctor;
mod connecting;
mod credentials;
mod dump;
mod equality;
mod requests;
mod server;
mod world;
