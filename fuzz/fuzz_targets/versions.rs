//! Hunts cycles in the order of version strings. `cargo fuzz run -s none versions`
#![no_main]

use aggctl::model::compare_versions;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|texts: (String, String, String)| {
    let (a, b, c) = (&texts.0, &texts.1, &texts.2);
    assert_eq!(compare_versions(a, b), compare_versions(b, a).reverse());
    if compare_versions(a, b).is_le() && compare_versions(b, c).is_le() {
        assert!(compare_versions(a, c).is_le());
    }
});
