//! Tests attacks on the page: hostile names in a dump, and pages of other sites.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::{Browser, Served};

const HOSTILE: [&str; 5] = [
    "<img src=x onerror=pwned()>",
    "</script><script>pwned()</script>",
    "\"><svg onload=pwned()>",
    "javascript:pwned()",
    "a\u{202e}b\u{200b}c",
];

/// Writes a dump in which every name is hostile.
fn hostile(folder: &Path) {
    let mut items = vec![];
    for (index, text) in HOSTILE.iter().enumerate() {
        items.push(json!({
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": format!("v1.{text}"), "labels": {"l": text}, "annotations": {"a": text}},
            "spec": {
                "group": text,
                "version": "v1",
                "groupPriorityMinimum": 1000 + index,
                "versionPriority": 10,
                "service": {"namespace": text, "name": text},
            },
            "status": {"conditions": [{
                "type": "Available", "status": "False", "reason": text, "message": text,
                "lastTransitionTime": text,
            }]},
        }));
    }
    let list = json!({"apiVersion": "v1", "kind": "List", "items": items});
    std::fs::write(folder.join("apiservices.json"), list.to_string()).unwrap();
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{0}.{0}", HOSTILE[0])},
        "spec": {
            "group": HOSTILE[0], "scope": "Namespaced",
            "names": {"plural": HOSTILE[0], "kind": HOSTILE[1]},
            "versions": [{"name": "v1", "served": true, "storage": true}],
        },
    });
    let list = json!({"apiVersion": "v1", "kind": "List", "items": [crd]});
    std::fs::write(folder.join("crds.json"), list.to_string()).unwrap();
}

/// Opens everything on the page, and checks that no script ran.
fn nothing_runs(browser: &Browser) {
    browser.reads("#list", HOSTILE[0]);
    let count = browser.run("return document.querySelectorAll('.row.broken').length");
    assert_eq!(count, json!(HOSTILE.len()));
    browser.run("window.ran = []; window.pwned = () => window.ran.push(1)");
    for index in 0..HOSTILE.len() {
        browser.run(&format!("document.querySelectorAll('.row.broken .pick')[{index}].click()"));
        browser.reads("#details", "Place in the order");
        browser.wait("document.querySelector('#details [aria-busy]') === null");
    }
    let request = format!("/apis/{}/v1", HOSTILE[0]);
    let typed = "const box = document.querySelector('#request'); box.focus(); box.value = ";
    browser.run(&format!("{typed}{}; box.dispatchEvent(new Event('input'))", json!(request)));
    browser.wait("document.querySelector('#outcome').innerText");
    let elements = "return document.querySelectorAll('img, svg [onload], script:not([src]):not([type])').length";
    assert_eq!(browser.run(elements), 0);
    assert_eq!(browser.run("return window.ran"), json!([]));
    // Characters that reverse or hide text are replaced.
    let text = browser.run("return document.body.innerText");
    let text = text.as_str().unwrap();
    assert!(!text.contains('\u{202e}') && text.contains("a\u{fffd}b\u{fffd}c"));
}

pub(crate) fn hostile_names_run_nothing() {
    let browser = Browser::start();
    let dump = tempfile::tempdir().unwrap();
    hostile(dump.path());
    let path = dump.path().to_str().unwrap();
    let served = Served::start(&["--dump", path]);
    browser.open(&served.page(""));
    nothing_runs(&browser);
    browser.is_clean(&format!("http://{}/", served.address));
    let report = dump.path().join("report.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
    command.args(["report", report.to_str().unwrap(), "--dump", path]);
    assert!(command.output().unwrap().status.success());
    browser.open(&format!("file://{}", report.display()));
    nothing_runs(&browser);
    browser.is_clean("file://");
}

/// Starts an attacker's site, which answers every request with this page.
fn attacker(page: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 8192]);
            let length = page.len();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all((head + &page).as_bytes());
        }
    });
    address
}

pub(crate) fn a_page_of_another_site_can_neither_read_nor_control_it() {
    let browser = Browser::start();
    let served = Served::start(&["--builtin", "1.36"]);
    let target = format!("http://{}", served.address);
    let page = format!(
        "<!doctype html><title>attacker</title><script>
        window.found = {{}};
        const note = (name) => [(value) => (found[name] = value), () => (found[name] = 'refused')];
        const read = (path, options) => fetch('{target}' + path, options).then((answer) => answer.text());
        read('/aggctl/api/site').then(...note('cors'));
        read('/aggctl/api/site', {{mode: 'no-cors'}}).then(...note('opaque'));
        read('/aggctl/api/site', {{method: 'POST', body: 'x', mode: 'no-cors'}}).then(...note('post'));
        const script = Object.assign(document.createElement('script'), {{src: '{target}/aggctl/page.js', type: 'text/javascript'}});
        script.onload = () => (found.script = 'loaded');
        script.onerror = () => (found.script = 'refused');
        document.head.append(script);
        addEventListener('load', () => {{
          const frame = Object.assign(document.createElement('iframe'), {{src: '{target}/aggctl/'}});
          frame.onload = () => (found.frame = 'refused');
          document.body.append(frame);
        }});
        </script><body>attack</body>"
    );
    let address = attacker(page);
    browser.open(&format!("http://{address}/"));
    browser.wait("Object.keys(window.found ?? {}).length === 5");
    let found = browser.run("return window.found");
    for (attack, result) in found.as_object().unwrap() {
        let result = result.as_str().unwrap();
        assert!(result == "refused" || result.is_empty(), "{attack}: {result}");
    }
    // The owner of a frame cannot see its content. The browser logs what it blocked.
    let said = browser.console().join("\n");
    assert!(said.contains("frame-ancestors"), "{said}");
    // A foreign name that resolves to this machine, as after DNS rebinding, is refused.
    browser.open(&format!("http://rebound.example:{}/aggctl/api/site", served.address.port()));
    browser.reads("body", "403 forbidden: the header Host must be an IP address or localhost");
    // A link from another site to the page's own address works.
    browser.open(&format!("http://{address}/"));
    browser.run(&format!("location.href = '{target}/aggctl/'"));
    browser.reads("#picture", "kube-aggregator");
}
