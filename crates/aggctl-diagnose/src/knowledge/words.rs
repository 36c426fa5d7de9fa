//! What is said of an oddity: the phrases of its entry, filled with its facts.

use super::fill::fill;
use super::{KnowledgeEntry, find};
use kube_aggregation::model::{Severity, some_of};
use kube_aggregation::registry::Anomaly;

/// What is said of one oddity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// What is odd, as a phrase that follows the subject.
    pub says: String,
    /// Why that matters, in a sentence or two.
    pub why: String,
}

/// What a place of an entry stands for.
type Fill<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What is said of an oddity.
pub fn says(oddity: &Anomaly<'_>) -> Words {
    worded(oddity.code.as_str(), &|place| oddity.fill(place))
}

/// What the entry of a code says, with its places filled.
pub fn worded(code: &str, fill: Fill<'_>) -> Words {
    let (says, why) = find(code).map(|entry| (entry.says, &*entry.why)).unwrap_or_default();
    Words { says: filled(says, fill), why: filled(why, fill) }
}

/// What is said of an oddity, with its subject.
pub fn sentence(oddity: &Anomaly<'_>) -> String {
    format!("{}: {}", oddity.subject, says(oddity).says)
}

/// How much a code matters.
pub fn severity(code: &str) -> Severity {
    let said = |entry: &KnowledgeEntry| entry.severity.unwrap_or(Severity::Warning);
    find(code).map_or(Severity::Info, said)
}

/// What to do first about an oddity: what for, and a command.
pub fn next(oddity: &Anomaly<'_>) -> Option<(String, Option<String>)> {
    next_of(oddity.code.as_str(), &|place| oddity.fill(place))
}

/// The same of the entry of a code.
pub fn next_of(code: &str, fill: Fill<'_>) -> Option<(String, Option<String>)> {
    let step = find(code)?.next.first()?;
    let command = Some(step.command).filter(|command| !command.is_empty());
    let what = step.what.strip_prefix("for ").map(|what| format!("see {what}"));
    let what = what.unwrap_or_else(|| step.what.clone());
    Some((filled(&what, fill), command.map(|command| filled(command, fill))))
}

/// What the entry of a code says, with its places filled; `None` where a place has no value.
pub fn phrase(code: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    fill(find(code)?.says, value)
}

/// What the entry of a code says is to be done, with its places filled.
pub fn advice(code: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    fill(&find(code)?.advice, value).filter(|advice| !advice.is_empty())
}

/// Names in a sentence: some of them, and how many more.
pub fn names(all: &[String]) -> String {
    some_of(all, all.len(), 3)
}

/// A template with its places filled. A command may have braces of its own: what no fact fills
/// stays as it is.
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
        let oddity = Anomaly::of(Code::Unavailable, service).with("said", Detail::Text("no way"));
        assert_eq!(says(&oddity).says, "no way");
        assert_eq!(sentence(&oddity), format!("APIService {}: no way", service.name));
        assert_eq!(filled("{nothing} {gv", &|place| oddity.fill(place)), "{nothing} {gv");
    }
}
