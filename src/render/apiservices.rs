//! APIServices, a row each.

use serde::Serialize;

use super::paint::Paint;
use super::table::{Table, Tone};
use crate::model::ApiService;
use crate::registry::{Backing, Review};

/// APIServices as a table.
pub fn api_services_table(reviews: &[Review<'_>], paint: Paint, wide: bool) -> String {
    let mut headers = vec!["NAME", "LEADS TO", "AVAILABLE", "MANAGED BY", "ODD"];
    if wide {
        headers.extend(["GROUP PRIORITY", "VERSION PRIORITY", "SINCE", "MESSAGE"]);
    }
    let mut table = Table::new(&headers, paint);
    for review in reviews {
        let service = review.service;
        let odd: Vec<&str> = review.oddities.iter().map(|o| o.as_str()).collect();
        let mut cells = vec![
            (service.name.clone(), Tone::Plain),
            (leads_to(service, review.backing), Tone::Plain),
            availability(service),
            (review.manager.as_str().to_owned(), Tone::Plain),
            (odd.join(","), Tone::Odd),
        ];
        if wide {
            let condition = service.available.as_ref();
            cells.extend([
                (service.group_priority.to_string(), Tone::Plain),
                (service.version_priority.to_string(), Tone::Plain),
                (condition.and_then(|c| c.since.clone()).unwrap_or_default(), Tone::Plain),
                (condition.map(|c| c.message.clone()).unwrap_or_default(), Tone::Plain),
            ]);
        }
        table.toned(cells);
    }
    table.render()
}

fn leads_to(service: &ApiService, backing: Backing) -> String {
    match (backing, &service.service) {
        (_, Some(reference)) => format!("{}:{}", reference.id(), reference.port),
        (Backing::Service, None) => "some Service".to_owned(),
        (Backing::BuiltIn, _) => "kube-apiserver".to_owned(),
        (Backing::Extensions, _) => "apiextensions-apiserver".to_owned(),
        (Backing::Crd, _) => "CRDs".to_owned(),
        (Backing::Nobody, _) => "nobody".to_owned(),
        (Backing::Unknown, _) => "unknown".to_owned(),
    }
}

fn availability(service: &ApiService) -> (String, Tone) {
    match &service.available {
        Some(c) if c.status == "True" => ("True".to_owned(), Tone::Good),
        Some(_) if service.is_not_checked() => ("not checked yet".to_owned(), Tone::Odd),
        Some(c) if c.reason.is_empty() => (c.status.clone(), Tone::Bad),
        Some(c) => (format!("{} ({})", c.status, c.reason), Tone::Bad),
        None if service.service.is_none() => ("unknown".to_owned(), Tone::Odd),
        None => ("no condition".to_owned(), Tone::Bad),
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemJson<'a> {
    name: &'a str,
    group: &'a str,
    version: &'a str,
    backing: &'static str,
    service: Option<String>,
    port: Option<i32>,
    available: Option<&'a str>,
    reason: Option<&'a str>,
    message: Option<&'a str>,
    since: Option<&'a str>,
    managed_by: &'static str,
    group_priority_minimum: i32,
    version_priority: i32,
    oddities: Vec<&'static str>,
    /// Not in the source: it follows from what is.
    inferred: bool,
}

/// An APIService as the JSON contract has it.
pub fn api_service_json<'a>(review: &'a Review<'a>) -> impl Serialize + 'a {
    let service = review.service;
    let condition = service.available.as_ref();
    ItemJson {
        name: &service.name,
        group: &service.group_version.group,
        version: &service.group_version.version,
        backing: backing(review.backing),
        service: service.service.as_ref().map(|s| s.id()),
        port: service.service.as_ref().map(|s| s.port),
        available: condition.map(|c| c.status.as_str()),
        reason: condition.map(|c| c.reason.as_str()),
        message: condition.map(|c| c.message.as_str()),
        since: condition.and_then(|c| c.since.as_deref()),
        managed_by: review.manager.as_str(),
        group_priority_minimum: service.group_priority,
        version_priority: service.version_priority,
        oddities: review.oddities.iter().map(|o| o.as_str()).collect(),
        inferred: service.inferred,
    }
}

/// One word for what stands behind an APIService.
fn backing(backing: Backing) -> &'static str {
    match backing {
        Backing::Service => "service",
        Backing::BuiltIn => "built-in",
        Backing::Extensions => "apiextensions",
        Backing::Crd => "crd",
        Backing::Nobody => "nobody",
        Backing::Unknown => "unknown",
    }
}
