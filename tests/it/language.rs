//! Checks comments, strings, help texts, pages, entries and rules for the constructions that the
//! writing guide in CONTRIBUTING.md bans.

use std::path::{Path, PathBuf};

use crate::architecture::rust_files;
use crate::{assert_none, command_line, documented, repository};

/// Phrases that no text of ours contains, as whole words.
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
    "which are so",
    "that is so",
    "if need be",
    "what came in between",
    "the others of the same",
    "not known of",
    "fight over",
    "fight for",
];

/// Phrases that comments may contain, but no text for users.
const BANNED_FOR_USERS: &[&str] = &[
    "anybody",
    "everybody",
    "and that is said",
    "leads to",
    "lead to",
    "stands behind",
    "stand behind",
    "has it instead",
    "rests on",
    "takes away",
    "taken away",
    "taken for",
    "is there already",
    "mends",
    "mend",
    "is none of",
    "dialled",
    "modelled",
    "labelled",
    "honoured",
    "so that is",
    "taken as",
    "exclude each other",
    "are the most",
    "is there twice",
    "is there since",
    "is not known",
    "cannot be told",
    "does not come in time",
    "go in a circle",
    "if it stays so",
    "outside of",
    "inside of",
];

/// Places whose texts are being rewritten elsewhere: an entry goes when its texts pass.
const NOT_YET: &[&str] = &[
    // A variable of a format string.
    "crates/aggctl-diagnose/src/explain/refused.rs",
];

#[test]
fn comments_follow_the_writing_guide() {
    let mut found = vec![];
    let mut comments = 0;
    for folder in ["src", "crates", "tests", "benches", "fuzz/fuzz_targets", "tools"] {
        for file in rust_files(&repository(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let Some(comment) = comment(line) else { continue };
                comments += 1;
                for phrase in banned(comment, &[BANNED]) {
                    found.push(format!("{}:{}: {phrase}: {comment}", file.display(), number + 1));
                }
            }
        }
    }
    assert!(comments > 1_000, "only {comments} lines of comments were read");
    assert_none(&found);
}

/// Strings with a space are sentences or parts of them. Codes and enum values have none.
#[test]
fn strings_follow_the_writing_guide() {
    let mut check = Check::default();
    for folder in ["src", "crates"] {
        for file in rust_files(&repository(folder)) {
            let is_test = |name: &std::ffi::OsStr| name == "tests.rs" || name == "tests";
            if file.components().any(|part| is_test(part.as_os_str())) {
                continue;
            }
            check.strings(&file);
        }
    }
    check.lines(&repository("src/page/index.html"));
    // Strings in JavaScript look the same.
    for entry in std::fs::read_dir(repository("src/page/script")).unwrap() {
        check.strings(&entry.unwrap().path());
    }
    check.finish(1_000);
}

#[test]
fn help_follows_the_writing_guide() {
    fn add(command: &clap::Command, check: &mut Check) {
        let place = PathBuf::from(format!("aggctl {} --help", command.get_name()));
        let own = [
            command.get_about(),
            command.get_long_about(),
            command.get_before_long_help(),
            command.get_after_help(),
            command.get_after_long_help(),
        ];
        let mut texts: Vec<String> = own.into_iter().flatten().map(ToString::to_string).collect();
        for arg in command.get_arguments() {
            let help = [arg.get_help(), arg.get_long_help()];
            texts.extend(help.into_iter().flatten().map(ToString::to_string));
            let values = arg.get_possible_values();
            texts.extend(values.iter().filter_map(|one| one.get_help()).map(ToString::to_string));
        }
        texts.iter().for_each(|text| check.text(&place, 1, text));
        command.get_subcommands().for_each(|one| add(one, check));
    }
    let mut check = Check::default();
    add(&command_line(), &mut check);
    check.finish(500);
}

/// Prose of pages, knowledge entries and lint rules. Code, and the messages of other programs, are
/// quoted as they are.
#[test]
fn pages_follow_the_writing_guide() {
    let mut pages = documented::pages();
    pages.extend(["CHANGELOG.md", "SECURITY.md", "ARCHITECTURE.md"].map(repository));
    let elsewhere = ["examples/README.md", "packaging/README.md", "testdata/recordings.md"];
    pages.extend(elsewhere.map(repository));
    for folder in ["crates/aggctl-diagnose/src/knowledge/entries", "crates/aggctl-lint/src/docs"] {
        let files = std::fs::read_dir(repository(folder)).unwrap().map(|one| one.unwrap().path());
        pages.extend(files.filter(|path| path.extension().is_some_and(|end| end == "md")));
    }
    let mut check = Check::default();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let (mut code, mut quoted) = (false, false);
        for (number, line) in text.lines().enumerate() {
            if line.starts_with("```") {
                code = !code;
            } else if let Some(heading) = line.strip_prefix("## ") {
                quoted = ["Messages", "Patterns", "Unless"].contains(&heading);
            }
            // The guide itself names what it bans.
            let is_guide = page.ends_with("CONTRIBUTING.md") && line.contains('*');
            if !code && !quoted && !is_guide {
                check.text(&page, number + 1, line);
            }
        }
    }
    // Alerts, manifests, and the descriptions for package managers.
    for file in
        ["deploy/prometheus/rules.yaml", "deploy/cronjob.yaml", "action.yml", "packaging/krew"]
    {
        check.lines(&repository(file));
    }
    check.finish(2_000);
}

