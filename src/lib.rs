//! The command line of aggctl: turns typed answers into text, pages and exit codes.
//!
//! The library crates in `crates/` compute the answers; start reading at `kube-aggregation`.
//! [`cli`] connects a source, a pure function and [`render`] for each command. [`replay`] is an API
//! server as a function, [`serve`] its HTTP listener, and [`page`] the page in the browser.
//! ARCHITECTURE.md has the map.

pub mod anonymize;
pub mod cli;
pub mod duration;
pub mod error;
pub mod expectation;
mod mcp;
pub mod page;
pub mod render;
pub mod replay;
pub mod serve;
pub mod trials;
