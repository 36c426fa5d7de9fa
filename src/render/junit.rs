//! JUnit XML for checks that pass or fail.
//!
//! The reports are valid by the two schemas that tools check against: that of Apache Ant
//! (`JUnit.xsd` of windyroad/JUnit-Schema), which is the stricter one, and that of Jenkins
//! (`junit-10.xsd` of the xUnit plugin).

use std::fmt::Write;

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
    pub(super) status: JunitStatus,
    /// What there is to say about it, if anything.
    pub(super) details: String,
}

/// The result of a check.
#[derive(Debug)]
pub(super) enum JunitStatus {
    /// It passed. Details are in the output of the suite.
    Passed,
    Failed {
        /// The kind of failure, in one word.
        kind: &'static str,
        /// The problem in one line.
        message: String,
    },
    /// It was not made. The details say why.
    Skipped,
    /// It could not be made. The details say why.
    Error,
}

/// Returns the report as XML. `now` is in seconds since 1970.
pub(super) fn junit(suites: impl IntoIterator<Item = JunitSuite>, now: i64) -> String {
    let time = jiff::Timestamp::from_second(now).unwrap_or_default();
    let time = time.strftime("%Y-%m-%dT%H:%M:%S").to_string();
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
    for (id, suite) in suites.into_iter().enumerate() {
        let count = |wanted: fn(&JunitStatus) -> bool| {
            suite.cases.iter().filter(|c| wanted(&c.status)).count()
        };
        let name = safe(&suite.name);
        // Writing into memory cannot fail.
        let _ = writeln!(
            xml,
            "    <testsuite name=\"{name}\" package=\"aggctl\" id=\"{id}\" timestamp=\"{time}\" \
             hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\">\n        \
             <properties/>",
            suite.cases.len(),
            count(|s| matches!(s, JunitStatus::Failed { .. })),
            count(|s| matches!(s, JunitStatus::Error)),
            count(|s| matches!(s, JunitStatus::Skipped)),
        );
        let mut output = String::new();
        for case in &suite.cases {
            test_case(&mut xml, &mut output, case, &name);
        }
        let _ = writeln!(
            xml,
            "        <system-out>{output}</system-out>\n        <system-err/>\n    </testsuite>"
        );
    }
    xml + "</testsuites>\n"
}

fn test_case(xml: &mut String, output: &mut String, case: &JunitCase, suite: &str) {
    let JunitCase { name, status, details } = case;
    let (name, details) = (safe(name), safe(details));
    let _ = write!(xml, "        <testcase name=\"{name}\" classname=\"{suite}\" time=\"0\"");
    let inner = match status {
        JunitStatus::Passed => {
            if !details.is_empty() {
                let _ = writeln!(output, "{details}");
            }
            xml.push_str("/>\n");
            return;
        }
        JunitStatus::Failed { kind, message } => {
            format!("<failure type=\"{kind}\" message=\"{}\">{details}</failure>", safe(message))
        }
        JunitStatus::Skipped => format!("<skipped message=\"{details}\"/>"),
        JunitStatus::Error => format!("<error type=\"unread\" message=\"{details}\"/>"),
    };
    let _ = write!(xml, ">\n            {inner}\n        </testcase>\n");
}

/// Sanitizes each line, because a terminal may show the report, and escapes it for XML.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        for c in sanitize(line).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                // Not allowed in XML.
                '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
                c => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_its_place() {
        let case = |status| JunitCase {
            name: "a & b".to_owned(),
            status,
            details: "x < y\u{1b}\nhelp: z".to_owned(),
        };
        let failed = JunitStatus::Failed { kind: "error", message: "x < \"y\"".to_owned() };
        let cases = vec![
            case(failed),
            case(JunitStatus::Passed),
            case(JunitStatus::Skipped),
            case(JunitStatus::Error),
        ];
        let xml = junit([JunitSuite { name: "f.yaml".to_owned(), cases }], 0);
        insta::assert_snapshot!(xml, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
            <testsuite name="f.yaml" package="aggctl" id="0" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="4" failures="1" errors="1" skipped="1" time="0">
                <properties/>
                <testcase name="a &amp; b" classname="f.yaml" time="0">
                    <failure type="error" message="x &lt; &quot;y&quot;">x &lt; y�
        help: z</failure>
                </testcase>
                <testcase name="a &amp; b" classname="f.yaml" time="0"/>
                <testcase name="a &amp; b" classname="f.yaml" time="0">
                    <skipped message="x &lt; y�
        help: z"/>
                </testcase>
                <testcase name="a &amp; b" classname="f.yaml" time="0">
                    <error type="unread" message="x &lt; y�
        help: z"/>
                </testcase>
                <system-out>x &lt; y�
        help: z
        </system-out>
                <system-err/>
            </testsuite>
        </testsuites>
        "#);
    }
}
