//! Progress of a read, for progress bars.

/// The number of answered requests of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Answered requests.
    pub done: usize,
    /// All requests known to be needed so far.
    pub all: usize,
}

/// Called whenever a read makes progress, and periodically while it waits.
pub type Watch<'a> = &'a mut dyn FnMut(Progress);
