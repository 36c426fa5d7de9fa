//! The page in a real browser: Chromium, driven over WebDriver. Where there is none, the tests say
//! that they are skipped, and how to get it; `AGGCTL_BROWSER=1` makes that a failure.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests look at the clock and fail loudly"
)]

#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../serve/client.rs"]
mod client;
mod driver;
#[expect(dead_code, reason = "other tests need more of it")]
#[path = "../harness/mod.rs"]
mod harness;

mod attack;
mod look;
mod use_it;

pub(crate) use client::Served;
pub(crate) use driver::Browser;

/// The page of a cluster with everything broken that can be, in a browser.
fn mixed(test: &str) -> Option<(Served, Browser)> {
    let browser = Browser::start(test)?;
    let dump = harness::recording("v1.36-mixed").join("dump");
    Some((Served::start(&["--dump", dump.to_str().unwrap()]), browser))
}

impl Served {
    /// Where the page is, with what is looked at.
    fn page(&self, state: &str) -> String {
        format!("http://{}/aggctl/#{state}", self.address)
    }
}

impl Browser {
    /// That the page is whole: it complained about nothing, and asked nobody else.
    fn is_clean(&self, origin: &str) {
        assert_eq!(self.console(), Vec::<String>::new());
        // The browser's own new tab is a page too.
        let foreign =
            |url: &String| !["chrome:", "data:", origin].iter().any(|own| url.starts_with(own));
        let elsewhere: Vec<String> = self.requests().into_iter().filter(foreign).collect();
        assert_eq!(elsewhere, Vec::<String>::new());
    }
}
