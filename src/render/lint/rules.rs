//! The reference of the lint rules, generated from the rules.

use crate::render::format::Format;
use crate::render::table::Grid;
use crate::render::{Answer, ResponseMeta, Table, TextBuilder, TextOptions, markdown};
use aggctl_lint::{Category, Rule, rules};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// All rules of the linter.
#[derive(Debug, Clone)]
pub struct Rules(pub Vec<&'static Rule>);

#[derive(Serialize, JsonSchema)]
pub(crate) struct RulesJson {
    rules: Vec<RuleJson>,
}

impl Answer for Rules {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        if self.0.len() == rules::all().count() || page.wide {
            return rules_table(&self.0, page).text();
        }
        // A few rules have room for their whole text.
        let mut sheet = TextBuilder::new(page);
        for rule in &self.0 {
            let head = format!("{} ({}):", page.paint.strong(rule.name), rule.severity.as_str());
            sheet.paragraph(format_args!("{head} "), "    ", rule.summary());
            sheet.command("    details:", &format!("aggctl explain {}", rule.name));
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let rules = self.0.iter().map(|rule| rule_json(rule)).collect();
        ResponseMeta::none().answer("RuleList", RulesJson { rules })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.0.iter().map(|rule| ResponseMeta::none().answer("Rule", rule_json(rule)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.0.iter().map(|rule| rule.name.to_owned())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(rules_table(&self.0, options))
    }

    fn markdown(&self) -> Option<String> {
        Some(rules_markdown(&self.0))
    }
}

/// Returns one row per rule.
fn rules_table(rules: &[&Rule], page: TextOptions) -> Grid {
    Table::new(rules, page)
        .column("RULE", |rule| rule.name)
        .column("SEVERITY", |rule| rule.severity.as_str())
        .column("WHAT IT FINDS", |rule| rule.summary())
        .wrapped()
        .wide("CATEGORY", |rule| rule.category.as_str())
        .wide("CONFIDENCE", |rule| rule.confidence.as_str())
        .wide("FIX", |rule| yes(rule.fixable))
        .wide("REJECTED", |rule| yes(rule.server_rejects()))
        .grid()
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "" }
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

/// Returns the document of a rule.
pub(crate) fn rule_json(rule: &Rule) -> RuleJson {
    RuleJson {
        name: rule.name,
        category: rule.category.as_str(),
        severity: rule.severity.as_str(),
        confidence: rule.confidence.as_str(),
        server_rejects: rule.server_rejects(),
        fixable: rule.fixable,
        summary: rule.summary(),
        what_it_does: &rule.docs().what,
        why_it_is_bad: rule.why(),
        example: rule.docs().example,
        what_to_do: &rule.docs().remedy,
    }
}

/// Returns the reference page: a table per category, then each rule.
pub fn rules_markdown(rules: &[&Rule]) -> String {
    let mut out = String::from(
        "# Rules\n\n\
         <!-- Made by `aggctl lint --rules -o markdown` from the rules themselves. Do not edit. -->\n\n\
         Severity says how bad a finding is, and confidence how certain it is. *Refused* means that the\n\
         API server itself rejects the manifest. `aggctl explain RULE` shows a rule in the terminal.\n",
    );
    let of = |category: Category| rules.iter().filter(move |rule| rule.category == category);
    for category in Category::ALL {
        if of(category).next().is_none() {
            continue;
        }
        let headers = ["rule", "what it finds", "severity", "confidence", "refused", "fix"];
        let rows = of(category).map(|rule| {
            [
                format!("[`{0}`](#{0})", rule.name),
                rule.summary().replace('|', "\\|"),
                rule.severity.to_string(),
                rule.confidence.to_string(),
                yes(rule.server_rejects()).to_owned(),
                yes(rule.fixable).to_owned(),
            ]
        });
        let rules = markdown::table(&headers, rows);
        let _ = write!(out, "\n## {}\n\n{rules}", heading(category));
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

/// Returns the reference of a rule, without its name.
pub fn rule_markdown(rule: &Rule) -> String {
    let docs = rule.docs();
    format!(
        "{}.\n\n**What it does.** {}\n\n**Why it is bad.** {}\n\n**Example**\n\n```yaml\n{}```\n\n**What to do.** {}\n",
        rule.summary(),
        docs.what,
        rule.why(),
        docs.example,
        docs.remedy
    )
}

/// Returns the reference of a rule for the terminal.
pub(in crate::render) fn rule_text(rule: &Rule, page: TextOptions) -> String {
    let mut sheet = TextBuilder::new(TextOptions { width: page.width.clamp(40, 100), ..page });
    sheet.line(format_args!("{}: {}", page.paint.strong(rule.name), rule.summary()));
    let refused = if rule.server_rejects() { ", the API server refuses it" } else { "" };
    let fixable = if rule.fixable { ", fixable with --fix" } else { "" };
    let (severity, confidence) = (rule.severity, rule.confidence);
    sheet.line(format_args!("{severity} ({confidence} confidence){refused}{fixable}"));
    let docs = rule.docs();
    sheet.section("What it does");
    sheet.indented(2, &docs.what);
    sheet.section("Why it is bad");
    sheet.indented(2, rule.why());
    sheet.section("Example");
    for line in docs.example.lines() {
        sheet.line(format_args!("  {line}"));
    }
    sheet.section("What to do");
    sheet.indented(2, &docs.remedy);
    sheet.into_text()
}
