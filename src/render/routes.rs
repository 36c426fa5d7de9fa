//! The answer of `routes`: the routing table as data.

use schemars::JsonSchema;
use serde::Serialize;

use super::csv::csv;
use super::format::Format;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextOptions, Tone, joined, sanitize};
use aggctl_usage::routes::RouteEntry;

/// A column of the CSV and SQL: its name, and its value for a row.
type RouteColumn = (&'static str, fn(&RouteEntry) -> String);

const COLUMNS: [RouteColumn; 12] = [
    ("api_group", |row| row.group.clone()),
    ("version", |row| row.version.clone()),
    ("resource", |row| row.resource.clone()),
    ("subresource", |row| row.subresource.clone()),
    ("verb", |row| row.verb.clone()),
    ("path", |row| row.path.clone()),
    ("handler", |row| row.handler.clone()),
    ("api_service", |row| row.api_service.clone().unwrap_or_default()),
    ("service", |row| row.service.clone().unwrap_or_default()),
    ("available", |row| row.available.map(|available| available.to_string()).unwrap_or_default()),
    ("outcome", |row| row.outcome.to_owned()),
    ("status", |row| row.status.to_string()),
];

#[derive(Debug)]
pub struct RouteTableAnswer<'a> {
    pub rows: Vec<RouteEntry>,
    pub meta: ResponseMeta<'a>,
}

impl RouteTableAnswer<'_> {
    fn grid(&self, options: TextOptions) -> Grid {
        let tone = |outcome: &str| match outcome {
            "served" | "proxied" => Tone::Plain,
            _ => Tone::Odd,
        };
        Table::new(&self.rows, options)
            .column("VERB", |row| &row.verb)
            .column("SERVED BY", |row| &row.handler)
            .toned("OUTCOME", |row| (row.outcome, tone(row.outcome)))
            .droppable()
            .wide("STATUS", |row| row.status.to_string())
            .wide("APISERVICE", |row| row.api_service.as_deref().unwrap_or_default())
            .wide("SERVICE", |row| row.service.as_deref().unwrap_or_default())
            // Last, because paths are longer than everything else.
            .column("PATH", |row| &row.path)
            .grid()
    }
}

impl Answer for RouteTableAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Csv, Format::Sql, Format::Markdown, Format::Name];

    fn text(&self, options: TextOptions) -> String {
        self.grid(options).text()
    }

    fn json(&self) -> impl Serialize {
        self.meta.list("RouteTable", self.rows.iter().map(EntryJson::new).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.rows.iter().map(|row| self.meta.answer("RouteTableRow", EntryJson::new(row)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.rows.iter().map(|row| row.path.clone())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(self.grid(options))
    }

    fn csv(&self) -> Option<String> {
        let cells = |row| COLUMNS.map(|(_, cell)| cell(row));
        Some(csv(COLUMNS.map(|(name, _)| name.to_owned()), self.rows.iter().map(cells)))
    }

    fn sql(&self) -> Option<String> {
        Some(sql(&self.rows))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntryJson<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
    subresource: &'a str,
    verb: &'a str,
    /// With `{namespace}` and `{name}`; a final `*` matches anything below.
    path: &'a str,
    /// The APIService if its backend is a Service, otherwise the server that answers.
    handler: &'a str,
    /// The APIService that matches.
    api_service: Option<&'a str>,
    service: Option<&'a str>,
    /// Whether the APIService is available, if its backend is a Service.
    available: Option<bool>,
    outcome: &'static str,
    status: u16,
}

impl<'a> EntryJson<'a> {
    fn new(row: &'a RouteEntry) -> Self {
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

/// Returns the rows as SQL that any database takes.
fn sql(rows: &[RouteEntry]) -> String {
    const AT_ONCE: usize = 500;
    let columns = COLUMNS.map(|(name, _)| match name {
        "status" => format!("  {name} INTEGER"),
        "available" => format!("  {name} BOOLEAN"),
        name => format!("  {name} VARCHAR(1024)"),
    });
    let mut text = format!("CREATE TABLE routes (\n{}\n);\n", columns.join(",\n"));
    let quoted = |value: &str| format!("'{}'", sanitize(value).replace('\'', "''"));
    for rows in rows.chunks(AT_ONCE) {
        let values = rows.iter().map(|row| {
            let values = COLUMNS.map(|(name, cell)| match (name, cell(row)) {
                ("status", value) => value,
                ("available" | "api_service" | "service", value) if value.is_empty() => {
                    "NULL".to_owned()
                }
                ("available", value) => value.to_uppercase(),
                (_, value) => quoted(&value),
            });
            format!("({})", values.join(", "))
        });
        text.push_str(&format!("INSERT INTO routes VALUES\n{};\n", joined(values, ",\n")));
    }
    text
}
