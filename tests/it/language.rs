//! Checks comments for the constructions that the writing guide in CONTRIBUTING.md bans.

use crate::architecture::rust_files;
use crate::assert_none;
use crate::repository;

/// Phrases that a comment must not contain, as whole words.
const BANNED: &[&str] = &[
    "somebody",
    "nobody",
    "whoever",
    "whom",
    "that which",
    "is said",
    "is told",
    "are told",
    "be told",
    "told apart",
    "by chance",
    "in vain",
    "as of",
    "stands for",
    "behaviour",
    "colour",
    "recognise",
    "recognised",
];

#[test]
fn comments_follow_the_writing_guide() {
    let mut found = vec![];
    let mut comments = 0;
    for folder in ["src", "crates", "tests", "benches", "fuzz/fuzz_targets"] {
        for file in rust_files(&repository(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let Some(comment) = comment(line) else { continue };
                comments += 1;
                let phrases = BANNED.iter().copied().filter(|phrase| mentions(comment, phrase));
                for phrase in phrases.chain(not_a(comment)) {
                    found.push(format!("{}:{}: {phrase}: {comment}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(comments > 1_000, "only {comments} lines of comments were read");
    assert_none(&found);
}

/// Returns the text of a line that is only a comment.
fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim())
}

/// Whether a text contains a phrase as whole words, outside of code spans.
fn mentions(text: &str, phrase: &str) -> bool {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let words = prose.to_lowercase().replace(|one: char| !one.is_alphanumeric(), " ");
    format!(" {words} ").contains(&format!(" {phrase} "))
}

/// Finds "is" followed by "no", which the guide writes as "is not a". "There is no URL" is fine.
fn not_a(text: &str) -> Option<&'static str> {
    let elsewhere = text.to_lowercase().replace("there is no", "").replace("is no longer", "");
    mentions(&elsewhere, "is no").then_some("is no")
}

#[test]
fn banned_constructions_are_found() {
    for text in ["Whom it concerns", "what it is, as of 1.36", "the name is no URL", "by chance."] {
        let banned = BANNED.iter().copied().find(|phrase| mentions(text, phrase));
        assert!(banned.or(not_a(text)).is_some(), "{text}");
    }
    for text in ["There is no URL", "the last offset", "`nobody` is a value", "is no longer served"]
    {
        let banned = BANNED.iter().copied().find(|phrase| mentions(text, phrase));
        assert_eq!(banned.or(not_a(text)), None, "{text}");
    }
}
