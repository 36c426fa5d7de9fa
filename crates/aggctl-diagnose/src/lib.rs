//! Diagnoses the aggregation layer: why an APIService does not work, who may call it, how healthy
//! the API server is, and what an error message means.
//!
//! Everything here is pure: no clock, no files, no network.

pub mod access;
pub mod conflict;
pub mod control_plane;
pub mod doctor;
pub mod explain;
pub mod health;
pub mod knowledge;
pub mod probe;
#[cfg(test)]
mod testing;
