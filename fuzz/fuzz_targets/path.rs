//! Any text as a request target. `cargo fuzz run -s none path`
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aggctl::trials::path(text));
