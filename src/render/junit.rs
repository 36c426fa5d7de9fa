//! JUnit XML, for everything that passes or fails.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::sanitise;

/// A file, with what was checked in it.
#[derive(Debug)]
pub(super) struct Suite {
    /// The file.
    pub(super) name: String,
    /// What was checked.
    pub(super) cases: Vec<Case>,
}

/// One thing that was checked.
#[derive(Debug)]
pub(super) struct Case {
    /// What it is.
    pub(super) name: String,
    /// Where it is in the file.
    pub(super) line: Option<usize>,
    /// What was found, in one line; none where nothing was.
    pub(super) message: Option<String>,
    /// The same with details.
    pub(super) details: String,
    /// Whether it fails: what is found and does not fail is output.
    pub(super) fails: bool,
}

/// The report as XML.
pub(super) fn junit(title: &str, suites: impl IntoIterator<Item = Suite>) -> String {
    let mut report = Report::new(title);
    for suite in suites {
        let mut xml = TestSuite::new(text(&suite.name));
        for case in suite.cases {
            let mut status = match case.fails {
                true => TestCaseStatus::non_success(NonSuccessKind::Failure),
                false => TestCaseStatus::success(),
            };
            if let (true, Some(message)) = (case.fails, &case.message) {
                status.set_message(text(message)).set_description(text(&case.details));
            }
            let mut one = TestCase::new(text(&case.name), status);
            one.set_classname(text(&suite.name));
            if let Some(line) = case.line {
                one.extra.insert("file".into(), text(&suite.name).into());
                one.extra.insert("line".into(), line.to_string().into());
            }
            if let (false, Some(_)) = (case.fails, &case.message) {
                one.set_system_out(text(&case.details));
            }
            xml.add_test_case(one);
        }
        report.add_test_suite(xml);
    }
    // Writing strings into memory cannot fail.
    report.to_string().unwrap_or_default()
}

/// Text that can neither steer a terminal nor hide what it says; line breaks stay.
fn text(text: &str) -> String {
    text.split('\n').map(sanitise).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fail_passes_with_output() {
        let case = |fails: bool| Case {
            name: "a & b".to_owned(),
            line: Some(3),
            message: Some("x < y\u{1b}".to_owned()),
            details: "x < y\nhelp: z".to_owned(),
            fails,
        };
        let suite = Suite { name: "f.yaml".to_owned(), cases: vec![case(true), case(false)] };
        let xml = junit("aggctl", [suite]);
        assert!(xml.contains(r#"tests="2" skipped="0" failures="1" errors="0""#), "{xml}");
        assert!(xml.contains(r#"<failure message="x &lt; y"#), "{xml}");
        assert!(xml.contains("<system-out>x &lt; y\nhelp: z</system-out>"), "{xml}");
        assert!(!xml.contains('\u{1b}'), "{xml}");
    }
}
