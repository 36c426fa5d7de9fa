//! Any bytes as YAML or JSON: never a panic. `cargo fuzz run -s none document`
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for document in aggctl::document::parse(bytes).into_iter().flatten() {
        let _ = document.to_json_value();
    }
});
