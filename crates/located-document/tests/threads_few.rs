//! The pool of threads belongs to the process, so each case is a test binary of its own.

#![expect(dead_code, unreachable_pub, reason = "a test of one function")]

mod threads;

#[test]
fn documents_are_parsed() {
    threads::check(2);
}
