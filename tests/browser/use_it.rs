//! What somebody does with the page.

use crate::mixed;

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

#[test]
fn a_path_that_is_typed_shows_its_way() {
    let Some((served, browser)) = mixed("a_path_that_is_typed_shows_its_way") else { return };
    browser.open(&format!("http://{}/", served.address));
    browser.reads("#picture", "apiextensions-apiserver");
    browser.keys("/");
    browser.keys("/apis/apps/v1/dep");
    browser.reads("#completions", "/apis/apps/v1/deployments");
    browser.keys(DOWN);
    browser.keys(ENTER);
    let outcome = browser.reads("#outcome", "200 served");
    assert!(outcome.contains("answered by kube-apiserver"), "{outcome}");
    browser.reads("#kube-aggregator .hop", "APIService v1.apps is local");
    browser.reads("#kube-apiserver .hop", "apps/v1 is built in");
    browser.wait("document.querySelectorAll('#picture path.way').length === 2");
    browser.wait("document.querySelector('#kube-apiserver.ends') !== null");
    browser.wait("location.hash === '#request=%2Fapis%2Fapps%2Fv1%2Fdeployments'");
    browser.is_clean(&format!("http://{}/", served.address));
}

#[test]
fn every_ending_is_told_and_drawn() {
    let Some((served, browser)) = mixed("every_ending_is_told_and_drawn") else { return };
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

#[test]
fn an_api_service_tells_all_about_itself() {
    let Some((served, browser)) = mixed("an_api_service_tells_all_about_itself") else { return };
    browser.open(&served.page(""));
    browser.reads("#details", "11 of 58 APIServices are broken");
    browser.click("[data-name='v1.port.metrics.example.io'] .pick");
    browser.reads("#details h2", "v1.port.metrics.example.io");
    browser.wait("document.querySelector('#details [aria-busy]') === null");
    let details = browser.reads("#details", "The walk of the API server");
    for said in [
        "Service ext/other-port has no port 443",
        "What to do",
        "What hangs on it",
        "Every request under /apis/port.metrics.example.io/v1 gets 503",
        "GROUP VERSIONS",
        "Its place",
        "comes before",
        "Manifests",
    ] {
        assert!(details.contains(said), "{said}: {details}");
    }
    browser.wait("document.querySelector('#details pre').textContent.includes('name: other-port')");
    browser.keys(ESCAPE);
    browser.reads("#details", "11 of 58 APIServices are broken");
    browser.is_clean(&format!("http://{}/", served.address));
}

#[test]
fn what_is_switched_off_changes_the_ways() {
    let Some((served, browser)) = mixed("what_is_switched_off_changes_the_ways") else { return };
    browser.open(&served.page("request=/apis/edge.net/v1/routers"));
    browser.reads("#outcome", "200 proxied");
    browser.click("[data-name='v1.edge.net'] .switch");
    let outcome = browser.reads("#outcome", "goes another way than now");
    assert!(outcome.contains("200 served"), "{outcome}");
    let way = browser.reads("#more", "Then");
    assert!(way.contains("Now") && way.contains("apiextensions-apiserver"), "{way}");
    let changes = browser.reads("#whatif", "What changes");
    assert!(changes.contains("edge.net/v1 served by ext/wardle → CRDs"), "{changes}");
    browser.picture("what-if");
    // Back with the browser's own button, and away again with a key.
    browser.run("history.back()");
    browser.wait("document.querySelector('#whatif').hidden");
    browser.run("document.querySelector(\"[data-name='v1.metrics.k8s.io'] .pick\").focus()");
    browser.keys("x");
    browser.reads("#whatif", "v1.metrics.k8s.io");
    browser.wait("document.querySelector(\".gone[data-name='v1.metrics.k8s.io']\") !== null");
    browser.click("#whatif .link");
    browser.wait("document.querySelector('#whatif').hidden");
    browser.is_clean(&format!("http://{}/", served.address));
}

#[test]
fn a_link_shows_what_its_sender_saw() {
    let Some((served, browser)) = mixed("a_link_shows_what_its_sender_saw") else { return };
    let state = "request=%2Fapis%2Fapps%2Fv7&open=v7.apps&filter=apps&without=v9.apps";
    browser.open(&served.page(state));
    browser.reads("#outcome", "not-found");
    browser.reads("#details h2", "v7.apps");
    browser.reads("#whatif", "v9.apps");
    browser.reads("#count", "of 58 APIServices");
    browser.wait("document.querySelector('#filter').value === 'apps'");
    browser.wait("document.querySelector('#request').value === '/apis/apps/v7'");
}

#[test]
fn the_list_is_filtered_and_walked_by_keys() {
    let Some((served, browser)) = mixed("the_list_is_filtered_and_walked_by_keys") else { return };
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
