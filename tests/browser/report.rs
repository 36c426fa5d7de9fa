//! Tests the file that `aggctl report` writes: requests, keys, headings and print.

use std::path::Path;
use std::process::Command;

use crate::{Browser, harness};

/// Writes a report, and opens it.
fn report(folder: &Path, browser: &Browser, arguments: &[&str]) -> String {
    let file = folder.join("report.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.arg("report").arg(&file).args(arguments).env_remove("AGGCTL_DUMP");
    assert!(command.output().unwrap().status.success());
    let address = format!("file://{}", file.display());
    browser.open(&address);
    browser.reads("#picture", "kube-aggregator");
    address
}

fn mixed(folder: &Path, browser: &Browser) -> String {
    let dump = harness::recording("v1.36-mixed").join("dump");
    let arguments = ["--dump", dump.to_str().unwrap(), "--now", "2026-11-18T12:00:00Z"];
    report(folder, browser, &arguments)
}

pub(crate) fn a_report_answers_its_examples_and_namespaced_paths() {
    let (browser, folder) = (Browser::start(), tempfile::tempdir().unwrap());
    let address = mixed(folder.path(), &browser);
    let examples = browser.wait("document.querySelector('#request').placeholder");
    let examples = examples.as_str().unwrap().split(", ").map(|one| (one, ""));
    let mut requests: Vec<(&str, &str)> = examples.collect();
    assert!(requests.len() > 2, "{requests:?}");
    requests.extend([
        ("/api/v1/namespaces/kube-system/pods/web-0", "200 served"),
        ("/apis/apps/v1/namespaces/a/deployments?limit=5", "200 served"),
        ("POST /api/v1/namespaces/a/pods", "201 served"),
        ("delete /api/v1/nodes/n1", "200 served"),
        ("pods/web-0", "/api/v1/namespaces/default/pods/web-0"),
        ("deployments.apps", "/apis/apps/v1/deployments"),
        ("/apis/metrics.k8s.io/v1", "503 unavailable"),
        ("/apis/nobody.example/v1", "This report does not contain the answer."),
    ]);
    for (request, words) in requests {
        browser.open("about:blank");
        browser.open(&format!("{address}#request={}", request.replace('?', "%3F")));
        let said = browser.reads("#outcome", words);
        let known = !words.starts_with("This report");
        assert_eq!(
            said.contains("GET") || said.contains("POST") || said.contains("DELETE"),
            known,
            "{request}: {said}"
        );
    }
    // A name and a namespace are those that were typed.
    browser.open("about:blank");
    browser.open(&format!(
        "{address}#request=/apis/wardle.example.com/v1alpha1/namespaces/x/flunders/y"
    ));
    browser.reads(
        "#more",
        "https://wardle.ext.svc:17453/apis/wardle.example.com/v1alpha1/namespaces/x/flunders/y",
    );
    browser.is_clean("file://");
}

pub(crate) fn a_report_names_its_source_time_and_tool() {
    let (browser, folder) = (Browser::start(), tempfile::tempdir().unwrap());
    mixed(folder.path(), &browser);
    let made = browser.reads("#made", "2026-11-18 12:00:00 UTC");
    assert!(made.contains(concat!("aggctl ", env!("CARGO_PKG_VERSION"))), "{made}");
    let source = browser.reads("#source", "Kubernetes 1.36.4");
    assert!(source.contains("v1.36-mixed/dump"), "{source}");
    // Nothing can be removed here, so neither a key nor a button offers it.
    let footer = browser.reads("footer", "request");
    assert!(!footer.contains("remove"), "{footer}");
    assert_eq!(browser.run("return document.querySelectorAll('.switch').length"), 0);
    browser.run("document.querySelector('#list .pick').focus()");
    browser.keys("x");
    assert_eq!(browser.run("return location.hash"), "");
    for (view, words) in [("conflicts", "edge.net"), ("order", "apps"), ("upgrade", "Risks")] {
        browser.run(&format!(
            "location.hash = 'view={view}'; dispatchEvent(new PopStateEvent('popstate'))"
        ));
        browser.reads("#view", words);
    }
    browser.is_clean("file://");
}

/// In print the boxes move, so no line may be drawn where they were.
pub(crate) fn a_printed_report_has_no_line_across_a_box() {
    let (browser, folder) = (Browser::start(), tempfile::tempdir().unwrap());
    let address = mixed(folder.path(), &browser);
    browser.open(&format!("{address}#request=/apis/metrics.k8s.io/v1&open=v1.metrics.k8s.io"));
    browser.reads("#details", "before");
    browser.print("print");
    let drawn = "return [...document.querySelectorAll('#picture > .lines')].filter((one) => one.getClientRects().length > 0).length";
    assert_eq!(browser.run(drawn), 0);
    // The boxes of a grid overlap where a page ends.
    let laid = "return [...document.querySelectorAll('.server, .extension, #list, #details')].filter((one) => {
        for (let box = one.parentElement; box; box = box.parentElement) if (getComputedStyle(box).display === 'grid') return true;
        return false;
    }).length";
    assert_eq!(browser.run(laid), 0);
    // Printers leave out backgrounds, without which a white sign cannot be seen.
    let adjust = "return getComputedStyle(document.querySelector('.sign')).printColorAdjust";
    assert_eq!(browser.run(adjust), "exact");
    let cut = "return [...document.querySelectorAll('#details, #list')].filter((one) => one.scrollHeight > one.clientHeight + 2).length";
    assert_eq!(browser.run(cut), 0);
}
