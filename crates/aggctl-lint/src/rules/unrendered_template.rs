//! The file is a template that was not rendered.

use crate::kustomize::folder;
use crate::template::{Form, Template};
use crate::{Category, Confidence, Finding, Rule, RuleCheck, Severity};

pub(crate) static RULE: Rule = Rule {
    name: "unrendered-template",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
    check: RuleCheck::Engine,
};

/// A template, in a file of this name, and so many more of the same chart or folder.
pub(crate) fn finding(template: &Template, file: &str, more: usize) -> Finding {
    let mut message = match &template.form {
        Form::Placeholder(text) => {
            format!("`{}` was not filled in, so nothing here was checked", short(text))
        }
        _ => "this is a template that was not rendered, so nothing in it was checked".to_owned(),
    };
    if more > 0 {
        let home = if let Form::Helm(Some(_)) = template.form { "chart" } else { "folder" };
        message.push_str(&format!(", nor in {more} more of this {home}"));
    }
    let help = match &template.form {
        Form::Helm(chart) => {
            let chart = chart.as_deref().and_then(word).unwrap_or("CHART");
            format!("render it first: `helm template {chart} | aggctl lint -`")
        }
        Form::Ytt => {
            let folder = match folder(file) {
                "" => ".",
                folder => word(folder).unwrap_or("FOLDER"),
            };
            format!("render it first: `ytt -f {folder} | aggctl lint -`")
        }
        Form::Placeholder(text) if text.contains('$') && !text.contains("$(") => {
            let file = word(file).unwrap_or("FILE");
            format!("fill it in first: `envsubst < {file} | aggctl lint -`")
        }
        Form::Placeholder(_) => {
            "fill it in first, and pipe the result into `aggctl lint -`".to_owned()
        }
        Form::Named => "render it first, and pipe the result into `aggctl lint -`".to_owned(),
    };
    Finding::new(&RULE, template.place, message).help(help)
}

/// A path as it can be copied into a command.
fn word(path: &str) -> Option<&str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/+@-".contains(&b);
    (path.bytes().all(plain) && !path.starts_with('-')).then_some(path)
}

/// As much of a placeholder as tells which one it is.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}
