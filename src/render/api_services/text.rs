//! APIServices as a table.

use jiff::Timestamp;

use super::super::answer::Page;
use super::super::layout::counted;
use super::super::table::{Table, Tone};
use crate::doctor::short_age;
use crate::model::ApiService;
use crate::registry::{Backing, Manager, Review};

/// A narrower table would break names to show ages.
const ROOM_FOR_AGES: usize = 100;

/// A row each. On a terminal, the built-in ones that are well are one line, unless `all`.
pub(super) fn table(reviews: &[Review<'_>], all: bool, now: Timestamp, page: Page) -> String {
    let mut headers = vec!["NAME", "LEADS TO", "AVAILABLE", "AGE", "REMARKS"];
    let ages = page.fit.is_none_or(|width| width >= ROOM_FOR_AGES);
    if !ages {
        headers.retain(|header| *header != "AGE");
    }
    if page.wide {
        headers.extend(["MANAGED BY", "GROUP PRIORITY", "VERSION PRIORITY", "SINCE", "MESSAGE"]);
    }
    let whole = all || page.wide || page.fit.is_none();
    let (shown, plain): (Vec<_>, Vec<_>) = reviews.iter().partition(|r| whole || !is_plain(r));
    let mut table = Table::new(&headers, page);
    for review in &shown {
        table.toned(row(review, ages.then_some(now), page.wide));
    }
    let mut text = if shown.is_empty() { String::new() } else { table.render() };
    if !plain.is_empty() {
        let gap = if shown.is_empty() { "" } else { "\n" };
        let built_in = counted(plain.len(), "built-in APIService");
        text.push_str(&format!("{gap}and {built_in}, available; --all lists them\n"));
    }
    text
}

fn is_plain(review: &Review<'_>) -> bool {
    review.manager == Manager::BuiltIn
        && review.oddities.is_empty()
        && review.service.is_available()
        && review.service.service.is_none()
}

fn row(review: &Review<'_>, now: Option<Timestamp>, wide: bool) -> Vec<(String, Tone)> {
    let service = review.service;
    let (status, reason, tone) = availability(service);
    let mut remarks: Vec<&str> = reason.into_iter().collect();
    remarks.extend(review.oddities.iter().map(|o| o.code.as_str()));
    let plain = |text: String| (text, Tone::Plain);
    let mut cells = vec![
        plain(service.name.clone()),
        plain(leads_to(service, review.backing, wide)),
        (status.to_owned(), tone),
    ];
    if let Some(now) = now {
        let age = service.created.as_deref().and_then(|at| short_age(at, now));
        cells.push(plain(age.unwrap_or_default()));
    }
    cells.push((remarks.join(" "), if tone == Tone::Bad { tone } else { Tone::Odd }));
    if wide {
        let manager = match review.manager {
            Manager::Somebody => "user",
            manager => manager.as_str(),
        };
        let condition = service.available.as_ref();
        let priority = |number: i32| match service.inferred {
            true => "?".to_owned(),
            false => number.to_string(),
        };
        cells.extend([
            plain(manager.to_owned()),
            plain(priority(service.group_priority)),
            plain(priority(service.version_priority)),
            plain(condition.and_then(|c| c.since.clone()).unwrap_or_default()),
            plain(condition.map(|c| c.message.clone()).unwrap_or_default()),
        ]);
    }
    cells
}

fn leads_to(service: &ApiService, backing: Backing, port: bool) -> String {
    match (backing, &service.service) {
        (_, Some(reference)) if port => format!("{}:{}", reference.id(), reference.port),
        (_, Some(reference)) => reference.id(),
        (Backing::Service, None) => "a Service".to_owned(),
        (Backing::BuiltIn, _) => "kube-apiserver".to_owned(),
        (Backing::Extensions, _) => "apiextensions-apiserver".to_owned(),
        (Backing::Crd, _) => "CRDs".to_owned(),
        (Backing::Nobody, _) => "(none)".to_owned(),
        (Backing::Unknown, _) => "unknown".to_owned(),
    }
}

/// The status of the condition, and its reason where that says more.
fn availability(service: &ApiService) -> (&str, Option<&str>, Tone) {
    match &service.available {
        Some(c) if c.status == "True" => ("True", None, Tone::Good),
        Some(c) if service.is_not_checked() => ("unknown", Some(&c.reason), Tone::Odd),
        Some(c) => (&c.status, Some(&*c.reason).filter(|reason| !reason.is_empty()), Tone::Bad),
        None if service.service.is_none() => ("unknown", None, Tone::Odd),
        None => ("unknown", Some("no condition"), Tone::Bad),
    }
}
