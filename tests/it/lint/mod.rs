//! `aggctl lint`: rules, formats, recordings, hostile input.

mod command;
mod hostile;
mod recordings;
mod rules;
