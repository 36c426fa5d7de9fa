//! The reference of the rules, from the rules themselves.

use crate::lint::{Category, Rule};
use crate::render::{Answer, Basis, Page, Paint, Table, wrap};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// All rules of the linter.
#[derive(Debug, Clone, Copy)]
pub struct Rules(pub &'static [&'static Rule]);

#[derive(Serialize, JsonSchema)]
pub(crate) struct RulesJson {
    rules: Vec<RuleJson>,
}

impl Answer for Rules {
    fn text(&self, page: Page) -> String {
        rules_table(self.0, page)
    }

    fn json(&self) -> impl Serialize {
        let rules = self.0.iter().map(|rule| rule_json(rule)).collect();
        Basis::none().answer("RuleList", RulesJson { rules })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.0.iter().map(|rule| Basis::none().answer("Rule", rule_json(rule)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.0.iter().map(|rule| rule.name.to_owned())
    }
}

/// A line for each rule.
fn rules_table(rules: &[&Rule], page: Page) -> String {
    let mut headers = vec!["RULE", "CATEGORY", "SEVERITY", "CONFIDENCE", "FIX"];
    if page.wide {
        headers.extend(["REFUSED", "WHAT IT FINDS"]);
    }
    let mut table = Table::new(&headers, page);
    let mark = |yes: bool| if yes { "yes" } else { "" };
    for rule in rules {
        let mut cells = vec![
            rule.name,
            rule.category.as_str(),
            rule.severity.as_str(),
            rule.confidence.as_str(),
            mark(rule.fixable),
        ];
        if page.wide {
            cells.extend([mark(rule.server_rejects), rule.summary()]);
        }
        table.row(cells);
    }
    table.render()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RuleJson {
    name: &'static str,
    category: &'static str,
    severity: &'static str,
    confidence: &'static str,
    server_rejects: bool,
    fixable: bool,
    summary: &'static str,
    what_it_does: &'static str,
    why_it_is_bad: std::borrow::Cow<'static, str>,
    example: &'static str,
    what_to_do: &'static str,
}

/// All that is known about a rule, as the JSON contract has it.
pub(crate) fn rule_json(rule: &Rule) -> RuleJson {
    RuleJson {
        name: rule.name,
        category: rule.category.as_str(),
        severity: rule.severity.as_str(),
        confidence: rule.confidence.as_str(),
        server_rejects: rule.server_rejects,
        fixable: rule.fixable,
        summary: rule.summary(),
        what_it_does: rule.docs.what,
        why_it_is_bad: rule.why(),
        example: rule.docs.example,
        what_to_do: rule.docs.remedy,
    }
}

/// The reference page: a table by category, then each rule.
pub fn rules_markdown(rules: &[&Rule]) -> String {
    let mut out = String::from(
        "# Rules\n\n\
         <!-- Made by `aggctl rules -o markdown` from the rules themselves. Do not edit. -->\n\n\
         Severity says how bad it is, confidence how sure it is. *Refused* means that the API\n\
         server itself refuses the manifest. `aggctl explain RULE` shows a rule in the terminal.\n",
    );
    let of = |category: Category| rules.iter().filter(move |rule| rule.category == category);
    for category in Category::ALL {
        if of(category).next().is_none() {
            continue;
        }
        let _ = write!(out, "\n## {}\n\n", heading(category));
        out.push_str("| rule | what it finds | severity | confidence | refused | fix |\n");
        out.push_str("|---|---|---|---|---|---|\n");
        for rule in of(category) {
            let mark = |yes: bool| if yes { "yes" } else { "" };
            let _ = writeln!(
                out,
                "| [`{0}`](#{0}) | {1} | {2} | {3} | {4} | {5} |",
                rule.name,
                rule.summary().replace('|', "\\|"),
                rule.severity,
                rule.confidence,
                mark(rule.server_rejects),
                mark(rule.fixable)
            );
        }
    }
    for category in Category::ALL {
        for rule in of(category) {
            let _ = write!(out, "\n## {}\n\n{}", rule.name, rule_markdown(rule));
        }
    }
    out
}

fn heading(category: Category) -> &'static str {
    match category {
        Category::Input => "The input itself",
        Category::Server => "What the API server refuses",
        Category::Certificates => "Certificates",
        Category::References => "The Service",
        Category::Priorities => "Priorities",
        Category::Conflicts => "Conflicts",
        Category::Operation => "Operation",
    }
}

/// One rule, without its name.
pub fn rule_markdown(rule: &Rule) -> String {
    let docs = &rule.docs;
    format!(
        "{}.\n\n**What it does.** {}\n\n**Why it is bad.** {}\n\n**Example**\n\n```yaml\n{}```\n\n**What to do.** {}\n",
        rule.summary(),
        docs.what,
        rule.why(),
        docs.example,
        docs.remedy
    )
}

/// One rule for the terminal.
pub fn rule_text(rule: &Rule, paint: Paint, width: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", paint.strong(rule.name), rule.summary());
    let refused = if rule.server_rejects { ", the API server refuses it" } else { "" };
    let fixable = if rule.fixable { ", --fix can mend it" } else { "" };
    let _ = writeln!(out, "{} ({} confidence){refused}{fixable}", rule.severity, rule.confidence);
    let docs = &rule.docs;
    let section = |out: &mut String, title: &str, text: &str| {
        let _ = write!(out, "\n{}\n", paint.strong(title));
        for line in wrap(text, width.clamp(40, 100) - 2) {
            let _ = writeln!(out, "  {line}");
        }
    };
    section(&mut out, "What it does", docs.what);
    section(&mut out, "Why it is bad", &rule.why());
    let _ = write!(out, "\n{}\n", paint.strong("Example"));
    for line in docs.example.lines() {
        let _ = writeln!(out, "  {line}");
    }
    section(&mut out, "What to do", docs.remedy);
    out
}
