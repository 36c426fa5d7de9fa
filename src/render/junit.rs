//! JUnit XML for checks that pass or fail. Text is sanitized before quick-junit writes it.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::sanitize;

/// One file, with the checks of its content.
#[derive(Debug)]
pub(super) struct JunitSuite {
    pub(super) name: String,
    pub(super) cases: Vec<JunitCase>,
}

/// One check.
#[derive(Debug)]
pub(super) struct JunitCase {
    pub(super) name: String,
    /// Its line in the file.
    pub(super) line: Option<usize>,
    /// The problem in one line, if there is one.
    pub(super) message: Option<String>,
    /// The problem with details.
    pub(super) details: String,
    /// Whether the problem is a failure; otherwise it is the output of a check that passed.
    pub(super) fails: bool,
}

/// Returns the report as XML.
pub(super) fn junit(title: &str, suites: impl IntoIterator<Item = JunitSuite>) -> String {
    let mut report = Report::new(safe(title));
    report.add_test_suites(suites.into_iter().map(|JunitSuite { name, cases }| {
        let name = safe(&name);
        let mut suite = TestSuite::new(name.as_str());
        suite.add_test_cases(cases.into_iter().map(|case| test_case(case, &name)));
        suite
    }));
    // Writing into memory cannot fail.
    report.to_string().unwrap_or_default()
}

fn test_case(case: JunitCase, suite: &str) -> TestCase {
    let JunitCase { name, line, message, details, fails } = case;
    let mut status = match fails {
        true => TestCaseStatus::non_success(NonSuccessKind::Failure),
        false => TestCaseStatus::success(),
    };
    if let Some(message) = message.as_ref().filter(|_| fails) {
        status.set_message(safe(message)).set_description(safe(&details));
    }
    let mut test = TestCase::new(safe(&name), status);
    test.set_classname(suite);
    if message.is_some() && !fails {
        test.set_system_out(safe(&details));
    }
    if let Some(line) = line {
        test.extra.insert("file".into(), suite.into());
        test.extra.insert("line".into(), line.to_string().into());
    }
    test
}

/// Sanitizes each line, because a terminal may show the report.
fn safe(text: &str) -> String {
    text.split('\n').map(sanitize).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fail_passes_with_output() {
        let case = |fails: bool| JunitCase {
            name: "a & b".to_owned(),
            line: Some(3),
            message: Some("x < y\u{1b}".to_owned()),
            details: "x < y\nhelp: z".to_owned(),
            fails,
        };
        let passed = JunitCase { line: None, message: None, ..case(false) };
        let cases = vec![case(true), case(false), passed];
        let xml = junit("aggctl", [JunitSuite { name: "f.yaml".to_owned(), cases }]);
        insta::assert_snapshot!(xml, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="aggctl" tests="3" skipped="0" failures="1" errors="0">
            <testsuite name="f.yaml" tests="3" skipped="0" errors="0" failures="1">
                <testcase name="a &amp; b" classname="f.yaml" file="f.yaml" line="3">
                    <failure message="x &lt; y�">x &lt; y
        help: z</failure>
                </testcase>
                <testcase name="a &amp; b" classname="f.yaml" file="f.yaml" line="3">
                    <system-out>x &lt; y
        help: z</system-out>
                </testcase>
                <testcase name="a &amp; b" classname="f.yaml"/>
            </testsuite>
        </testsuites>
        "#);
    }
}
