//! Tests parsing with two threads. The thread pool belongs to the process, so each number of
//! threads needs its own test binary.

#![expect(dead_code, unreachable_pub, reason = "a test of one function")]

mod threads;

#[test]
fn documents_are_parsed() {
    threads::check(2);
}
