//! JUnit XML, for everything that passes or fails.

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
    let (mut body, mut all, mut failed) = (String::new(), 0, 0);
    for Suite { name, cases } in suites {
        let fails = cases.iter().filter(|case| case.fails).count();
        (all, failed) = (all + cases.len(), failed + fails);
        let (name, tests) = (xml(&name), cases.len());
        body.push_str(&format!(
            "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"0\" errors=\"0\" failures=\"{fails}\">\n"
        ));
        cases.iter().for_each(|case| body.push_str(&testcase(case, &name)));
        body.push_str("    </testsuite>\n");
    }
    let title = xml(title);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"{title}\" tests=\"{all}\" skipped=\"0\" failures=\"{failed}\" errors=\"0\">\n\
         {body}</testsuites>\n"
    )
}

fn testcase(case: &Case, suite: &str) -> String {
    let name = xml(&case.name);
    let place = case.line.map(|line| format!(" file=\"{suite}\" line=\"{line}\""));
    let place = place.unwrap_or_default();
    let head = format!("        <testcase name=\"{name}\" classname=\"{suite}\"{place}");
    let details = xml(&case.details);
    let inside = match (case.fails, &case.message) {
        (true, Some(message)) => {
            format!("<failure message=\"{}\">{details}</failure>", xml(message))
        }
        (true, None) => "<failure/>".to_owned(),
        (false, Some(_)) => format!("<system-out>{details}</system-out>"),
        (false, None) => return head + "/>\n",
    };
    format!("{head}>\n            {inside}\n        </testcase>\n")
}

/// Text that is no markup, and can neither steer a terminal nor hide what it says; what XML does
/// not allow is among that. Line breaks stay.
fn xml(text: &str) -> String {
    let safe = text.split('\n').map(sanitise).collect::<Vec<_>>().join("\n");
    let pairs = [('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")];
    pairs.iter().fold(safe.replace('&', "&amp;"), |text, (c, escape)| text.replace(*c, escape))
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
