//! Any pasted text. `cargo fuzz run -s none paste`
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aggctl::trials::paste(text));
