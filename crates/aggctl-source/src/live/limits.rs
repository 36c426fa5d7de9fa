//! Limits on how long to wait for a cluster, and how much to read from it.

use std::time::Duration;

/// The time and size limits for reading one cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The time limit of one request.
    pub request: Duration,
    /// The time limit of all requests of one command.
    pub whole: Duration,
    /// The size limits of responses.
    pub sizes: Sizes,
}

impl Default for Limits {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { request: seconds(20), whole: seconds(30), sizes: Sizes::default() }
    }
}

/// Size limits of responses, in bytes after decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// One response.
    pub answer: usize,
    /// One APIResourceList. There is one per group version, and any extension API server may
    /// produce it.
    pub resource_list: usize,
    /// All discovery documents together. In memory they take eight times as much.
    pub discovery: usize,
    /// All pages of one list.
    pub list: usize,
    /// All responses together.
    pub all: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            answer: 64 << 20,
            resource_list: 8 << 20,
            discovery: 64 << 20,
            list: 256 << 20,
            all: 512 << 20,
        }
    }
}
