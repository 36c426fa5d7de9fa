//! Any bytes as a file of a dump. `cargo fuzz run -s none dump`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::dump(bytes));
