//! Any text as a request target: never a panic, always an end. `cargo fuzz run -s none path`
#![no_main]

use std::sync::LazyLock;

use aggctl::baseline;
use aggctl::registry::Registry;
use aggctl::routing::{Method, Router, Target};
use libfuzzer_sys::fuzz_target;

static REGISTRY: LazyLock<Registry<'static>> =
    LazyLock::new(|| Registry::new(baseline::server(baseline::LATEST)));
static ROUTER: LazyLock<Router<'static>> = LazyLock::new(|| Router::new(&REGISTRY));

fuzz_target!(|text: &str| {
    for method in Method::ALL {
        if let Ok(target) = Target::parse(method, text) {
            let route = ROUTER.route(&target);
            assert!(!route.status.is_empty());
            let _ = ROUTER.suggest(method, &target.path);
        }
    }
});
