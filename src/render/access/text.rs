//! Access for people: one section per request or APIService.

use super::answer::AccessTo;
use crate::render::table::{Grid, Table};
use crate::render::{TextBuilder, TextOptions, counted, sanitize};
use aggctl_diagnose::access::{Grant, Holder, Power};
use kube_aggregation::model::{ApiService, RbacSubject};

/// Returns one section. Without `all`, bindings of Kubernetes' own accounts are only counted.
pub(super) fn section(answer: &AccessTo<'_>, all: bool, page: TextOptions) -> String {
    let paint = page.paint;
    let all = all || page.wide || page.verbose;
    let mut text = TextBuilder::new(page);
    match answer {
        AccessTo::Request { target, request, grants } => {
            let (method, path) = (paint.strong(target.method), sanitize(&target.path));
            text.line(format_args!("{method} {}", paint.strong(path)));
            text.paragraph("", "", request);
            text.gap();
            let (rows, folded): (Vec<&Grant<'_>>, Vec<_>) =
                grants.iter().partition(|grant| all || !is_system(grant));
            if rows.is_empty() && folded.is_empty() {
                text.line("No binding allows this request.");
            } else if rows.is_empty() {
                text.line("Only bindings of Kubernetes' own system: accounts allow this request.");
            } else {
                text.push(&bindings(Table::new(&rows, page), |row| *row).text());
                text.gap();
            }
            text.line("Members of system:masters can, without a binding.");
            hidden(&mut text, &folded);
        }
        AccessTo::ApiService { service, holders } => {
            text.line(format_args!("APIService {}", paint.strong(sanitize(&service.name))));
            let backend = match &service.service {
                Some(to) => format!("served by Service {}:{}", to.id(), to.port),
                None => "local; it has no backend to take over".to_owned(),
            };
            text.paragraph("", "", backend);
            text.gap();
            let (rows, folded): (Vec<&Holder<'_>>, Vec<_>) =
                holders.iter().partition(|holder| all || !is_system(&holder.grant));
            if !rows.is_empty() {
                let table = Table::new(&rows, page).column("CAN", |one| one.power.to_string());
                text.push(&bindings(table, |one| &one.grant).text());
                text.gap();
            }
            hidden(&mut text, &folded.iter().map(|one| &one.grant).collect::<Vec<_>>());
            text.line(match &service.service {
                Some(_) => {
                    "Members of system:masters can call it, change it and replace its backend."
                }
                None => "Members of system:masters can call it and change it.",
            });
            for missing in lacking(service, holders) {
                text.paragraph("", "", missing);
            }
        }
    }
    text.into_text()
}

/// Names that start with `system:` and stand for users: everyone, or the accounts of Pods.
const OF_USERS: [&str; 4] =
    ["system:authenticated", "system:unauthenticated", "system:anonymous", "system:serviceaccount"];

/// Returns whether the account of a grant belongs to the control plane.
fn is_system(grant: &Grant<'_>) -> bool {
    let RbacSubject { kind, name, .. } = grant.subject;
    match kind.as_str() {
        "ServiceAccount" => {
            grant.subject.namespace_in(&grant.binding.namespace) == "kube-system"
                && grant.binding.name.starts_with("system:")
        }
        _ => name.starts_with("system:") && !OF_USERS.iter().any(|one| name.starts_with(one)),
    }
}

/// Counts the bindings that are not listed.
fn hidden(text: &mut TextBuilder, folded: &[&Grant<'_>]) {
    if !folded.is_empty() {
        let bindings = counted(folded.len(), "binding");
        let note = format!("{bindings} of Kubernetes' own system: accounts hidden (use --all).");
        text.paragraph("", "", note);
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
