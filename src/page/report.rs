//! The page as one HTML file that contains its answers and needs no server.

use std::cell::LazyCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

use super::answers::{Answers, difference};
use super::assets::{HTML, SCRIPT, STYLE};
use super::error::Refusal;
use super::query::Query;
use super::routes::{MAX_ROUTES, Routes};
use super::site::Site;
use super::world::{World, with_plane};
use crate::error::Error;
use crate::render::{counted, line};
use kube_aggregation::diff::DiffBase;
use kube_aggregation::model::ApiService;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;

/// For how many APIServices a report contains the effects of their removal.
const MAX_WITHOUT: usize = 60;

/// How many APIServices are compared for these effects, which bounds the time for large clusters.
const MAX_COMPARED: usize = 40_000;

/// Returns the page as HTML that contains everything it shows, and what had to be left out, if
/// anything.
///
/// # Errors
/// If an answer fails.
pub fn report(site: &Site<'_>) -> Result<(String, Option<String>), Error> {
    let (mut answers, left_out) = answers(site).map_err(Error::from)?;
    let mut page = String::new();
    for line in HTML.lines() {
        if line.contains("page.css") {
            page.push_str(&format!("{}<style>{STYLE}</style>\n", policy()));
        } else if line.contains("page.js") {
            page.push_str("<script type=\"application/json\" id=\"answers\">");
            push(&mut page, std::mem::take(&mut answers)).map_err(Refusal::from)?;
            page.push_str("</script>\n");
            page.push_str(&format!("<script type=\"module\">{SCRIPT}</script>\n"));
        } else if !line.contains("icon.svg") {
            page.push_str(line);
            page.push('\n');
        }
    }
    Ok((page, left_out))
}

/// Adds the answers as one JSON document. Drops each answer, because they are most of the page.
fn push(page: &mut String, answers: Book) -> serde_json::Result<()> {
    let mut before = '{';
    for (question, answer) in answers {
        page.push(std::mem::replace(&mut before, ','));
        for json in [line(&question)?.trim_end(), ":", answer.get()] {
            // So that neither a tag nor a comment can start inside the script.
            page.push_str(&json.replace('<', "\\u003c"));
        }
    }
    page.push('}');
    Ok(())
}

/// Returns the policy that allows exactly our script and our style.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(digest(&SHA256, text.as_bytes()));
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n",
        hash(SCRIPT),
        hash(STYLE)
    )
}

/// Answers by the question that the page would ask.
type Book = BTreeMap<String, Box<RawValue>>;

fn ask(
    book: &mut Book,
    answers: &Answers<'_, '_, '_>,
    question: &str,
    parameters: &[(&str, &str)],
) -> Result<(), Refusal> {
    let query = Serializer::new(String::new()).extend_pairs(parameters).finish();
    put(book, question, parameters, answers.answer(question, &Query::parse(&query))?)
}

fn put(
    book: &mut Book,
    question: &str,
    parameters: &[(&str, &str)],
    answer: String,
) -> Result<(), Refusal> {
    let query = Serializer::new(String::new()).extend_pairs(parameters).finish();
    let key = if query.is_empty() { question.to_owned() } else { format!("{question}?{query}") };
    book.insert(key, RawValue::from_string(answer)?);
    Ok(())
}

/// Answers every question that the page may ask, and returns what it cannot. A server can give a
/// resource or an APIService any name, and one odd name must not take away the rest.
fn answers(site: &Site<'_>) -> Result<(Book, Option<String>), Refusal> {
    let world = World::new(site, &[])?;
    let registry = Registry::new(&world.snapshot);
    with_plane(site, &[], &registry, |plane| book(site, &world, &registry, plane))
}

fn book(
    site: &Site<'_>,
    world: &World<'_>,
    registry: &Registry<'_>,
    plane: Option<&ControlPlane<'_, '_>>,
) -> Result<(Book, Option<String>), Refusal> {
    let answers = Answers::new(site, world, registry, plane);
    let mut book = Book::new();
    for question in ["chain", "apiservices", "doctor", "paths", "conflicts"] {
        ask(&mut book, &answers, question, &[])?;
    }
    if site.other.is_some() {
        ask(&mut book, &answers, "diff", &[("other", "1")])?;
    }
    for form in ["legacy", "aggregated"] {
        ask(&mut book, &answers, "order", &[("form", form)])?;
    }
    let upgrades = answers.upgrades();
    // The next version, and the newest.
    for to in BTreeSet::from([upgrades.first(), upgrades.last()]).into_iter().flatten() {
        ask(&mut book, &answers, "upgrade", &[("to", &to.to_string())])?;
    }
    let routes = Routes::new(&answers, registry);
    let mut odd = routes.odd.clone();
    for service in registry.api_services.iter() {
        let name = [("name", service.name.as_str())];
        let mut tell = |question| ask(&mut book, &answers, question, &name);
        if tell("place").and_then(|()| tell("manifests")).is_err() {
            odd.push(service.name.clone());
        }
    }
    let removable = removable(registry);
    let most = MAX_WITHOUT.min(MAX_COMPARED / registry.api_services.len().max(1));
    let before = LazyCell::new(|| DiffBase::new(site.snapshot));
    for name in removable.iter().take(most) {
        let gone = World::new(site, &[(*name).to_owned()]).map_err(Refusal::from);
        let answer = gone.and_then(|gone| {
            difference(site.snapshot, &gone.snapshot, &before.diff(&gone.snapshot))
        });
        match answer {
            Ok(answer) => put(&mut book, "diff", &[("without", name)], answer)?,
            Err(_) => odd.push((*name).to_owned()),
        }
    }
    let left_out = odd.first().map(|first| {
        let names = counted(odd.len(), "odd name");
        format!("the report leaves out {names}, such as {first:?}")
    });
    let mut notes = site.notes.to_vec();
    notes.extend(left_out.clone());
    notes.push(extent(&routes, removable.len(), most));
    book.insert("routes".to_owned(), RawValue::from_string(line(&routes)?)?);
    let site = Site { notes: &notes, ..*site };
    ask(&mut book, &Answers::new(&site, world, registry, None), "site", &[])?;
    Ok((book, left_out))
}

/// Returns the names of the APIServices whose removal a report describes, unavailable ones first.
fn removable<'r>(registry: &'r Registry<'_>) -> Vec<&'r str> {
    let remote = registry.api_services.iter().filter(|service| service.service.is_some());
    let mut remote: Vec<&ApiService> = remote.collect();
    remote.sort_by_key(|service| {
        Reverse(service.available.as_ref().is_some_and(|condition| condition.status != "True"))
    });
    remote.iter().map(|service| service.name.as_str()).collect()
}

/// Describes what the file contains.
fn extent(routes: &Routes, removable: usize, most: usize) -> String {
    let held = |all: usize, most: usize, what: &str| match all > most {
        true => format!("{most} of {}", counted(all, what)),
        false => counted(all, what),
    };
    let routes = held(routes.possible, MAX_ROUTES.min(routes.len()), "request");
    let removable = held(removable, most, "extension APIService");
    format!(
        "this file contacts no server; it contains the routes of {routes} and the effects of removing {removable}"
    )
}
