//! An explanation for people.

use std::fmt::Write;

use crate::explain::{About, EntryAnswer, Explanation, Lookup, NamespaceAnswer, Report};
use crate::model::Origin;
use crate::render::{Paint, SameSource, sanitise, wrap};

/// How many names of a kind are shown.
const MOST: usize = 12;

/// How an explanation is shown.
#[derive(Debug, Clone, Copy)]
pub struct ExplainView<'a> {
    /// The source that was asked; none where none was.
    pub origin: Option<&'a Origin>,
    /// The arguments that name it again.
    pub same: &'a SameSource,
    /// Colours.
    pub paint: Paint,
    /// Columns.
    pub width: usize,
}

/// An explanation with what the source says about it.
pub fn explanation_text(report: &Report, view: ExplainView<'_>) -> String {
    let mut page = Page { text: String::new(), view };
    let found = &report.found;
    match report.answers.split_first() {
        None => page.not_recognised(report),
        Some((first, rest)) => {
            page.line(&view.paint.strong(first.entry.title).to_string());
            page.answer(first, report);
            if !rest.is_empty() {
                page.section("ALSO RECOGNISED");
                for one in rest {
                    page.hanging(&format!("{:24}", one.entry.id), one.entry.title);
                }
            }
        }
    }
    if found.cut {
        page.line("\nthe text is long: only its first 4 MiB were read");
    }
    page.text
}

/// Why a namespace does not go away.
pub fn namespace_text(answer: &NamespaceAnswer, view: ExplainView<'_>) -> String {
    let mut page = Page { text: String::new(), view };
    for line in wrap(&sanitise(&answer.summary), view.width) {
        page.line(&view.paint.strong(line).to_string());
    }
    for blocker in &answer.blockers {
        page.section(&blocker.condition);
        page.indented(&blocker.message, 2);
        page.indented(blocker.meaning, 2);
        page.lookups(&blocker.lookups);
    }
    if !answer.suspects.is_empty() {
        page.section("ALSO NOT WORKING");
        page.indented(answer.of_suspects, 2);
        let widest = answer.suspects.iter().map(|one| one.name.chars().count()).max();
        let widest = widest.unwrap_or_default().min(view.width / 2);
        for one in &answer.suspects {
            page.hanging(&format!("{:widest$} ", sanitise(&one.name)), &one.brief);
        }
    }
    page.text
}

struct Page<'a> {
    text: String,
    view: ExplainView<'a>,
}

impl Page<'_> {
    fn not_recognised(&mut self, report: &Report) {
        self.line("not recognised: aggctl does not know this message");
        if !report.found.nearest.is_empty() {
            self.section("NEAREST");
            for entry in &report.found.nearest {
                self.hanging(&format!("{:24}", entry.id), entry.title);
            }
        }
        self.subject(&report.found, &report.lookups);
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
        self.subject(found, &report.lookups);
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

    fn subject(&mut self, found: &Explanation, lookups: &[Lookup]) {
        let (subject, origin) = (&found.subject, self.view.origin);
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
        self.line(&format!("  {}", self.view.paint.faint(origin)));
    }

    fn lookups(&mut self, lookups: &[Lookup]) {
        let paint = self.view.paint;
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
        let command = sanitise(&self.view.same.complete(command)).into_owned();
        self.line(&format!("  {}", self.view.paint.away(command)));
        if !what.is_empty() {
            self.indented(what, 6);
        }
    }

    fn section(&mut self, title: &str) {
        let title = self.view.paint.strong(sanitise(title)).to_string();
        self.line(&format!("\n{title}"));
    }

    fn indented(&mut self, content: &str, indent: usize) {
        for line in wrap(&sanitise(content), self.view.width.saturating_sub(indent)) {
            let _ = writeln!(self.text, "{:indent$}{line}", "");
        }
    }

    fn hanging(&mut self, label: &str, content: &str) {
        let indent = label.chars().count() + 3;
        let lines = wrap(&sanitise(content), self.view.width.saturating_sub(indent));
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                let _ = writeln!(self.text, "  {label} {line}");
            } else {
                let _ = writeln!(self.text, "{:indent$}{line}", "");
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
