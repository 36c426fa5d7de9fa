//! Any text as the template of an output format. `cargo fuzz run -s none template`
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| aggctl::trials::template(text));
