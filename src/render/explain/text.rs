//! An explanation for people.

use super::ExplanationAnswer;
use crate::explain::{About, EntryAnswer, Lookup, NamespaceAnswer, Refused, Report};
use crate::model::Origin;
use crate::render::health::health_text;
use crate::render::{Page, SameSource, hang, indented, sanitise, wrap};

/// How many names of a kind are shown.
const MOST: usize = 12;

/// An explanation with what the source says about it.
pub(super) fn explanation(answer: &ExplanationAnswer<'_>, page: Page) -> String {
    let report = answer.report;
    let mut sheet = Sheet { text: String::new(), page, origin: answer.origin, same: answer.same };
    match report.answers.split_first() {
        None if report.is_recognised() => {}
        None => sheet.not_recognised(report),
        Some((first, rest)) => {
            for line in wrap(first.entry.title, page.width) {
                sheet.line(&page.paint.strong(line).to_string());
            }
            sheet.answer(first, report);
            if !rest.is_empty() {
                sheet.section("ALSO RECOGNISED");
                for one in rest {
                    sheet.hanging(&format!("{:24}", one.entry.id), one.entry.title);
                }
            }
        }
    }
    if let Some(health) = &report.found.health {
        if !report.answers.is_empty() {
            sheet.section("HEALTH CHECKS");
        }
        sheet.text.push_str(&health_text(health, page));
    }
    if report.found.cut {
        sheet.line("\nthe text is long: only its first 4 MiB were read");
    }
    sheet.text
}

/// Why a namespace does not go away.
pub(super) fn namespace(answer: &NamespaceAnswer, page: Page) -> String {
    let same = SameSource::default();
    let mut sheet = Sheet { text: String::new(), page, origin: None, same: &same };
    for line in wrap(&answer.summary, page.width) {
        sheet.line(&page.paint.strong(line).to_string());
    }
    for blocker in &answer.blockers {
        sheet.section(&blocker.condition);
        sheet.indented(&blocker.message, 2);
        sheet.indented(blocker.meaning, 2);
        sheet.lookups(&blocker.lookups);
    }
    if !answer.suspects.is_empty() {
        sheet.section("ALSO NOT WORKING");
        sheet.indented(answer.of_suspects, 2);
        let widest = answer.suspects.iter().map(|one| one.name.chars().count()).max();
        let widest = widest.unwrap_or_default().min(page.width / 2);
        for one in &answer.suspects {
            sheet.hanging(&format!("{:widest$} ", sanitise(&one.name)), &one.brief);
        }
    }
    sheet.text
}

/// What is written, and how.
struct Sheet<'a> {
    text: String,
    page: Page,
    origin: Option<&'a Origin>,
    same: &'a SameSource,
}

