//! `aggctl doctor` on recorded and on made-up clusters.

mod command;
mod direct;
mod openmetrics;
mod recordings;
mod walk;
mod world;
