//! What the page looks like: pictures are kept in `target/screenshots`.

use serde_json::json;

use crate::{Browser, Served, mixed};

/// That nothing is wider than the window.
fn fits(browser: &Browser) {
    let wide = "return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('pre, .skip, #list, svg'))
        .map((one) => one.outerHTML.slice(0, 120))";
    assert_eq!(browser.run(wide), json!([]));
    let scrolls = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.run(scrolls), true);
}

#[test]
fn it_fits_every_window_in_light_and_dark() {
    let Some((served, browser)) = mixed("it_fits_every_window_in_light_and_dark") else { return };
    let mut grounds = vec![];
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (400, "light"), (400, "dark")] {
        browser.width(width);
        browser.scheme(scheme);
        browser.open("about:blank");
        browser.open(&served.page("request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
        browser.reads("#outcome", "503 unavailable");
        browser.reads("#details", "comes before");
        grounds.push(browser.run("return getComputedStyle(document.body).backgroundColor"));
        fits(&browser);
        browser.picture(&format!("{scheme}-{width}"));
    }
    assert_ne!(grounds[0], grounds[1]);
    browser.is_clean(&format!("http://{}/", served.address));
}

/// WCAG's contrast of text, for all that is on the page.
#[test]
fn text_can_be_read_in_light_and_dark() {
    let Some((served, browser)) = mixed("text_can_be_read_in_light_and_dark") else { return };
    for scheme in ["light", "dark"] {
        browser.scheme(scheme);
        browser.open("about:blank");
        browser.open(&served.page("request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
        browser.reads("#details", "Its place");
        assert_eq!(browser.run(include_str!("contrast.js")), json!([]), "{scheme}");
    }
}

/// Whoever does not see the page hears what everything is.
#[test]
fn everything_has_a_name() {
    let Some((served, browser)) = mixed("everything_has_a_name") else { return };
    browser.open(&served.page("open=v1.metrics.k8s.io&without=v1.edge.net"));
    browser.reads("#whatif", "What changes");
    browser.reads("#details", "Its place");
    let nameless = "return [...document.querySelectorAll('button, input, [role=region], section[aria-label], summary')]
        .filter((one) => !one.hidden && !(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim()))
        .map((one) => one.outerHTML)";
    assert_eq!(browser.run(nameless), json!([]));
    let twice = "const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
        return ids.filter((id, index) => ids.indexOf(id) !== index)";
    assert_eq!(browser.run(twice), json!([]));
}

#[test]
fn a_plain_kubernetes_looks_well_too() {
    let Some(browser) = Browser::start("a_plain_kubernetes_looks_well_too") else { return };
    let served = Served::start(&["--builtin", "1.36"]);
    browser.open(&served.page(""));
    browser.reads("#details", "Nothing is broken");
    browser.reads("#picture", "No APIService leads to an extension API server.");
    browser.picture("plain");
    browser.is_clean(&format!("http://{}/", served.address));
}

#[test]
fn two_sources_stand_side_by_side() {
    let Some(browser) = Browser::start("two_sources_stand_side_by_side") else { return };
    let served = Served::start(&["--builtin", "1.36", "--compare", "builtin:1.31"]);
    browser.open(&served.page(""));
    let text = browser.reads("#compare", "Side by side");
    for said in ["from builtin 1.31", "to builtin 1.36", "GROUP VERSIONS", "resource.k8s.io/v1"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    fits(&browser);
    browser.picture("side-by-side");
}
