//! The command line of aggctl: everything that turns typed answers into text, pages and exit codes.
//!
//! The answers themselves come from the library crates below `crates/`; `kube-aggregation` is the
//! one to start with. [`cli`] wires a source, a pure function and [`render`] for each command.
//! [`replay`] is an API server as a function, [`serve`] its HTTP listener, and [`page`] the page in
//! the browser. ARCHITECTURE.md has the map.

pub mod cli;
pub mod error;
pub mod expectation;
pub mod page;
pub mod render;
pub mod replay;
pub mod serve;
pub mod trials;
