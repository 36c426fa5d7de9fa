//! The layout of the page: widths, colors, contrast, names for screen readers. Screenshots are saved
//! in `target/screenshots`.

use serde_json::json;

use crate::{Browser, Served, mixed};

/// Checks that nothing is wider than the window.
fn fits(browser: &Browser) {
    let wide = "return [...document.querySelectorAll('body *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('pre, .skip, #list, svg'))
        .map((one) => one.outerHTML.slice(0, 120))";
    assert_eq!(browser.run(wide), json!([]));
    let scrolls = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.run(scrolls), true);
}

pub(crate) fn the_page_fits_every_window_in_light_and_dark() {
    let (served, browser) = mixed();
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

/// WCAG's contrast ratio, for all text of the page.
pub(crate) fn text_has_enough_contrast_in_light_and_dark() {
    let (served, browser) = mixed();
    for scheme in ["light", "dark"] {
        browser.scheme(scheme);
        browser.open("about:blank");
        browser.open(&served.page("request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
        browser.reads("#details", "Its place");
        assert_eq!(browser.run(include_str!("contrast.js")), json!([]), "{scheme}");
    }
}

/// Screen readers announce every control by its name.
pub(crate) fn every_control_has_a_name() {
    let (served, browser) = mixed();
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

pub(crate) fn a_built_in_kubernetes_is_shown() {
    let browser = Browser::start();
    let served = Served::start(&["--builtin", "1.36"]);
    browser.open(&served.page(""));
    browser.reads("#details", "Nothing is broken");
    browser.reads("#picture", "No APIService leads to an extension API server.");
    browser.picture("plain");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn two_sources_are_compared_side_by_side() {
    let browser = Browser::start();
    let served = Served::start(&["--builtin", "1.36", "--compare", "builtin:1.31"]);
    browser.open(&served.page(""));
    let text = browser.reads("#compare", "Side by side");
    insta::assert_snapshot!(text.lines().take(20).collect::<Vec<_>>().join("\n"), @"
    Side by side
    from builtin 1.31
    to builtin 1.36
    APISERVICES 1 removed, 1 added
    -
    v1beta3.flowcontrol.apiserver.k8s.io leads to kube-apiserver
    +
    v1.resource.k8s.io leads to kube-apiserver
    GROUP VERSIONS 1 removed, 1 added
    -
    flowcontrol.apiserver.k8s.io/v1beta3 the API server: flowschemas, prioritylevelconfigurations
    +
    resource.k8s.io/v1 the API server: deviceclasses, resourceclaims, resourceclaimtemplates, resourceslices
    RESOURCES 7 added
    +
    v1 pods/resize
    +
    admissionregistration.k8s.io/v1 mutatingadmissionpolicies, mutatingadmissionpolicybindings
    +
    networking.k8s.io/v1 ipaddresses, servicecidrs, servicecidrs/status
    ");
    fits(&browser);
    browser.picture("side-by-side");
}
