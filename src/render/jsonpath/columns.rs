//! `-o custom-columns`: a table whose columns are JSONPath expressions.

use serde_json::Value;

use super::{JsonPath, go};
use crate::render::sanitize::sanitize;

/// The columns of a table, as kubectl's `HEADER:PATH,…`.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomColumns(Vec<(String, JsonPath)>);

impl CustomColumns {
    /// Parses columns from `NAME:.name,SERVICE:.service`.
    ///
    /// # Errors
    /// What is wrong with them, in kubectl's words.
    pub fn parse(spec: &str) -> Result<Self, String> {
        if spec.is_empty() {
            return Err("custom-columns format specified but no custom columns given".to_owned());
        }
        let columns = spec.split(',').map(|part| match part.split_once(':') {
            Some((header, path)) => column(header, path),
            None => Err(format!(
                "unexpected custom-columns spec: {part}, expected <header>:<json-path-expr>"
            )),
        });
        columns.collect::<Result<_, _>>().map(Self)
    }

    /// Parses columns from a file: a line of headers, and a line of paths.
    ///
    /// # Errors
    /// What is wrong with them, in kubectl's words.
    pub fn from_file(text: &str) -> Result<Self, String> {
        let expected = "Expected format is one line of space separated headers, one line of space separated column specs.";
        let mut lines = text.lines();
        let mut words = |what| {
            let line = lines
                .next()
                .ok_or_else(|| format!("invalid template, missing {what} line. {expected}"))?;
            Ok::<_, String>(line.split_whitespace().collect::<Vec<_>>())
        };
        let (headers, paths) = (words("header")?, words("spec")?);
        if headers.len() != paths.len() {
            return Err(format!(
                "number of headers ({}) and field specifications ({}) don't match",
                headers.len(),
                paths.len()
            ));
        }
        headers
            .into_iter()
            .zip(paths)
            .map(|(h, p)| column(h, p))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the table of a document: one row per item of a list.
    ///
    /// # Errors
    /// If an expression does not fit the document.
    pub fn table(&self, document: &Value, headers: bool) -> Result<String, String> {
        let items = match document.get("items") {
            Some(Value::Array(items)) => items.as_slice(),
            _ => std::slice::from_ref(document),
        };
        let mut rows: Vec<Vec<String>> = vec![];
        if headers {
            rows.push(self.0.iter().map(|(header, _)| sanitize(header).into_owned()).collect());
        }
        for item in items {
            let cells = self.0.iter().map(|(_, path)| cell(path, item));
            rows.push(cells.collect::<Result<_, _>>()?);
        }
        Ok(aligned(&rows))
    }
}

/// Parses one column. The braces and the leading dot of its path may be missing.
fn column(header: &str, path: &str) -> Result<(String, JsonPath), String> {
    let inner = path.strip_prefix('{').and_then(|path| path.strip_suffix('}')).unwrap_or(path);
    let inner = inner.strip_prefix('.').unwrap_or(inner);
    if !path.is_empty() && (inner.is_empty() || inner.contains(['{', '}'])) {
        return Err("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'".to_owned());
    }
    let template = if path.is_empty() { String::new() } else { format!("{{.{inner}}}") };
    Ok((header.to_owned(), JsonPath::parse(&template)?))
}

fn cell(path: &JsonPath, item: &Value) -> Result<String, String> {
    let results = path.results(item)?;
    let mut values = vec![];
    if results.first().is_none_or(|(values, _)| values.is_empty()) {
        values.push("<none>".to_owned());
    }
    let found = results.iter().flat_map(|(values, _)| values);
    values.extend(found.map(|value| sanitize(&go::sprint(value)).into_owned()));
    Ok(values.join(","))
}

/// Aligns cells as kubectl does: three spaces between columns, each at least six wide.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count() + 3).max().unwrap_or(0).max(6)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(cell);
            if index + 1 < row.len() {
                text.extend(std::iter::repeat_n(' ', width - cell.chars().count()));
            }
        }
        text.push('\n');
    }
    text
}
