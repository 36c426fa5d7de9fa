//! Checks parsing on a system that allows only some threads. Shared by two test binaries.

#[path = "../../src/threads.rs"]
mod start;

use rayon::prelude::*;

/// Checks that all documents are parsed if the system allows only `allowed` threads.
pub(crate) fn check(mut allowed: u32) {
    let started = start::start(8, |name, work| {
        let may = allowed > 0;
        allowed -= u32::from(may);
        may && std::thread::Builder::new().name(name).spawn(work).is_ok()
    });
    assert!(started.is_ok());
    let sum: u64 = (0..100_000u64).into_par_iter().sum();
    assert_eq!(sum, 4_999_950_000);
    let text = "a: 1\n---\n".repeat(1_000);
    assert_eq!(located_document::parse(text.as_bytes()).len(), 1_000);
}
