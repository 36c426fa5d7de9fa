//! Who may send a request, and who has power over an APIService.

mod json;
mod security;

pub(in crate::render) use json::AccessJson;
pub(in crate::render) use security::FindingJson;
pub use security::SecurityAnswer;

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Answer, ResponseMeta, Table, TextBuilder, TextOptions, sanitise};
use aggctl_diagnose::access::{Attributes, Grant, Holder, Power};
use kube_aggregation::model::ApiService;
use kube_aggregation::routing::Target;

/// What is asked about, and who has access to it.
#[derive(Debug)]
pub enum AccessTo<'a> {
    /// A request.
    Request {
        /// As it was asked for.
        target: &'a Target<'a>,
        /// What it is judged by.
        request: Attributes<'a>,
        /// What lets whom.
        grants: Vec<Grant<'a>>,
    },
    /// An APIService.
    ApiService {
        /// Which.
        service: &'a ApiService,
        /// Who can do what about it.
        holders: Vec<Holder<'a>>,
    },
}

/// Who has access to what.
#[derive(Debug)]
pub struct AccessAnswer<'a> {
    /// An entry for each thing that was asked about.
    pub answers: &'a [AccessTo<'a>],
    pub basis: ResponseMeta<'a>,
}

impl Answer for AccessAnswer<'_> {
    fn text(&self, page: TextOptions) -> String {
        let each: Vec<String> = self.answers.iter().map(|one| section(one, page)).collect();
        each.join("\n")
    }

    fn json(&self) -> impl Serialize {
        self.basis.list("AccessList", self.answers.iter().map(AccessJson::from).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.answers.iter().map(|one| self.basis.answer("Access", AccessJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        let subjects: BTreeSet<String> =
            self.answers.iter().flat_map(AccessTo::grants).map(Grant::subject_name).collect();
        subjects
    }
}

impl<'a> AccessTo<'a> {
    fn grants(&self) -> Vec<&Grant<'a>> {
        match self {
            Self::Request { grants, .. } => grants.iter().collect(),
            Self::ApiService { holders, .. } => holders.iter().map(|one| &one.grant).collect(),
        }
    }
}

fn section(answer: &AccessTo<'_>, page: TextOptions) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    match answer {
        AccessTo::Request { target, request, grants } => {
            let (method, path) = (paint.strong(target.method), sanitise(&target.path));
            sheet.line(format_args!("{method} {}", paint.strong(path)));
            sheet.paragraph("", "", request);
            sheet.gap();
            // Its members need no binding.
            let masters = std::iter::once(None);
            let rows: Vec<Option<&Grant<'_>>> = masters.chain(grants.iter().map(Some)).collect();
            sheet.push(&bindings(Table::new(&rows, page), |row| *row));
        }
        AccessTo::ApiService { service, holders } => {
            sheet.line(format_args!("APIService {}", paint.strong(sanitise(&service.name))));
            let leads = match &service.service {
                Some(to) => format!("leads to Service {}, port {}", to.id(), to.port),
                None => "is local: nothing behind it can be taken over".to_owned(),
            };
            sheet.paragraph("", "", leads);
            sheet.gap();
            let table = Table::new(holders, page).column("CAN", |one| one.power.to_string());
            sheet.push(&bindings(table, |one| Some(&one.grant)));
            sheet.line("members of system:masters can do all of this");
            for missing in lacking(service, holders) {
                sheet.paragraph("", "", missing);
            }
        }
    }
    sheet.into_text()
}

/// A table with who has what through which binding. A row without a grant is the group that may do
/// everything.
fn bindings<'t, T>(table: Table<'t, T>, grant: impl Fn(&'t T) -> Option<&'t Grant<'t>>) -> String {
    let word = |row, of: fn(&'t Grant<'t>) -> String, masters: &str| match grant(row) {
        Some(grant) => of(grant),
        None => masters.to_owned(),
    };
    table
        .column("WHO", |row| word(row, Grant::subject_name, "Group system:masters"))
        .column("BINDING", |row| word(row, |grant| grant.binding.id(), ""))
        .column("ROLE", |row| word(row, Grant::role_name, ""))
        .wide("RULE", |row| word(row, |grant| grant.rule().to_string(), "everything"))
        .render()
}

/// What the extension server itself may not, as far as bindings of its namespace tell.
fn lacking(service: &ApiService, holders: &[Holder<'_>]) -> Vec<String> {
    let Some(to) = &service.service else { return vec![] };
    let needed = Power::ALL.into_iter().filter(|power| power.is_of_server());
    let lacking = needed.filter(|power| holders.iter().all(|holder| holder.power != *power));
    let sentence = |power| {
        let namespace = &to.namespace;
        format!(
            "no service account of namespace {namespace} can {power}, as extension servers must"
        )
    };
    lacking.map(sentence).collect()
}