impl Sheet<'_> {
    fn not_recognised(&mut self, report: &Report) {
        self.line("not recognised: aggctl does not know this message");
        if !report.found.nearest.is_empty() {
            self.section("NEAREST");
            for entry in &report.found.nearest {
                self.hanging(&format!("{:24}", entry.id), entry.title);
            }
        }
        self.subject(report);
        self.refused(&report.refused);
        self.section("WHAT TO RUN");
        self.command("aggctl doctor", "to see whether any APIService does not work, and why");
        self.indented(
            "If the message is about the aggregation layer, aggctl should know it: please report it.",
            2,
        );
    }

    fn answer(&mut self, answer: &EntryAnswer, report: &Report) {
        let (entry, found) = (answer.entry, &report.found);
        if let Some((line, text)) = &answer.place {
            self.hanging(&format!("line {line}:"), text);
        }
        if !entry.said_by.is_empty() {
            self.hanging("said by:", entry.said_by);
        }
        if found.about == Some(About::Possibly) {
            self.line("");
            self.indented(
                "Any program that uses the network or TLS says this, and nothing in the text tells which one did. What follows holds if it is from an APIService's condition, from kube-apiserver's log, or from a request to an aggregated API; otherwise look at the program that said it.",
                2,
            );
        }
        self.section("WHAT IT MEANS");
        for paragraph in &entry.meaning {
            self.indented(paragraph, 2);
        }
        if let Some(cause) = &found.cause {
            self.section("WHAT FAILED");
            self.indented(&cause.what, 2);
            self.indented(cause.advice, 2);
        }
        self.subject(report);
        self.refused(&report.refused);
        self.section("USUAL CAUSES");
        for (index, cause) in answer.causes.iter().enumerate() {
            let mark = if cause.likely.is_some() { " ← likely here" } else { "" };
            self.hanging(&format!("{}.", index + 1), &format!("{}{mark}", cause.text));
        }
        self.section("WHAT TO RUN");
        let mut steps = answer.next.iter().peekable();
        while let Some(step) = steps.next() {
            // One purpose for several commands is said once.
            let again = steps.peek().is_some_and(|next| next.what == step.what);
            match step.command.as_str() {
                "" => self.indented(step.what, 2),
                command => self.command(command, if again { "" } else { step.what }),
            }
        }
    }

    /// Who said no, and which rule is missing.
    fn refused(&mut self, refused: &[Refused]) {
        for one in refused {
            self.section("WHO SAID NO");
            self.indented(&one.said, 2);
            self.hanging("said by:", &one.by.to_string());
            for adds in &one.adds {
                self.indented(adds, 2);
            }
            let place = match &one.namespace {
                Some(namespace) => format!("in namespace {namespace}"),
                None => "in a ClusterRole, bound by a ClusterRoleBinding".to_owned(),
            };
            if let Some(missing) = &one.missing {
                self.hanging("missing rule:", &format!("{missing}, {place}"));
            }
            for line in one.rule.iter().flat_map(|rule| rule.lines()) {
                self.line(&format!("    {}", sanitise(line)));
            }
            if let Some(nearest) = &one.nearest {
                self.hanging("nearest rule:", nearest);
            }
            for command in &one.commands {
                self.command(command, "");
            }
        }
    }

    fn subject(&mut self, report: &Report) {
        let (subject, lookups, origin) = (&report.found.subject, &report.lookups, self.origin);
        if subject.is_empty() {
            if let (Some(origin), false) = (origin, subject.states.is_empty()) {
                self.section("WHERE IT IS SO NOW");
                self.origin(origin);
                if lookups.is_empty() {
                    self.indented("no APIService of the source has it now", 2);
                }
                self.lookups(lookups);
            }
            return;
        }
        self.section("WHAT IT IS ABOUT");
        let names = subject
            .group_versions
            .iter()
            .map(|gv| format!("group version {gv} (APIService {})", gv.api_service_name()));
        let groups = subject.groups.iter().map(|group| format!("group {group}"));
        let services = subject.services.iter().map(|service| format!("Service {service}"));
        let all: Vec<String> = names.chain(groups).chain(services).collect();
        for name in all.iter().take(MOST) {
            self.indented(name, 2);
        }
        self.and_more(all.len());
        for when in report.served.iter().take(MOST) {
            self.indented(&when.to_string(), 2);
        }
        match origin {
            None => self.indented("not looked up: no cluster and no dump (--dump PATH)", 2),
            Some(origin) => {
                self.line("");
                self.origin(origin);
                self.lookups(lookups);
            }
        }
    }

    fn origin(&mut self, origin: &Origin) {
        let origin = format!("in {}", sanitise(&origin.to_string()));
        self.line(&format!("  {}", self.page.paint.faint(origin)));
    }

    fn lookups(&mut self, lookups: &[Lookup]) {
        let paint = self.page.paint;
        for one in lookups.iter().take(MOST) {
            let name = match one.works {
                Some(true) => paint.good(sanitise(&one.name)),
                Some(false) => paint.bad(sanitise(&one.name)),
                None => paint.odd(sanitise(&one.name)),
            };
            self.line(&format!("  APIService {name}"));
            self.indented(&one.state, 6);
            for line in &one.diagnosis {
                self.indented(&format!("doctor: {line}"), 6);
            }
            if let Some(deletion) = one.deletion {
                self.indented(&deletion.to_string(), 6);
            }
        }
        self.and_more(lookups.len());
    }

    fn and_more(&mut self, count: usize) {
        if count > MOST {
            self.line(&format!("  and {} more", count - MOST));
        }
    }

    fn command(&mut self, command: &str, what: &str) {
        let command = sanitise(&self.same.complete(command)).into_owned();
        self.line(&format!("  {}", self.page.paint.away(command)));
        if !what.is_empty() {
            self.indented(what, 6);
        }
    }

    fn section(&mut self, title: &str) {
        let title = self.page.paint.strong(sanitise(title)).to_string();
        self.line(&format!("\n{title}"));
    }

    fn indented(&mut self, content: &str, indent: usize) {
        self.text.push_str(&indented(indent, content, self.page.width));
    }

    fn hanging(&mut self, label: &str, content: &str) {
        self.text.push_str(&hang(&format!("  {label}"), content, self.page.width));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
