//! `aggctl doctor`: diagnoses of recorded and of made-up clusters.

mod command;
mod direct;
mod openmetrics;
mod recordings;
mod walk;
mod world;
