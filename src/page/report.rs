//! The page as one HTML file that contains its answers and needs no server.

use std::collections::BTreeMap;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

use super::answers::Answers;
use super::assets::{HTML, SCRIPT, STYLE};
use super::error::Refusal;
use super::query::Query;
use super::site::Site;
use super::world::World;
use crate::error::Error;
use crate::render::counted;
use kube_aggregation::registry::Registry;

/// How many routes a file contains.
const MAX_PATHS: usize = 5_000;

/// For how many APIServices a file contains the effects of their removal.
const MAX_WITHOUT: usize = 60;

/// Returns the page as HTML that contains everything it shows, and what had to be left out, if
/// anything.
///
/// # Errors
/// If an answer fails.
pub fn report(site: &Site<'_>) -> Result<(String, Option<String>), Error> {
    let (answers, left_out) = answers(site).map_err(Error::from)?;
    let answers = serde_json::to_string(&answers).map_err(|e| Error::source(e.to_string()))?;
    let mut page = String::with_capacity(answers.len() + SCRIPT.len() + STYLE.len() + HTML.len());
    for line in HTML.lines() {
        if line.contains("page.css") {
            page.push_str(&format!("{}<style>{STYLE}</style>\n", policy()));
        } else if line.contains("page.js") {
            // So that neither a tag nor a comment can start inside the script.
            let safe = answers.replace('<', "\\u003c");
            page.push_str("<script type=\"application/json\" id=\"answers\">");
            page.push_str(&safe);
            page.push_str("</script>\n");
            page.push_str(&format!("<script type=\"module\">{SCRIPT}</script>\n"));
        } else if !line.contains("icon.svg") {
            page.push_str(line);
            page.push('\n');
        }
    }
    Ok((page, left_out))
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
    answers: &Answers<'_>,
    question: &str,
    parameters: &[(&str, &str)],
) -> Result<(), Refusal> {
    let query = Serializer::new(String::new()).extend_pairs(parameters).finish();
    let answer = answers.answer(question, &Query::parse(&query))?;
    let key = if query.is_empty() { question.to_owned() } else { format!("{question}?{query}") };
    book.insert(key, RawValue::from_string(answer)?);
    Ok(())
}

/// Answers every question that the page may ask, and returns what it cannot. A server can give a
/// resource or an APIService any name, and one odd name must not take away the rest.
fn answers(site: &Site<'_>) -> Result<(Book, Option<String>), Refusal> {
    let world = World::new(site, &[])?;
    let registry = Registry::new(&world.snapshot);
    let answers = Answers::new(site, &world, &registry);
    let mut book = Book::new();
    for question in ["chain", "apiservices", "doctor", "paths"] {
        ask(&mut book, &answers, question, &[])?;
    }
    if site.other.is_some() {
        ask(&mut book, &answers, "diff", &[("other", "1")])?;
    }
    let paths = answers.paths();
    let mut odd: Vec<&str> = vec![];
    for path in paths.iter().take(MAX_PATHS) {
        if ask(&mut book, &answers, "route", &[("request", path)]).is_err() {
            odd.push(path);
        }
    }
    for service in registry.api_services.iter() {
        let name = [("name", service.name.as_str())];
        let mut tell = |question| ask(&mut book, &answers, question, &name);
        if tell("place").and_then(|()| tell("manifests")).is_err() {
            odd.push(&service.name);
        }
    }
    let remote = registry.api_services.iter().filter(|s| s.service.is_some());
    let remote: Vec<&str> = remote.map(|s| s.name.as_str()).collect();
    for name in remote.iter().take(MAX_WITHOUT) {
        let told =
            World::new(site, &[(*name).to_owned()]).map_err(Refusal::from).and_then(|gone| {
                let registry = Registry::new(&gone.snapshot);
                let answers = Answers::new(site, &gone, &registry);
                ask(&mut book, &answers, "diff", &[("without", name)])
            });
        if told.is_err() {
            odd.push(name);
        }
    }
    let left_out = odd.first().map(|first| {
        let names = counted(odd.len(), "odd name");
        format!("the report leaves out {names}, such as {first:?}")
    });
    let mut notes = site.notes.to_vec();
    notes.extend(left_out.clone());
    notes.push(extent(paths.len(), remote.len()));
    let site = Site { notes: &notes, ..*site };
    ask(&mut book, &Answers::new(&site, &world, &registry), "site", &[])?;
    Ok((book, left_out))
}

/// Describes what the file contains.
fn extent(paths: usize, remote: usize) -> String {
    let held = |all: usize, most: usize, what: &str| match all > most {
        true => format!("{most} of {}", counted(all, what)),
        false => counted(all, what),
    };
    let remote = held(remote, MAX_WITHOUT, "extension APIService");
    format!(
        "this file contacts no server: it has the answers for GET of {}, and what changes without {remote}",
        held(paths, MAX_PATHS, "path")
    )
}
