//! Tests the layout of the page: widths, colors, contrast, names for screen readers. Screenshots
//! are saved in `target/screenshots`.

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
    for (width, scheme) in [(1440, "light"), (1440, "dark"), (390, "light"), (390, "dark")] {
        browser.width(width);
        browser.scheme(scheme);
        browser.open("about:blank");
        browser.open(&served.page("request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
        browser.reads("#outcome", "503 unavailable");
        browser.reads("#details", "before");
        grounds.push(browser.run("return getComputedStyle(document.body).backgroundColor"));
        fits(&browser);
        browser.picture(&format!("{scheme}-{width}"));
    }
    assert_ne!(grounds[0], grounds[1]);
    browser.is_clean(&format!("http://{}/", served.address));
}

/// A legend explains the signs and the lines, and every switch says what it does.
pub(crate) fn signs_and_switches_are_labeled() {
    let (served, browser) = mixed();
    browser.open(&served.page(""));
    browser.reads("#picture", "apiextensions-apiserver");
    let legend = browser.reads("#legend", "refused with 503");
    for words in ["works", "needs attention", "broken", "unknown", "path of the request"] {
        assert!(legend.contains(words), "{legend}");
    }
    let switches = "return [...new Set([...document.querySelectorAll('.switch')].map((one) => one.textContent))]";
    assert_eq!(browser.run(switches), json!(["Remove"]));
}

/// In a narrow table, names break only between their labels.
pub(crate) fn a_narrow_table_breaks_no_word() {
    let (served, browser) = mixed();
    browser.width(390);
    browser.open(&served.page("view=order"));
    browser.reads("#view tbody", "apiregistration");
    let scrolls = "return document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.run(scrolls), true);
    let broken = "return [...document.querySelectorAll('td .name')].flatMap((one) => [...one.childNodes]).filter((one) => {
        if (one.nodeType !== Node.TEXT_NODE) return false;
        const range = document.createRange();
        range.selectNode(one);
        return range.getClientRects().length > 1;
    }).map((one) => one.textContent)";
    assert_eq!(browser.run(broken), json!([]));
}

/// All text of the page has the contrast ratio that WCAG requires.
pub(crate) fn text_has_enough_contrast_in_light_and_dark() {
    let (served, browser) = mixed();
    for scheme in ["light", "dark"] {
        browser.scheme(scheme);
        browser.open("about:blank");
        browser.open(&served.page("request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
        browser.reads("#details", "Place in the order");
        assert_eq!(browser.run(include_str!("contrast.js")), json!([]), "{scheme}");
    }
}

/// Screen readers announce every control by its name.
pub(crate) fn every_control_has_a_name() {
    let (served, browser) = mixed();
    browser.open(&served.page("open=v1.metrics.k8s.io&without=v1.edge.net"));
    browser.reads("#whatif", "ROUTES");
    browser.reads("#details", "Place in the order");
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
    browser.reads("#details", "All APIServices work");
    browser.reads("#picture", "No APIService has an extension API server as its backend.");
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
    v1beta3.flowcontrol.apiserver.k8s.io served by kube-apiserver
    +
    v1.resource.k8s.io served by kube-apiserver
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

/// Screen readers navigate by headings: there is one at the top, and no level is skipped.
fn headings(browser: &Browser) {
    let levels = browser.run(
        "return [...document.querySelectorAll('h1, h2, h3, h4')].filter((one) => one.getClientRects().length > 0).map((one) => Number(one.tagName[1]))",
    );
    let levels: Vec<u64> =
        levels.as_array().unwrap().iter().map(|level| level.as_u64().unwrap()).collect();
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1, "{levels:?}");
    assert_eq!(levels.first(), Some(&1));
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
}

pub(crate) fn headings_are_in_order() {
    let (served, browser) = mixed();
    for (state, selector, words) in [
        ("request=/apis/edge.net/v1/routers&open=v1.edge.net&without=v9.apps", "#whatif", "ROUTES"),
        ("view=conflicts", "#view", "edge.net"),
        ("view=order", "#view", "apps"),
        ("view=upgrade", "#view", "Risks"),
    ] {
        browser.open("about:blank");
        browser.open(&served.page(state));
        browser.reads(selector, words);
        browser.wait("document.querySelector('[aria-busy]') === null");
        headings(&browser);
    }
}

pub(crate) fn missing_input_is_at_the_top() {
    let browser = Browser::start();
    let dump = crate::harness::recording("v1.36-vanilla").join("dump/apiservices.json");
    let served = Served::start(&["--dump", dump.to_str().unwrap()]);
    browser.open(&served.page(""));
    browser.reads("#incomplete", "The input is incomplete.");
    browser.reads("#incomplete", "Services are not in the source");
    let overview = browser.reads("#details", "No broken APIServices found");
    assert!(overview.contains("the input is incomplete"), "{overview}");
    let above = "return document.querySelector('#incomplete').getBoundingClientRect().bottom <= document.querySelector('.stage').getBoundingClientRect().top";
    assert_eq!(browser.run(above), true);
}

pub(crate) fn a_banner_shows_what_was_applied() {
    let browser = Browser::start();
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("new.yaml");
    let text = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.new.example.com}\nspec: {group: new.example.com, version: v1, groupPriorityMinimum: 100, versionPriority: 10, service: {namespace: a, name: b}}\n";
    std::fs::write(&manifest, text).unwrap();
    let served = Served::start(&[
        "--builtin",
        "1.36",
        "-f",
        manifest.to_str().unwrap(),
        "--without",
        "v1.batch",
    ]);
    browser.open(&served.page(""));
    let banner = browser.reads("#banner", "new.yaml");
    assert!(banner.contains("without v1.batch"), "{banner}");
    assert!(banner.contains("Nothing was changed in the cluster."), "{banner}");
    browser.click("#banner .link");
    browser.wait("document.querySelector('#compare').getBoundingClientRect().top < innerHeight");
    // Each part can be folded.
    let open = "document.querySelectorAll('#compare details[open]').length";
    let all = browser.run(&format!("return {open}")).as_u64().unwrap();
    browser.click("#compare .part summary");
    browser.wait(&format!("{open} === {}", all - 1));
    browser.picture("banner");
}
