//! Any text as a file of expectations. `cargo fuzz run -s none expectations`
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aggctl::trials::expectations(text));
