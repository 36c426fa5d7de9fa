//! APIServices as a table.

use super::ApiServicesAnswer;
use crate::doctor::short_age;
use crate::model::ApiService;
use crate::registry::{Backing, Manager, Review};
use crate::render::json::non_empty;
use crate::render::{Page, Sheet, Table, Tone, counted};

/// A narrower table would break names to show ages.
const ROOM_FOR_AGES: usize = 100;

/// A row each. On a terminal, the built-in ones that are well are one line, unless all are wanted.
pub(super) fn text(answer: &ApiServicesAnswer<'_>, page: Page) -> String {
    let whole = answer.all || page.wide || page.fit.is_none();
    let (shown, plain): (Vec<_>, Vec<_>) =
        answer.reviews.iter().partition(|review| whole || !is_plain(review));
    let mut sheet = Sheet::new(page);
    if !shown.is_empty() {
        sheet.push(&table(&shown, answer, page));
    }
    if !plain.is_empty() {
        if !shown.is_empty() {
            sheet.gap();
        }
        let built_in = counted(plain.len(), "built-in APIService");
        sheet.line(format_args!("and {built_in}, available; --all lists them"));
    }
    sheet.into_text()
}

fn is_plain(review: &Review<'_>) -> bool {
    review.manager == Manager::BuiltIn
        && review.oddities.is_empty()
        && review.service.is_available()
        && review.service.service.is_none()
}

fn table(reviews: &[&Review<'_>], answer: &ApiServicesAnswer<'_>, page: Page) -> String {
    let ages = page.fit.is_none_or(|width| width >= ROOM_FOR_AGES);
    let age = |service: &ApiService| {
        let created = service.created.as_deref();
        created.and_then(|at| short_age(at, answer.now)).unwrap_or_default()
    };
    let priority = |service: &ApiService, number: i32| match service.inferred {
        true => "?".to_owned(),
        false => number.to_string(),
    };
    Table::new(reviews, page)
        .column("NAME", |r| &r.service.name)
        .column("LEADS TO", |r| leads_to(r.service, r.backing, page.wide))
        .toned("AVAILABLE", |r| {
            let (status, _, tone) = availability(r.service);
            (status, tone)
        })
        .column_if(ages, "AGE", |r| age(r.service))
        .toned("REMARKS", |r| remarks(r))
        .wide("MANAGED BY", |r| match r.manager {
            Manager::Somebody => "user",
            manager => manager.as_str(),
        })
        .wide("GROUP PRIORITY", |r| priority(r.service, r.service.group_priority))
        .wide("VERSION PRIORITY", |r| priority(r.service, r.service.version_priority))
        .wide("SINCE", |r| {
            let condition = r.service.available.as_ref();
            condition.and_then(|c| c.since.as_deref()).unwrap_or_default()
        })
        .wide("MESSAGE", |r| r.service.available.as_ref().map_or("", |c| &c.message))
        .render()
}

fn remarks(review: &Review<'_>) -> (String, Tone) {
    let (_, reason, tone) = availability(review.service);
    let mut remarks: Vec<&str> = reason.into_iter().collect();
    remarks.extend(review.oddities.iter().map(|o| o.code.as_str()));
    (remarks.join(" "), if tone == Tone::Bad { tone } else { Tone::Odd })
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
        Some(c) => (&c.status, non_empty(&c.reason), Tone::Bad),
        None if service.service.is_none() => ("unknown", None, Tone::Odd),
        None => ("unknown", Some("no condition"), Tone::Bad),
    }
}
