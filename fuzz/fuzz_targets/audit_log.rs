//! Any bytes as an audit log. `cargo fuzz run -s none audit_log`
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| aggctl::trials::audit_log(bytes));
