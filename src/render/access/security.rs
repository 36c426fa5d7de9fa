//! The findings of `doctor --security`: privilege paths that surprise.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::HolderJson;
use crate::render::format::Format;
use crate::render::table::{Grid, Table};
use crate::render::{Answer, ResponseMeta, TextBuilder, TextOptions, joined};
use aggctl_diagnose::access::Redirectable;

/// APIServices that a namespace editor can redirect.
#[derive(Debug)]
pub struct SecurityAnswer<'a> {
    pub found: &'a [Redirectable<'a>],
    pub meta: ResponseMeta<'a>,
}

/// One finding of `doctor --security`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct SecurityFindingJson<'a> {
    code: &'static str,
    /// `error` if nothing verifies who answers, otherwise `warning`.
    severity: &'static str,
    api_service: &'a str,
    message: String,
    holders: Vec<HolderJson<'a>>,
}

impl<'a> From<&Redirectable<'a>> for SecurityFindingJson<'a> {
    fn from(found: &Redirectable<'a>) -> Self {
        Self {
            code: Redirectable::CODE,
            severity: severity(found),
            api_service: &found.service.name,
            message: found.to_string(),
            holders: found.holders.iter().map(HolderJson::from).collect(),
        }
    }
}

fn severity(found: &Redirectable<'_>) -> &'static str {
    if found.is_unverified() { "error" } else { "warning" }
}

/// Groups findings that differ in the APIService only, in the order of the first of each group.
fn alike<'f, 's>(all: &'f [Redirectable<'s>]) -> Vec<Vec<&'f Redirectable<'s>>> {
    let same = |a: &Redirectable<'_>, b: &Redirectable<'_>| {
        a.is_unverified() == b.is_unverified() && a.holders == b.holders
    };
    let mut groups: Vec<Vec<&Redirectable<'_>>> = vec![];
    for one in all {
        let known = groups.iter_mut().find(|group| group.first().is_some_and(|f| same(f, one)));
        match known {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

impl Answer for SecurityAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        let paint = page.paint;
        if self.found.is_empty() {
            return "No namespace editor can redirect an APIService.\n".to_owned();
        }
        let mut sheet = TextBuilder::new(page);
        for same in alike(self.found) {
            let Some(found) = same.first() else { continue };
            let mark = if found.is_unverified() { paint.bad("✗") } else { paint.odd("!") };
            let names = joined(same.iter().map(|one| &one.service.name), ", ");
            let line = format!("{names} [{}]", Redirectable::CODE);
            sheet.paragraph(format_args!("{mark} "), "  ", line);
            sheet.indented(4, found);
            for holder in &found.holders {
                let grant = &holder.grant;
                let by = format!("{} ({})", grant.binding.id(), grant.role_name());
                let line = format!("{} can {}: {by}", grant.subject_name(), holder.power);
                sheet.paragraph("    ", "      ", line);
            }
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        self.meta
            .list("SecurityFindingList", self.found.iter().map(SecurityFindingJson::from).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.found
            .iter()
            .map(|one| self.meta.answer("SecurityFinding", SecurityFindingJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.found.iter().map(|found| format!("apiservice/{}", found.service.name))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let rows: Vec<_> = (self.found.iter())
            .flat_map(|found| found.holders.iter().map(move |holder| (found, holder)))
            .collect();
        let table = Table::new(&rows, options)
            .column("NAME", |(found, _)| &found.service.name)
            .column("SEVERITY", |(found, _)| severity(found))
            .column("WHO", |(_, holder)| holder.grant.subject_name())
            .column("CAN", |(_, holder)| holder.power.to_string())
            .column("BINDING", |(_, holder)| holder.grant.binding.id())
            .column("ROLE", |(_, holder)| holder.grant.role_name());
        Some(table.grid())
    }
}
