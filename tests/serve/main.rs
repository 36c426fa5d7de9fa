//! `aggctl serve` over real HTTP: the real binary, asked by a small client and by a real kubectl.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

mod client;
mod faults;
mod gate;
mod kubectl;
mod recorded;

#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../harness/mod.rs"]
mod harness;

pub(crate) use client::Served;
