//! Any bytes as YAML or JSON. `cargo fuzz run -s none document`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::document(bytes));
