//! Why an APIService does not work, who may call it, and what a message means.

pub mod access;
pub mod conflict;
pub mod doctor;
pub mod explain;
pub mod health;
pub mod knowledge;
pub mod probe;
#[cfg(test)]
mod testing;
