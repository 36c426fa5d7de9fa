//! Objects as tables, as the server prints them for kubectl.

mod age;
mod cells;
mod columns;
mod path;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::object::{Item, ObjectRequest};
use super::server::Replay;
use columns::{Cell, Column, NAME, columns};
use path::JsonPath;

/// One column, and how its cells are computed.
struct TableHeading {
    definition: Value,
    cell: Cell,
}

impl From<Column> for TableHeading {
    fn from(column: Column) -> Self {
        let format = if matches!(column.cell, Cell::Name) { "name" } else { "" };
        let definition = json!({
            "name": column.name, "type": column.kind, "format": format,
            "description": "", "priority": column.priority,
        });
        Self { definition, cell: column.cell }
    }
}

/// The columns of a kind, and the time that ages are measured against.
pub(super) struct Tables {
    headings: Vec<TableHeading>,
    now: Timestamp,
    /// Whether rows contain whole objects, their metadata, or neither.
    include: String,
}

impl Replay<'_> {
    /// Returns the columns of a kind.
    pub(super) fn tables(&self, asked: &ObjectRequest<'_>) -> Tables {
        let own =
            || columns(asked.api_version, asked.kind).into_iter().map(TableHeading::from).collect();
        let headings = self.printer_columns(asked).unwrap_or_else(own);
        let include = asked.parameter("includeObject").into_owned();
        Tables { headings, now: asked.call.request.now, include }
    }

    /// Returns the name and the columns of a CRD; `None` if it has no columns.
    fn printer_columns(&self, asked: &ObjectRequest<'_>) -> Option<Vec<TableHeading>> {
        let whole = self.whole_crd(asked.crd?)?;
        let versions = whole.pointer("/spec/versions")?.as_array()?.iter();
        let mut versions = versions.filter(|version| version["name"] == asked.info.version);
        let columns = versions.next()?.get("additionalPrinterColumns")?.as_array()?;
        let name = std::iter::once(TableHeading::from(NAME));
        let own = columns.iter().map(|column| {
            let kind = column["type"].as_str().unwrap_or("string").to_owned();
            let path = JsonPath::parse(column["jsonPath"].as_str().unwrap_or_default());
            let definition = json!({
                "name": column["name"], "type": kind,
                "format": column["format"].as_str().unwrap_or_default(),
                "description": column["description"].as_str().unwrap_or_default(),
                "priority": column["priority"].as_i64().unwrap_or(0),
            });
            TableHeading { definition, cell: Cell::Named(path, kind) }
        });
        Some(name.chain(own).collect())
    }
}

impl Tables {
    /// Returns the table of these objects. `headed` adds the column definitions, which a watch
    /// sends once.
    pub(super) fn table(&self, items: &[Item<'_>], metadata: &Value, headed: bool) -> Value {
        let definitions = self.headings.iter().filter(|_| headed);
        json!({
            "kind": "Table",
            "apiVersion": "meta.k8s.io/v1",
            "metadata": metadata,
            "columnDefinitions": definitions.map(|h| &h.definition).collect::<Vec<_>>(),
            "rows": items.iter().map(|item| self.row(&item.value())).collect::<Vec<_>>(),
        })
    }

    fn row(&self, object: &Value) -> Value {
        let cells: Vec<Value> = self.headings.iter().map(|h| h.cell.of(object, self.now)).collect();
        let object = match self.include.as_str() {
            "None" => Value::Null,
            "Object" => object.clone(),
            _ => json!({
                "kind": "PartialObjectMetadata",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": object["metadata"],
            }),
        };
        json!({"cells": cells, "object": object})
    }
}
