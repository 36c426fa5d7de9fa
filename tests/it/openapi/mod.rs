//! `aggctl openapi`, and the documents that real servers made of what others published.

mod command;
mod index;
mod recorded;
