//! The routing table as data.

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{Answer, Page};
use super::csv::csv;
use super::json::Basis;
use super::sanitise::sanitise;
use super::table::{Table, Tone};
use crate::routes::Entry;

/// The columns, as CSV and SQL name them.
const COLUMNS: [&str; 12] = [
    "api_group",
    "version",
    "resource",
    "subresource",
    "verb",
    "path",
    "handler",
    "api_service",
    "service",
    "available",
    "outcome",
    "status",
];

/// The rows of the routing table.
#[derive(Debug)]
pub struct RouteTableAnswer<'a> {
    /// The rows.
    pub rows: &'a [Entry],
    /// What they rest on.
    pub basis: Basis<'a>,
}

impl Answer for RouteTableAnswer<'_> {
    fn text(&self, page: Page) -> String {
        let mut table = Table::new(&["VERB", "PATH", "HANDLER", "OUTCOME"], page);
        for row in self.rows {
            let tone = match row.outcome {
                "served" | "proxied" => Tone::Plain,
                _ => Tone::Odd,
            };
            let cells = [(&*row.verb, Tone::Plain), (&*row.path, Tone::Plain)];
            table.toned(
                cells.into_iter().chain([(&*row.handler, Tone::Plain), (row.outcome, tone)]),
            );
        }
        table.render()
    }

    fn json(&self) -> impl Serialize {
        self.basis.list("RouteTable", self.rows.iter().map(EntryJson::new).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.rows.iter().map(|row| self.basis.answer("RouteTableRow", EntryJson::new(row)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.rows.iter().map(|row| row.path.clone())
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct EntryJson<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
    subresource: &'a str,
    verb: &'a str,
    /// With `{namespace}` and `{name}`; `*` at its end stands for anything below.
    path: &'a str,
    /// The APIService that leads to a Service, or the server that answers.
    handler: &'a str,
    /// The APIService that decides.
    api_service: Option<&'a str>,
    service: Option<&'a str>,
    /// Whether the APIService is available, where it leads to a Service.
    available: Option<bool>,
    outcome: &'static str,
    status: u16,
}

impl<'a> EntryJson<'a> {
    fn new(row: &'a Entry) -> Self {
        Self {
            group: &row.group,
            version: &row.version,
            resource: &row.resource,
            subresource: &row.subresource,
            verb: &row.verb,
            path: &row.path,
            handler: &row.handler,
            api_service: row.api_service.as_deref(),
            service: row.service.as_deref(),
            available: row.available,
            outcome: row.outcome,
            status: row.status,
        }
    }
}

/// The rows for a database that reads files.
pub fn routes_csv(rows: &[Entry]) -> String {
    csv(COLUMNS.map(str::to_owned), rows.iter().map(cells))
}

/// The rows as statements of SQL, as any database takes them.
pub fn routes_sql(rows: &[Entry]) -> String {
    const AT_ONCE: usize = 500;
    let columns = COLUMNS.map(|name| match name {
        "status" => format!("  {name} INTEGER"),
        "available" => format!("  {name} BOOLEAN"),
        name => format!("  {name} VARCHAR(1024)"),
    });
    let mut text = format!("CREATE TABLE routes (\n{}\n);\n", columns.join(",\n"));
    let quoted = |value: &str| format!("'{}'", sanitise(value).replace('\'', "''"));
    for rows in rows.chunks(AT_ONCE) {
        let values = rows.iter().map(|row| {
            let values = cells(row).into_iter().zip(COLUMNS).map(|(value, name)| match name {
                "status" => value,
                "available" | "api_service" | "service" if value.is_empty() => "NULL".to_owned(),
                "available" => value.to_uppercase(),
                _ => quoted(&value),
            });
            format!("({})", values.collect::<Vec<_>>().join(", "))
        });
        let values = values.collect::<Vec<_>>().join(",\n");
        text.push_str(&format!("INSERT INTO routes VALUES\n{values};\n"));
    }
    text
}

fn cells(row: &Entry) -> [String; 12] {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        row.group.clone(),
        row.version.clone(),
        row.resource.clone(),
        row.subresource.clone(),
        row.verb.clone(),
        row.path.clone(),
        row.handler.clone(),
        optional(&row.api_service),
        optional(&row.service),
        row.available.map(|available| available.to_string()).unwrap_or_default(),
        row.outcome.to_owned(),
        row.status.to_string(),
    ]
}
