//! Access for people: one section per request or APIService.

use super::answer::AccessTo;
use crate::render::table::{Grid, Table};
use crate::render::{TextBuilder, TextOptions, counted, sanitize};
use aggctl_diagnose::access::{Grant, Holder, Power};
use kube_aggregation::model::ApiService;

/// Returns one section. Without `all`, bindings of Kubernetes' own accounts are only counted.
pub(super) fn section(answer: &AccessTo<'_>, all: bool, page: TextOptions) -> String {
    let paint = page.paint;
    let all = all || page.wide || page.verbose;
    let mut sheet = TextBuilder::new(page);
    match answer {
        AccessTo::Request { target, request, grants } => {
            let (method, path) = (paint.strong(target.method), sanitize(&target.path));
            sheet.line(format_args!("{method} {}", paint.strong(path)));
            sheet.paragraph("", "", request);
            sheet.gap();
            let (rows, folded): (Vec<&Grant<'_>>, Vec<_>) =
                grants.iter().partition(|grant| all || !is_system(grant));
            if rows.is_empty() {
                sheet.line("No binding allows this request.");
            } else {
                sheet.push(&bindings(Table::new(&rows, page), |row| *row).text());
                sheet.gap();
            }
            sheet.line("Members of system:masters can, without a binding.");
            hidden(&mut sheet, &folded);
        }
        AccessTo::ApiService { service, holders } => {
            sheet.line(format_args!("APIService {}", paint.strong(sanitize(&service.name))));
            let backend = match &service.service {
                Some(to) => format!("served by Service {}:{}", to.id(), to.port),
                None => "local; it has no backend to take over".to_owned(),
            };
            sheet.paragraph("", "", backend);
            sheet.gap();
            let (rows, folded): (Vec<&Holder<'_>>, Vec<_>) =
                holders.iter().partition(|holder| all || !is_system(&holder.grant));
            if !rows.is_empty() {
                let table = Table::new(&rows, page).column("CAN", |one| one.power.to_string());
                sheet.push(&bindings(table, |one| &one.grant).text());
                sheet.gap();
            }
            hidden(&mut sheet, &folded.iter().map(|one| &one.grant).collect::<Vec<_>>());
            sheet.line("Members of system:masters can do all of this.");
            for missing in lacking(service, holders) {
                sheet.paragraph("", "", missing);
            }
        }
    }
    sheet.into_text()
}

/// Returns whether a grant is one of Kubernetes' own: its account belongs to the control plane.
fn is_system(grant: &Grant<'_>) -> bool {
    let subject = grant.subject;
    subject.name.starts_with("system:") && subject.kind != "ServiceAccount"
        || grant.binding.name.starts_with("system:")
}

/// Counts the bindings that are not listed.
fn hidden(sheet: &mut TextBuilder, folded: &[&Grant<'_>]) {
    if !folded.is_empty() {
        let bindings = counted(folded.len(), "binding");
        let text = format!("{bindings} of Kubernetes' own system: accounts hidden (use --all).");
        sheet.paragraph("", "", text);
    }
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
    bindings(table, |(.., grant)| grant)
}

/// Adds the columns that say who has access through which binding.
fn bindings<'t, T>(table: Table<'t, T>, grant: impl Fn(&'t T) -> &'t Grant<'t>) -> Grid {
    table
        .column("WHO", |row| grant(row).subject_name())
        .column("BINDING", |row| grant(row).binding.id())
        .droppable()
        .column("ROLE", |row| grant(row).role_name())
        .droppable()
        .wide("RULE", |row| grant(row).rule().to_string())
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
            "No service account in namespace {namespace} can {power}, which extension API servers must."
        )
    };
    lacking.map(sentence).collect()
}
