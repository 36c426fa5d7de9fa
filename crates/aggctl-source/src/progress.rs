//! How far a read has come, for progress bars.

/// How many requests of a read are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Answered requests.
    pub done: usize,
    /// All requests known to be needed so far.
    pub all: usize,
}

/// Called whenever a read makes progress, and now and then while it waits.
pub type Watch<'a> = &'a mut dyn FnMut(Progress);
