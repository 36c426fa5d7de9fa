//! Tests the page of `aggctl serve` and `aggctl report` in a real Chromium, driven over WebDriver.
//! Without chromedriver the tests are reported as ignored, or fail if `AGGCTL_REQUIRE` is set.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests look at the clock and fail loudly"
)]

#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../serve/client.rs"]
mod client;
mod driver;
#[allow(dead_code, reason = "not every test binary uses all of it")]
#[path = "../harness/mod.rs"]
mod harness;
#[path = "../harness/needs.rs"]
mod needs;

mod attack;
mod look;
mod report;
mod use_it;

use std::process::ExitCode;

pub(crate) use client::Served;
pub(crate) use driver::Browser;
use needs::{Need, REQUIRE, runs, tests};

const CHROMIUM: Need = Need {
    name: "chromedriver",
    hint: "install it with Chromium (Debian: chromium chromium-driver)",
    required_by: REQUIRE,
    is_met: || runs("chromedriver", &["--version"]),
};

fn main() -> ExitCode {
    let trials = CHROMIUM.of(tests![
        attack::hostile_names_run_nothing,
        attack::a_page_of_another_site_can_neither_read_nor_control_it,
        look::the_page_fits_every_window_in_light_and_dark,
        look::text_has_enough_contrast_in_light_and_dark,
        look::every_control_has_a_name,
        look::signs_and_switches_are_labeled,
        look::a_narrow_table_breaks_no_word,
        look::a_built_in_kubernetes_is_shown,
        look::two_sources_are_compared_side_by_side,
        look::headings_are_in_order,
        look::missing_input_is_at_the_top,
        look::a_banner_shows_what_was_applied,
        report::a_report_answers_its_examples_and_namespaced_paths,
        report::a_report_names_its_source_time_and_tool,
        report::a_printed_report_has_no_line_across_a_box,
        use_it::a_typed_path_shows_its_route,
        use_it::every_outcome_is_described_and_drawn,
        use_it::an_api_service_shows_its_details,
        use_it::a_removed_api_service_changes_routes,
        use_it::a_link_restores_the_view,
        use_it::one_broken_api_service_is_counted,
        use_it::the_list_is_filtered_and_navigated_by_keys,
        use_it::details_are_scrolled_into_view,
        use_it::half_typed_requests_log_nothing,
        use_it::an_empty_filter_can_be_cleared,
        use_it::commands_can_be_copied,
        use_it::the_theme_can_be_switched,
        use_it::conflicts_order_and_upgrade_have_views,
        use_it::the_picture_is_saved_as_svg,
    ]);
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Serves a cluster with many broken APIServices, and starts a browser.
fn mixed() -> (Served, Browser) {
    let dump = harness::recording("v1.36-mixed").join("dump");
    (Served::start(&["--dump", dump.to_str().unwrap()]), Browser::start())
}

impl Served {
    /// Returns the address of the page in this state.
    fn page(&self, state: &str) -> String {
        format!("http://{}/aggctl/#{state}", self.address)
    }
}

impl Browser {
    /// Checks that the page logged no errors and requested nothing from other origins.
    fn is_clean(&self, origin: &str) {
        assert_eq!(self.console(), Vec::<String>::new());
        // The browser's own new tab is a page too.
        let foreign =
            |url: &String| !["chrome:", "data:", origin].iter().any(|own| url.starts_with(own));
        let elsewhere: Vec<String> = self.requests().into_iter().filter(foreign).collect();
        assert_eq!(elsewhere, Vec::<String>::new());
    }
}
