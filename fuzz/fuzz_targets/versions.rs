//! Hunts cycles in the order of version strings. `cargo fuzz run -s none versions`
#![no_main]

libfuzzer_sys::fuzz_target!(|texts: (String, String, String)| {
    aggctl::trials::versions(&texts.0, &texts.1, &texts.2);
});
