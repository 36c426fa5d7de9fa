//! Tests using the page: typing paths, opening APIServices, what-if, links and keys.

use crate::{Browser, Served, mixed};

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

pub(crate) fn a_typed_path_shows_its_route() {
    let (served, browser) = mixed();
    browser.open(&format!("http://{}/", served.address));
    browser.reads("#picture", "apiextensions-apiserver");
    browser.keys("/");
    browser.keys("/apis/apps/v1/dep");
    browser.reads("#completions", "/apis/apps/v1/deployments");
    // Enter takes the suggestion.
    browser.keys(ENTER);
    insta::assert_snapshot!(browser.reads("#outcome", "GET /apis/apps/v1/deployments"), @"
    200 served
    GET /apis/apps/v1/deployments
    answered by kube-apiserver
    ");
    browser.reads("#kube-aggregator .hop", "APIService v1.apps is local");
    browser.reads("#kube-apiserver .hop", "built-in apps/v1 serves this resource");
    browser.wait("document.querySelectorAll('#picture path.way').length === 2");
    browser.wait("document.querySelector('#kube-apiserver.ends') !== null");
    browser.wait("location.hash === '#request=%2Fapis%2Fapps%2Fv1%2Fdeployments'");
    // Escape leaves the box, with what was typed.
    browser.keys(ESCAPE);
    browser.wait("document.activeElement === document.body");
    browser.wait("document.querySelector('#request').value === '/apis/apps/v1/deployments'");
    browser.wait("document.querySelector('#completions').hidden");
    // An arrow picks another suggestion, and Enter takes a name that is spelled differently.
    browser.keys("/");
    browser.keys("/apis/apps/v1/d");
    browser.reads("#completions", "/apis/apps/v1/daemonsets");
    browser.keys(DOWN);
    browser.keys(DOWN);
    browser.keys(ENTER);
    browser.reads("#outcome", "GET /apis/apps/v1/deployments");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn every_outcome_is_described_and_drawn() {
    let (served, browser) = mixed();
    for (request, outcome, end) in [
        (
            "/apis/wardle.example.com/v1alpha1/flunders",
            "200 proxied",
            "[data-service='ext/wardle'].ends",
        ),
        ("/apis/metrics.k8s.io/v1", "503 unavailable", "[data-service='ext/absent'].ends-badly"),
        ("/apis/nobody.example/v1", "404 not-found", "#nobody.ends-badly"),
        ("POST /api/v1/namespaces", "201 served", "#kube-apiserver.ends"),
        ("crontabs", "200 served", "#apiextensions-apiserver.ends"),
    ] {
        browser.open("about:blank");
        browser.open(&served.page(&format!("request={request}")));
        browser.reads("#outcome", outcome);
        browser.wait(&format!("document.querySelector(\"#picture {end}\") !== null"));
    }
    browser.open("about:blank");
    browser.open(&served.page("request=%25zz"));
    browser.reads("#outcome", "does not begin with a slash");
}

pub(crate) fn an_api_service_shows_its_details() {
    let (served, browser) = mixed();
    browser.open(&served.page(""));
    browser.reads("#details", "11 of 58 APIServices are broken");
    browser.click("[data-name='v1.port.metrics.example.io'] .pick");
    browser.reads("#details h2", "v1.port.metrics.example.io");
    browser.wait("document.querySelector('#details [aria-busy]') === null");
    let details = browser.reads("#details", "Checks");
    insta::assert_snapshot!(details, @r#"
    ×
    v1.port.metrics.example.io
    ✕

    Service ext/other-port has no port 443

    → Service ext/other-port, port 443

    Checks
    ✓
    service
    ext/other-port exists (ClusterIP 10.0.0.31)
    ×
    port
    Service ext/other-port has no port 443

    it has 8443 named "https"

    ×
    endpoints
    the Service has no EndpointSlices
    –
    ready
    not checked: the port is unknown
    –
    address
    the Service has no port 443
    –
    tls
    no caBundle: the certificate must be signed by a CA that the API server's host trusts

    the certificate must be for other-port.ext.svc

    –
    discovery
    not reached
    –
    fresh
    Stale in the aggregated document, with no resources, as expected while unavailable
    Condition

    Available=False ServicePortError since 2026-11-16T01:06:14Z

    service/other-port in "ext" is not listening on port 443

    Fix
    Set spec.service.port to 8443, the only port of the Service.
    kubectl -n ext get service other-port -o yaml
    Copy
    kubectl patch apiservice v1.port.metrics.example.io --type=json -p '[{"op":"add","path":"/spec/service/port","value":8443}]'
    Copy
    Impact
    Every request under /apis/port.metrics.example.io/v1 returns 503.
    Namespaces stay in Terminating (NamespaceDeletionDiscoveryFailure).
    Possible: garbage collection and quota lag for kinds that cannot be listed.
    Possible: clients that require complete discovery fail: kubectl api-resources up to 1.31, some versions of Helm, some controllers.
    What if removed
    APISERVICES 1 removed
    -
    v1.port.metrics.example.io served by ext/other-port:443, available: False (ServicePortError)
    GROUP VERSIONS 1 removed
    -
    port.metrics.example.io/v1 ext/other-port
    ROUTES GET only, no subresources
    ~
    GET /apis/port.metrics.example.io served by kube-aggregator → not-found
    ~
    GET /apis/port.metrics.example.io/v1 unavailable (ext/other-port) → not-found
    Place in the order
    #27 of 38 GET /apis
    name.metrics.example.io (#26) comes before port.metrics.example.io (#27): both have groupPriorityMinimum 1000; the name of the APIService breaks the tie, and v1.name.metrics.example.io sorts before v1.port.metrics.example.io.
    port.metrics.example.io (#27) comes before ready.metrics.example.io (#28): both have groupPriorityMinimum 1000; the name of the APIService breaks the tie, and v1.port.metrics.example.io sorts before v1.ready.metrics.example.io.
    #29 of 37 GET /apis (aggregated discovery)
    name.metrics.example.io (#28) comes before port.metrics.example.io (#29): both have groupPriorityMinimum 1000; the name of the group breaks the tie.
    port.metrics.example.io (#29) comes before ready.metrics.example.io (#30): both have groupPriorityMinimum 1000; the name of the group breaks the tie.
    Manifests
    APIService v1.port.metrics.example.io
    Service ext/other-port
    "#);
    browser.wait("document.querySelector('#details pre').textContent.includes('name: other-port')");
    browser.keys(ESCAPE);
    browser.reads("#details", "11 of 58 APIServices are broken");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn a_removed_api_service_changes_routes() {
    let (served, browser) = mixed();
    browser.open(&served.page("request=/apis/edge.net/v1/routers"));
    browser.reads("#outcome", "200 proxied");
    browser.click("[data-name='v1.edge.net'] .switch");
    insta::assert_snapshot!(browser.reads("#outcome", "route changes"), @"
    200 served
    GET /apis/edge.net/v1/routers
    answered by apiextensions-apiserver
    route changes
    ");
    insta::assert_snapshot!(browser.reads("#more", "Then"), @"
    Now

    kube-aggregator APIService v1.edge.net; proxied to Service ext/wardle:17453

    Then

    kube-aggregator APIService v1.edge.net is local; passed to the next server
    kube-apiserver no match; passed to the next server
    apiextensions-apiserver CRD routers.edge.net serves this resource
    ");
    insta::assert_snapshot!(browser.reads("#whatif", "ROUTES"), @"
    What if removed
    v1.edge.net
    ✕
    Restore all

    APIService v1.edge.net is created: a CRD serves edge.net/v1

    APISERVICES 1 changed
    ~
    v1.edge.net served by ext/wardle:17453 → CRDs, managed by a user → the CRD controller, trusts caBundle 8def64a9 → none
    GROUP VERSIONS 1 changed
    ~
    edge.net/v1 served by ext/wardle → CRDs
    RESOURCES 1 changed
    ~
    edge.net/v1 routers: verbs +delete +deletecollection +patch +update
    ROUTES GET only, no subresources
    ~
    GET /apis/edge.net/v1 proxied to ext/wardle → served by apiextensions-apiserver
    ~
    GET /apis/edge.net/v1/… (2 paths) proxied to ext/wardle → served by crd/routers.edge.net
    ");
    browser.picture("what-if");
    // Undo with the browser's back button, and remove another one with a key.
    browser.run("history.back()");
    browser.wait("document.querySelector('#whatif').hidden");
    // The list is written anew, which would take the focus away.
    browser.wait("document.querySelector(\".gone[data-name='v1.edge.net']\") === null");
    browser.run("document.querySelector(\"[data-name='v1.metrics.k8s.io'] .pick\").focus()");
    browser.keys("x");
    browser.reads("#whatif", "v1.metrics.k8s.io");
    browser.wait("document.querySelector(\".gone[data-name='v1.metrics.k8s.io']\") !== null");
    browser.click("#whatif .heading > .link");
    browser.wait("document.querySelector('#whatif').hidden");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn a_link_restores_the_view() {
    let (served, browser) = mixed();
    let state = "request=%2Fapis%2Fapps%2Fv7&open=v7.apps&filter=apps&without=v9.apps";
    browser.open(&served.page(state));
    browser.reads("#outcome", "not-found");
    browser.reads("#details h2", "v7.apps");
    browser.reads("#whatif", "v9.apps");
    browser.reads("#count", "of 58 APIServices");
    browser.wait("document.querySelector('#filter').value === 'apps'");
    browser.wait("document.querySelector('#request').value === '/apis/apps/v7'");
}

pub(crate) fn one_broken_api_service_is_counted() {
    let dump = crate::harness::repository("examples/cluster");
    let (served, browser) = (Served::start(&["--dump", dump.to_str().unwrap()]), Browser::start());
    browser.open(&served.page("without=v1.billing.shop.example"));
    browser.reads("#details h2", "1 of 25 APIServices is broken");
}

pub(crate) fn the_list_is_filtered_and_navigated_by_keys() {
    let (served, browser) = mixed();
    browser.open(&served.page(""));
    browser.reads("#count", "58 APIServices");
    browser.keys("f");
    browser.keys("servicenotfound");
    browser.reads("#count", "2 of 58 APIServices");
    browser.keys(DOWN);
    browser.keys(DOWN);
    browser.keys(ENTER);
    browser.reads("#details h2", "v1.metrics.k8s.io");
    browser.wait("document.activeElement.closest('.row').dataset.name === 'v1.metrics.k8s.io'");
}

/// A click far above the details scrolls to them, and so does a link.
pub(crate) fn details_are_scrolled_into_view() {
    let (served, browser) = mixed();
    browser.width(1440);
    let visible = "[document.querySelector('#details').getBoundingClientRect()].some((box) => box.top >= 0 && box.top < innerHeight / 2)";
    browser.open(&served.page(""));
    browser.reads("#picture", "ext/badname");
    assert_eq!(browser.run(&format!("return {visible}")), false);
    browser.click("[data-service='ext/badname'] .link");
    browser.reads("#details h2", "v3.broken.example.net");
    browser.wait(visible);
    browser.open("about:blank");
    browser.open(&served.page("open=v1.metrics.k8s.io"));
    browser.reads("#details h2", "v1.metrics.k8s.io");
    browser.wait(visible);
}

/// The browser logs a failed request as an error, so a half-typed request must not be one.
pub(crate) fn half_typed_requests_log_nothing() {
    let (served, browser) = mixed();
    browser.open(&served.page(""));
    browser.reads("#picture", "apiextensions-apiserver");
    browser.keys("/");
    browser.keys("POST ");
    browser.reads("#completions", "POST /apis/");
    assert_eq!(browser.run("return document.querySelector('#outcome').textContent"), "");
    browser.keys("dep%z");
    browser.reads("#outcome", "does not begin with a slash");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn an_empty_filter_can_be_cleared() {
    let (served, browser) = mixed();
    browser.open(&served.page("filter=nothing-has-this"));
    browser.reads("#list", "No APIService matches.");
    browser.click("#list .clear");
    browser.reads("#count", "58 APIServices");
    browser.wait("location.hash === ''");
}

pub(crate) fn commands_can_be_copied() {
    let (served, browser) = mixed();
    browser.open(&served.page("open=v1.metrics.k8s.io"));
    browser.reads("#details", "Fix");
    browser.run("window.copied = []; navigator.clipboard.writeText = async (text) => void window.copied.push(text)");
    browser.run("document.querySelector('#details .copy').click()");
    browser.reads("#details .copy", "Copied");
    let copied = browser.run("return window.copied[0]");
    let shown = browser.run("return document.querySelector('#details .command code').textContent");
    assert_eq!(copied, shown);
    assert!(copied.as_str().unwrap().starts_with("kubectl "), "{copied}");
}

pub(crate) fn the_theme_can_be_switched() {
    let (served, browser) = mixed();
    browser.scheme("light");
    browser.open(&served.page(""));
    browser.reads("#theme", "Theme: auto");
    let ground = "return getComputedStyle(document.body).backgroundColor";
    let light = browser.run(ground);
    browser.click("#theme");
    browser.click("#theme");
    browser.reads("#theme", "Theme: dark");
    let dark = browser.run(ground);
    assert_ne!(light, dark);
    // The next visit remembers it.
    browser.open("about:blank");
    browser.open(&served.page(""));
    browser.reads("#theme", "Theme: dark");
    assert_eq!(browser.run(ground), dark);
}

pub(crate) fn conflicts_order_and_upgrade_have_views() {
    let (served, browser) = mixed();
    browser.open(&served.page(""));
    browser.wait("Number(document.querySelector('#views b')?.textContent) > 0");
    browser.click("#views button:nth-child(2)");
    browser.reads("#view", "routers.edge.net");
    browser.wait("document.querySelector('#view-services').hidden");
    // The keys of the list do nothing here.
    let footer = browser.reads("footer", "filter");
    assert!(!footer.contains("move") && !footer.contains("remove"), "{footer}");
    browser.click("#views button:nth-child(3)");
    let legacy = browser.reads("#view tbody", "apps");
    browser.run("const form = document.querySelector('#form'); form.value = 'aggregated'; form.dispatchEvent(new Event('change'))");
    browser.wait("location.hash === '#view=order&form=aggregated'");
    browser.wait("document.querySelector('#form')?.value === 'aggregated'");
    assert_ne!(browser.reads("#view tbody", "apps"), legacy);
    // A version opens its APIService.
    browser.run("[...document.querySelectorAll('#view .link')].find((one) => one.textContent === 'v9').click()");
    browser.reads("#details h2", "v9.apps");
    browser.click("#views button:nth-child(4)");
    browser.reads("#view", "Upgrade from 1.36");
    browser.reads("#view", "objects may be stored as v1");
    browser.picture("upgrade");
    browser.is_clean(&format!("http://{}/", served.address));
}

pub(crate) fn the_picture_is_saved_as_svg() {
    let (served, browser) = mixed();
    browser.open(&served.page("request=/apis/metrics.k8s.io/v1"));
    browser.reads("#outcome", "503 unavailable");
    browser.run("const make = URL.createObjectURL; URL.createObjectURL = (blob) => (blob.text().then((text) => (window.saved = text)), make.call(URL, blob))");
    browser.click("#save");
    let saved = browser.wait("window.saved ?? ''");
    let saved = saved.as_str().unwrap();
    assert!(saved.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{saved:.80}");
    for words in ["kube-aggregator", "apiextensions-apiserver", ">wardle<", ">503<"] {
        assert!(saved.contains(words), "{words}");
    }
    for loads in ["var(", "<script", "href", "style=", "foreignObject"] {
        assert!(!saved.contains(loads), "{loads}");
    }
    let parses = format!(
        "return new DOMParser().parseFromString({}, 'image/svg+xml').querySelector('parsererror') === null",
        serde_json::json!(saved)
    );
    assert_eq!(browser.run(&parses), true);
}
