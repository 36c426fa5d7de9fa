//! Rule: the file is a template that was not rendered.

use crate::kustomization::folder;
use crate::template::{Form, Template, Templates};
use crate::{Category, Confidence, Finding, LintInput, Rule, Severity};
use std::collections::{BTreeMap, HashSet};

pub(crate) static RULE: Rule = Rule {
    name: "unrendered-template",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

/// Reports each template that the user named as an error, because nothing in it was checked.
/// Templates found in a folder get one warning per chart or folder.
pub(crate) fn findings(templates: Templates, inputs: &[LintInput]) -> Vec<Finding> {
    let charts = inputs.iter().filter_map(|input| input.location().strip_suffix("Chart.yaml"));
    let charts: HashSet<&str> = charts.map(|chart| chart.trim_end_matches('/')).collect();
    let mut groups: BTreeMap<(String, bool), (Template, usize)> = BTreeMap::new();
    let mut findings = vec![];
    for mut template in templates.files.into_values().filter(|template| template.matters) {
        let input = &inputs[template.place.file];
        if let Form::Helm(chart) = &mut template.form {
            let named = || chart_of(input.location(), &charts);
            *chart = chart_of(&input.name, &charts).or_else(named);
        }
        if !input.found {
            findings.push(finding(&template, &input.name, 0));
            continue;
        }
        let (home, helm) = match &template.form {
            Form::Helm(Some(chart)) => (chart.clone(), true),
            _ => (folder(&input.name).to_owned(), false),
        };
        groups.entry((home, helm)).or_insert((template, 0)).1 += 1;
    }
    findings.extend(groups.into_values().map(|(first, count)| {
        let name = &inputs[first.place.file].name;
        finding(&first, name, count - 1).severity(Severity::Warning)
    }));
    findings
}

/// Returns the chart that a template belongs to: the parent of the `templates` folder, or the
/// nearest folder with a `Chart.yaml`.
fn chart_of(name: &str, charts: &HashSet<&str>) -> Option<String> {
    let mut above = std::iter::successors(Some(folder(name)), |inner| {
        (!inner.is_empty()).then(|| folder(inner))
    });
    let is_templates = |path: &&str| path.rsplit(['/', '\\']).next() == Some("templates");
    let templates = above.clone().find(is_templates).map(folder);
    let chart = templates.or_else(|| above.find(|path| charts.contains(path)))?;
    let chart = chart.strip_prefix("./").unwrap_or(chart);
    Some(if chart.is_empty() { ".".to_owned() } else { chart.to_owned() })
}

/// Reports a template in a file with this name, and `more` in the same chart or folder.
fn finding(template: &Template, file: &str, more: usize) -> Finding {
    let mut message = match &template.form {
        Form::Placeholder(text) => {
            format!("`{}` was not filled in, so nothing here was checked", short(text))
        }
        _ => "this is a template that was not rendered, so only its apiVersion was checked"
            .to_owned(),
    };
    if more > 0 {
        let home = if let Form::Helm(Some(_)) = template.form { "chart" } else { "folder" };
        let and = if let Form::Placeholder(_) = template.form { "nor" } else { "as" };
        message.push_str(&format!(", {and} in {more} more of this {home}"));
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

/// Returns a path if it can be pasted into a command without quoting.
fn word(path: &str) -> Option<&str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/+@-".contains(&b);
    (path.bytes().all(plain) && !path.starts_with('-')).then_some(path)
}

/// Returns the start of a placeholder, enough to identify it.
fn short(text: &str) -> String {
    const MAX: usize = 40;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}
