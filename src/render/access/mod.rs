//! Who may send a request, and who has power over an APIService.

mod json;
mod security;

pub(in crate::render) use json::AccessJson;
pub(in crate::render) use security::FindingJson;
pub use security::SecurityAnswer;

use serde::Serialize;

use super::answer::{Answer, Page};
use super::json::Basis;
use super::layout::paragraph;
use super::sanitise::sanitise;
use super::table::Table;
use crate::access::{Attributes, Grant, Holder, Power};
use crate::model::ApiService;
use crate::routing::Target;

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
    /// What it rests on.
    pub basis: Basis<'a>,
}

impl Answer for AccessAnswer<'_> {
    fn text(&self, page: Page) -> String {
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
        let mut names: Vec<String> = self
            .answers
            .iter()
            .flat_map(|one| match one {
                AccessTo::Request { grants, .. } => {
                    grants.iter().map(Grant::subject_name).collect::<Vec<_>>()
                }
                AccessTo::ApiService { holders, .. } => {
                    holders.iter().map(|holder| holder.grant.subject_name()).collect()
                }
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// What the extension server itself may not, as far as bindings of its namespace tell.
fn lacking(service: &ApiService, holders: &[Holder<'_>]) -> Vec<String> {
    let Some(to) = &service.service else { return vec![] };
    let needed = Power::ALL.into_iter().filter(|power| power.is_of_server());
    let lacking = needed.filter(|power| holders.iter().all(|holder| holder.power != *power));
    lacking
        .map(|power| {
            format!(
                "no service account of namespace {} can {power}, as extension servers must",
                to.namespace
            )
        })
        .collect()
}

fn section(answer: &AccessTo<'_>, page: Page) -> String {
    let paint = page.paint;
    let mut headers = vec!["WHO", "BINDING", "ROLE"];
    let row = |grant: &Grant<'_>| {
        let mut row = vec![grant.subject_name(), grant.binding.id(), grant.role_name()];
        if page.wide {
            row.push(grant.rule().to_string());
        }
        row
    };
    let mut text;
    match answer {
        AccessTo::Request { target, request, grants } => {
            text = format!(
                "{} {}\n",
                paint.strong(target.method),
                paint.strong(sanitise(&target.path))
            );
            text.push_str(&paragraph("", "", &request.to_string(), page.width));
            if page.wide {
                headers.push("RULE");
            }
            let mut table = Table::new(&headers, page);
            table.row(
                ["Group system:masters", "", ""]
                    .into_iter()
                    .chain(page.wide.then_some("everything")),
            );
            grants.iter().for_each(|grant| table.row(row(grant)));
            text.push('\n');
            text.push_str(&table.render());
        }
        AccessTo::ApiService { service, holders } => {
            text = format!("APIService {}\n", paint.strong(sanitise(&service.name)));
            let leads = match &service.service {
                Some(to) => format!("leads to Service {}, port {}", to.id(), to.port),
                None => "is local: nothing behind it can be taken over".to_owned(),
            };
            text.push_str(&paragraph("", "", &leads, page.width));
            headers.insert(0, "CAN");
            if page.wide {
                headers.push("RULE");
            }
            let mut table = Table::new(&headers, page);
            for holder in holders {
                let can = holder.power.to_string();
                table.row([can].into_iter().chain(row(&holder.grant)));
            }
            text.push('\n');
            text.push_str(&table.render());
            text.push_str("members of system:masters can do all of this\n");
            for missing in lacking(service, holders) {
                text.push_str(&paragraph("", "", &missing, page.width));
            }
        }
    }
    text
}
