//! Any bytes as aggctl.toml. `cargo fuzz run -s none config`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::config(bytes));
