//! Any bytes as a file of kubectl's discovery cache. `cargo fuzz run -s none kubectl_cache`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::kubectl_cache(bytes));
