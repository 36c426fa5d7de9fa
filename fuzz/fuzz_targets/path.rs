//! Any text as a request target: never a panic, always an end. `cargo fuzz run -s none path`
#![no_main]

use aggctl::registry::Registry;
use aggctl::routing::{Method, Router, Target};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let registry = Registry::new(aggctl::baseline::server(aggctl::baseline::LATEST));
    let router = Router::new(&registry);
    if let Ok(target) = Target::parse(Method::Get, text) {
        let route = router.route(&target);
        assert!(!route.status.is_empty());
        let _ = router.suggest(Method::Get, &target.path);
    }
});
