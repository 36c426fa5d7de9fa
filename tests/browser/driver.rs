//! Drives a browser over WebDriver, which is JSON over HTTP to chromedriver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Browsers need much memory, so only one runs at a time.
static ONE: Mutex<()> = Mutex::new(());

/// The maximum time for a page to show something on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one window, which ends when this value is dropped.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
    _one: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts a browser with its own profile.
    pub(crate) fn start() -> Self {
        let one = ONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            line.rsplit_once("successfully on port ")?.1.trim_end_matches('.').parse().ok()
        });
        // Keep reading, since a full pipe would stop chromedriver.
        std::thread::spawn(move || lines.for_each(drop));
        let profile = tempfile::tempdir().unwrap();
        let folder = format!("--user-data-dir={}", profile.path().display());
        let mut browser = Self {
            driver,
            port: port.unwrap(),
            session: String::new(),
            _profile: profile,
            _one: one,
        };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1280,1000",
            // A foreign name that resolves to this machine.
            "--host-resolver-rules=MAP rebound.example 127.0.0.1",
            &folder,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let session = browser.call("POST", "/session", &wanted);
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        browser
    }

    /// Sends a command to the driver, and returns its value.
    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE * 2)).unwrap();
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim_end().to_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap(),
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text).unwrap();
        let mut answer: Value = serde_json::from_slice(&text).unwrap();
        let value = answer["value"].take();
        assert!(value.get("error").is_none(), "{method} {path}: {value}");
        value
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// Opens an address.
    pub(crate) fn open(&self, url: &str) {
        self.command("/url", &json!({ "url": url }));
    }

    /// Runs a script, and returns its result.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.command("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Waits until a script returns a true value, and returns it.
    pub(crate) fn wait(&self, script: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let value = self.run(&format!("return {script}"));
            if !matches!(value, Value::Null | Value::Bool(false)) && value != "" {
                return value;
            }
            assert!(Instant::now() < end, "{script} stays {value}; {:?}", self.console());
            std::thread::yield_now();
        }
    }

    /// Waits until the text of an element contains these words, and returns the whole text.
    pub(crate) fn reads(&self, selector: &str, words: &str) -> String {
        let script = format!(
            "[document.querySelector({})?.innerText ?? ''].find((text) => text.includes({}))",
            json!(selector),
            json!(words)
        );
        self.wait(&script).as_str().unwrap().to_owned()
    }

    /// Types into the focused element.
    pub(crate) fn keys(&self, keys: &str) {
        let actions = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()}))
        });
        let actions: Vec<Value> = actions.collect();
        let keyboard = json!([{"type": "key", "id": "keyboard", "actions": actions}]);
        self.command("/actions", &json!({ "actions": keyboard }));
    }

    /// Clicks an element with the mouse.
    pub(crate) fn click(&self, selector: &str) {
        self.wait(&format!("document.querySelector({}) !== null", json!(selector)));
        let found = self.command("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        self.command(&format!("/element/{id}/click"), &json!({}));
    }

    /// Sends a command of the Chrome DevTools Protocol.
    fn own(&self, command: &str, parameters: &Value) -> Value {
        self.command("/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// Sets the user's preference for a dark or light scheme.
    pub(crate) fn scheme(&self, scheme: &str) {
        let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.own("Emulation.setEmulatedMedia", &json!({ "features": feature }));
    }

    /// Lays the page out as on paper, and saves it as a PDF under `target/screenshots`.
    pub(crate) fn print(&self, name: &str) {
        let page = self.own("Page.printToPDF", &json!({"printBackground": true}));
        save(&format!("{name}.pdf"), page["data"].as_str().unwrap());
        self.own("Emulation.setEmulatedMedia", &json!({"media": "print"}));
    }

    /// Sets the width of the window.
    pub(crate) fn width(&self, width: u32) {
        let size = json!({"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false});
        self.own("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Returns warnings and errors in the console since the last call.
    pub(crate) fn console(&self) -> Vec<String> {
        let entries = self.command("/se/log", &json!({"type": "browser"}));
        let bad = entries.as_array().unwrap().iter().filter(|entry| entry["level"] != "INFO");
        bad.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns the addresses that pages requested since the last call.
    pub(crate) fn requests(&self) -> Vec<String> {
        let entries = self.command("/se/log", &json!({"type": "performance"}));
        let each = entries.as_array().unwrap().iter().filter_map(|entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let sent = message["method"] == "Network.requestWillBeSent";
            sent.then(|| message["params"]["request"]["url"].as_str().unwrap().to_owned())
        });
        each.collect()
    }

    /// Saves a screenshot of the whole page under `target/screenshots`.
    pub(crate) fn picture(&self, name: &str) {
        let height = self.run("return document.documentElement.scrollHeight");
        let width = self.run("return innerWidth");
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height, "scale": 1});
        let whole = json!({"captureBeyondViewport": true, "clip": clip});
        let shot = self.own("Page.captureScreenshot", &whole);
        save(&format!("{name}.png"), shot["data"].as_str().unwrap());
    }
}

/// Saves a file, given as base64, under `target/screenshots`.
fn save(name: &str, data: &str) {
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, data);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes.unwrap()).unwrap();
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // Killing only the driver would leave the browser running.
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
