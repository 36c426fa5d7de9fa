//! Any text as an answer of a health endpoint. `cargo fuzz run -s none health`
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aggctl::trials::health(text));
