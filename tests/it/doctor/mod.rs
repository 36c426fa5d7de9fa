//! `aggctl doctor`: diagnoses of recorded and of made-up clusters.

mod command;
mod direct;
mod recordings;
mod walk;
mod world;
