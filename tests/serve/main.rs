//! Tests `aggctl serve` over real HTTP: the binary, and a small client that can send anything.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

#[allow(dead_code, reason = "not every test binary uses all of it")]
mod client;
mod faults;
mod gate;
mod limits;
#[cfg(target_os = "linux")]
mod open;
mod recorded;
mod verify;

#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../harness/mod.rs"]
mod harness;

pub(crate) use client::Served;
