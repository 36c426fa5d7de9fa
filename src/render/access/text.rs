//! Access for people: one section per request or APIService.

use super::answer::AccessTo;
use crate::render::table::{Grid, Table};
use crate::render::{TextBuilder, TextOptions, sanitize};
use aggctl_diagnose::access::{Grant, Holder, Power};
use kube_aggregation::model::ApiService;

pub(super) fn section(answer: &AccessTo<'_>, page: TextOptions) -> String {
    let paint = page.paint;
    let mut sheet = TextBuilder::new(page);
    match answer {
        AccessTo::Request { target, request, grants } => {
            let (method, path) = (paint.strong(target.method), sanitize(&target.path));
            sheet.line(format_args!("{method} {}", paint.strong(path)));
            sheet.paragraph("", "", request);
            sheet.gap();
            // Members of system:masters need no binding.
            let masters = std::iter::once(None);
            let rows: Vec<Option<&Grant<'_>>> = masters.chain(grants.iter().map(Some)).collect();
            sheet.push(&bindings(Table::new(&rows, page), |row| *row).text());
        }
        AccessTo::ApiService { service, holders } => {
            sheet.line(format_args!("APIService {}", paint.strong(sanitize(&service.name))));
            let leads = match &service.service {
                Some(to) => format!("leads to Service {}, port {}", to.id(), to.port),
                None => "is local: nothing behind it can be taken over".to_owned(),
            };
            sheet.paragraph("", "", leads);
            sheet.gap();
            let table = Table::new(holders, page).column("CAN", |one| one.power.to_string());
            sheet.push(&bindings(table, |one| Some(&one.grant)).text());
            sheet.line("members of system:masters can do all of this");
            for missing in lacking(service, holders) {
                sheet.paragraph("", "", missing);
            }
        }
    }
    sheet.into_text()
}

/// Returns every grant of all answers as one table.
pub(super) fn table(answers: &[AccessTo<'_>], options: TextOptions) -> Grid {
    let mut rows: Vec<(String, String, &Grant<'_>)> = vec![];
    for answer in answers {
        match answer {
            AccessTo::Request { target, grants, .. } => {
                let request = format!("{} {}", target.method, target.path);
                rows.extend(grants.iter().map(|grant| (request.clone(), "send".to_owned(), grant)));
            }
            AccessTo::ApiService { service, holders } => {
                let each = holders.iter();
                rows.extend(
                    each.map(|one| (service.name.clone(), one.power.to_string(), &one.grant)),
                );
            }
        }
    }
    let table =
        Table::new(&rows, options).column("TO", |(to, ..)| to).column("CAN", |(_, can, _)| can);
    bindings(table, |(.., grant)| Some(grant))
}

/// Adds the columns that say who has access through which binding. A row without a grant is the
/// group system:masters, which needs no binding.
fn bindings<'t, T>(table: Table<'t, T>, grant: impl Fn(&'t T) -> Option<&'t Grant<'t>>) -> Grid {
    let word = |row, of: fn(&'t Grant<'t>) -> String, masters: &str| match grant(row) {
        Some(grant) => of(grant),
        None => masters.to_owned(),
    };
    table
        .column("WHO", |row| word(row, Grant::subject_name, "Group system:masters"))
        .column("BINDING", |row| word(row, |grant| grant.binding.id(), ""))
        .column("ROLE", |row| word(row, Grant::role_name, ""))
        .wide("RULE", |row| word(row, |grant| grant.rule().to_string(), "everything"))
        .grid()
}

/// Returns a sentence for each permission that no service account of the extension server's
/// namespace has.
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
