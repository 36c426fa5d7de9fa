//! Describes anomalies with the phrases of their entries, filled in with details.

use super::entry::{KnowledgeEntry, find};
use super::fill::fill;
use kube_aggregation::model::{Severity, some_of};
use kube_aggregation::registry::Anomaly;

/// An anomaly described in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// What is wrong, as a phrase that follows the subject.
    pub what: String,
    /// Why it matters, in a sentence or two.
    pub why: String,
}

/// Returns the value of a placeholder.
type Fill<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Describes an anomaly by its knowledge entry.
pub fn describe(anomaly: &Anomaly<'_>) -> Description {
    describe_code(anomaly.code.as_str(), &|place| anomaly.fill(place))
}

/// Describes a code by its knowledge entry.
pub fn describe_code(code: &str, fill: Fill<'_>) -> Description {
    let (says, why) = find(code).map(|entry| (entry.says, &*entry.why)).unwrap_or_default();
    Description { what: filled(says, fill), why: filled(why, fill) }
}

/// Describes an anomaly, preceded by its subject.
pub fn sentence(anomaly: &Anomaly<'_>) -> String {
    format!("{}: {}", anomaly.subject, describe(anomaly).what)
}

/// Returns the severity of a code.
pub fn severity(code: &str) -> Severity {
    let of_entry = |entry: &KnowledgeEntry| entry.severity.unwrap_or(Severity::Warning);
    find(code).map_or(Severity::Info, of_entry)
}

/// Returns the first thing to do about an anomaly, with a command if there is one.
pub fn next(anomaly: &Anomaly<'_>) -> Option<(String, Option<String>)> {
    next_of(anomaly.code.as_str(), &|place| anomaly.fill(place))
}

/// Returns the first thing to do about a code, with a command if there is one.
pub fn next_of(code: &str, fill: Fill<'_>) -> Option<(String, Option<String>)> {
    let step = find(code)?.next.first()?;
    let command = Some(step.command).filter(|command| !command.is_empty());
    let what = step.what.strip_prefix("for ").or_else(|| step.what.strip_prefix("shows "));
    let what = what.map(|what| format!("see {what}"));
    let what = what.unwrap_or_else(|| step.what.clone());
    Some((filled(&what, fill), command.map(|command| filled(command, fill))))
}

/// Returns the phrase of a code; `None` if a placeholder has no value.
pub fn phrase(code: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    fill(find(code)?.says, value)
}

/// Returns the advice of a code; `None` if it has none or a placeholder has no value.
pub fn advice(code: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    fill(&find(code)?.advice, value).filter(|advice| !advice.is_empty())
}

/// Joins the first few names, and adds the number of remaining ones.
pub fn names(all: &[String]) -> String {
    some_of(all, all.len(), 3)
}

/// Fills a template. Unknown placeholders are kept, since commands may contain braces of their own.
fn filled(text: &str, value: Fill<'_>) -> String {
    let value = |name: &str| value(name).or_else(|| Some(format!("{{{name}}}")));
    fill(text, value).unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::ApiService;
    use kube_aggregation::registry::{Code, Detail, Registry};

    #[test]
    fn every_code_has_an_entry_with_its_words() {
        for code in Code::ALL {
            let entry = find(code.as_str()).unwrap_or_else(|| panic!("no entry {}", code.as_str()));
            assert_eq!(entry.id, code.as_str(), "the file is named after the code");
            assert!(!entry.says.is_empty() && !entry.why.is_empty(), "{}", entry.id);
            assert!(!entry.says.ends_with('.') && entry.why.ends_with(['.', '}']), "{}", entry.id);
        }
    }

    #[test]
    fn placeholders_are_filled() {
        let plain = kube_aggregation::baseline::server(kube_aggregation::baseline::LATEST);
        let registry = Registry::new(plain);
        let service: &ApiService = &registry.api_services[0];
        let anomaly = Anomaly::of(Code::Unavailable, service).with("said", Detail::Text("no way"));
        assert_eq!(describe(&anomaly).what, "no way");
        assert_eq!(sentence(&anomaly), format!("APIService {}: no way", service.name));
        assert_eq!(filled("{nothing} {gv", &|place| anomaly.fill(place)), "{nothing} {gv");
    }
}
