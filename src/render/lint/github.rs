//! GitHub Actions annotations: one workflow command per finding.

use super::answer::Lint;
use crate::render::sanitize;
use aggctl_lint::{Located, Severity};

/// Returns `::error file=…,line=…::message` lines.
pub(super) fn github(lint: &Lint<'_>) -> String {
    let unread =
        lint.unread.iter().map(|text| format!("::error title=not checked::{}\n", data(text)));
    lint.report.findings.iter().map(|located| line(located, lint)).chain(unread).collect()
}

fn line(located: &Located, lint: &Lint<'_>) -> String {
    let finding = &located.finding;
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let file = lint.name(finding.place.file);
    let file = file.strip_prefix("./").unwrap_or(file);
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    // GitHub accepts columns only within one line.
    let end = match located.start.line == located.end.line {
        true => format!(",endColumn={}", located.end.column),
        false => String::new(),
    };
    format!(
        "::{command} file={},line={},endLine={},col={}{end},title={}::{}\n",
        property(file),
        located.start.line,
        located.end.line,
        located.start.column,
        property(finding.rule.name),
        data(&format!("{}{help}", finding.message)),
    )
}

/// Escapes a message: line breaks and percent signs would end or change the command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    sanitize(&text).into_owned()
}

/// Escapes the value of a property, in which commas and colons have a meaning too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn nothing_breaks_out_of_the_command() {
        assert_eq!(data("a\n::error::b 100%"), "a%0A::error::b 100%25");
        assert_eq!(property("a,b:c\r"), "a%2Cb%3Ac%0D");
        assert_eq!(data("\u{1b}[31m"), "\u{fffd}[31m");
    }
}
