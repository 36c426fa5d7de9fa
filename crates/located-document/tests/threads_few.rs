//! Parses with as many threads as the system allows. The pool belongs to the process, so each case
//! is a test binary of its own.

#![expect(dead_code, unreachable_pub, reason = "a test of one function")]

#[path = "../src/threads.rs"]
mod threads;

use rayon::prelude::*;

/// All documents are parsed if the system allows only 2 threads.
#[test]
fn work_is_done_with_few_threads() {
    let mut left = 2;
    threads::start(8, |name, work| {
        let may = left > 0;
        left -= i32::from(may);
        may && std::thread::Builder::new().name(name).spawn(work).is_ok()
    })
    .unwrap();
    let sum: u64 = (0..100_000u64).into_par_iter().sum();
    assert_eq!(sum, 4_999_950_000);
    let text = "a: 1\n---\n".repeat(1_000);
    assert_eq!(located_document::parse(text.as_bytes()).len(), 1_000);
}
