//! Tests the alert rules in `deploy/prometheus`: each is explained, and its command exists.

use std::process::Command;

use crate::repository;

/// Returns the values of a field in the rules.
fn values(field: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository("deploy/prometheus/rules.yaml")).unwrap();
    let lines =
        text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix(field));
    lines.map(|value| value.trim().trim_matches('"').to_owned()).collect()
}

fn aggctl(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_aggctl")).args(arguments).output().unwrap()
}

#[test]
fn every_alert_is_explained() {
    let alerts = values("alert:");
    assert!(alerts.len() > 12, "{alerts:?}");
    for alert in alerts {
        let output = aggctl(&["explain", &alert, "--builtin"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{alert}: {text}");
        assert!(text.to_lowercase().contains("alert"), "{alert}: {text}");
    }
}

#[test]
fn every_command_of_an_alert_exists() {
    let commands = values("command:");
    assert_eq!(commands.len(), values("alert:").len());
    for command in commands.iter().filter_map(|command| command.strip_prefix("aggctl ")) {
        let words: Vec<String> = command
            .split(' ')
            .filter(|word| !matches!(*word, "{{" | "}}"))
            .map(|word| if word.contains('$') { "v1.apps".to_owned() } else { word.to_owned() })
            .collect();
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        // The parser checks the line and stops at the request for help.
        words.push("--help");
        assert!(aggctl(&words).status.success(), "{command}");
    }
}
