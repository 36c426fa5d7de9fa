//! Any bytes as a manifest: linted, mended, applied. `cargo fuzz run -s none manifests`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::manifests(bytes));