/// What was found in texts for users.
#[derive(Default)]
struct Check {
    found: Vec<String>,
    count: usize,
}

impl Check {
    fn text(&mut self, file: &Path, line: usize, text: &str) {
        let place = file.strip_prefix(repository("")).unwrap_or(file).display().to_string();
        let place = place.replace('\\', "/");
        self.count += 1;
        if NOT_YET.iter().any(|prefix| place.starts_with(prefix)) {
            return;
        }
        for phrase in banned(text, &[BANNED, BANNED_FOR_USERS]) {
            self.found.push(format!("{place}:{line}: {phrase}: {text}"));
        }
    }

    fn lines(&mut self, file: &Path) {
        for (number, line) in std::fs::read_to_string(file).unwrap().lines().enumerate() {
            self.text(file, number + 1, line);
        }
    }

    fn strings(&mut self, file: &Path) {
        for (line, string) in strings(&std::fs::read_to_string(file).unwrap()) {
            if string.contains(' ') {
                self.text(file, line, &string);
            }
        }
    }

    fn finish(self, least: usize) {
        assert!(self.count > least, "only {} texts were read", self.count);
        assert_none(&self.found);
    }
}

/// Returns the banned phrases in a text.
fn banned(text: &str, lists: &[&[&'static str]]) -> Vec<&'static str> {
    let phrases = lists.iter().copied().flatten().copied();
    phrases.filter(|phrase| mentions(text, phrase)).chain(not_a(text)).collect()
}

/// Returns the text of a line that is only a comment.
fn comment(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!']).trim())
}

/// Returns the string literals of Rust code with their lines, without comments and test modules.
fn strings(text: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    let mut lines = text.lines().enumerate();
    let mut code = String::new();
    while let Some((_, line)) = lines.next() {
        // A test module ends with a brace at the margin.
        if line == "#[cfg(test)]" {
            let Some((_, module)) = lines.next() else { break };
            code.push_str("\n\n");
            if module.ends_with('{') {
                for (_, inside) in lines.by_ref() {
                    code.push('\n');
                    if inside == "}" {
                        break;
                    }
                }
            }
            continue;
        }
        if comment(line).is_none() {
            code.push_str(line);
        }
        code.push('\n');
    }
    let bytes = code.as_bytes();
    let (mut at, mut line) = (0, 1);
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => line += 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while bytes.get(at + 1).is_some_and(|one| *one != b'\n') {
                    at += 1;
                }
            }
            // A character, not a lifetime.
            b'\'' if bytes.get(at + 1) == Some(&b'\\') => at += 3,
            b'\'' if bytes.get(at + 2) == Some(&b'\'') => at += 2,
            b'"' => {
                let hashes = bytes[..at].iter().rev().take_while(|one| **one == b'#').count();
                let raw = at > hashes && bytes[at - hashes - 1] == b'r';
                let start = at + 1;
                at = start;
                loop {
                    match bytes.get(at) {
                        None => break,
                        Some(b'\\') if !raw => at += 1,
                        Some(b'"') if !raw => break,
                        Some(b'"')
                            if bytes[at + 1..].iter().take(hashes).all(|one| *one == b'#') =>
                        {
                            break;
                        }
                        _ => {}
                    }
                    at += 1;
                }
                let string =
                    String::from_utf8_lossy(&bytes[start..at.min(bytes.len())]).into_owned();
                let started = line;
                line += string.matches('\n').count();
                found.push((started, string));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a text contains a phrase as whole words, outside code spans.
fn mentions(text: &str, phrase: &str) -> bool {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let words = prose.to_lowercase().replace(|one: char| !one.is_alphanumeric(), " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(" {words} ").contains(&format!(" {phrase} "))
}

/// Finds "is" followed by "no", which the guide writes as "is not a". "There is no URL" is fine.
fn not_a(text: &str) -> Option<&'static str> {
    let elsewhere = text.to_lowercase().replace("there is no", "").replace("is no longer", "");
    mentions(&elsewhere, "is no").then_some("is no")
}

#[test]
fn banned_constructions_are_found() {
    let all = [BANNED, BANNED_FOR_USERS];
    let wrong = [
        "Whom it concerns",
        "what it is, as of 1.36",
        "the name is no URL",
        "by chance.",
        "the two exclude each other",
        "253 are the most",
        "v1 is there since 1.10",
    ];
    for text in wrong {
        assert!(!banned(text, &all).is_empty(), "{text}");
    }
    for text in ["There is no URL", "the last offset", "`nobody` is a value", "is no longer served"]
    {
        assert!(banned(text, &all).is_empty(), "{text}");
    }
}

#[test]
fn strings_are_found_where_they_are() {
    let code = "let a = \"one \\\" two\"; // \"not this\"\n\
                let b = r#\"raw \"x\" \\\"#;\n\
                #[cfg(test)]\nmod tests {\n    const X: &str = \"in a test\";\n}\n\
                fn f<'a>(x: char) -> &'a str { if x == '\"' { \"after\" } else { '\\'' } }\n";
    let found: Vec<(usize, String)> = strings(code);
    let texts: Vec<(usize, &str)> =
        found.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(texts, [(1, "one \\\" two"), (2, "raw \"x\" \\"), (7, "after")]);
}
