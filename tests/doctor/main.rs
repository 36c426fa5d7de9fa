//! `aggctl doctor`: diagnoses of recorded and of made-up clusters.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking and write their own files"
)]

mod command;
mod direct;
mod recordings;
mod walk;
mod world;
