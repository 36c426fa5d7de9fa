//! `-o jsonpath` and `-o custom-columns`: kubectl's templates over the JSON of an answer.
//!
//! The dialect is kubectl's own, of which no library exists: `{range}` and `{end}`, text between
//! braces, and its rules for missing keys, indexes and comparisons.

mod columns;
mod evaluate;
mod go;
mod parse;

pub use columns::CustomColumns;

use serde_json::Value;

use super::sanitize::sanitize;
use parse::Node;

/// A parsed template.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath {
    template: String,
    nodes: Vec<Node>,
}

impl JsonPath {
    /// Parses a template such as `{.items[*].name}`.
    ///
    /// # Errors
    /// What is wrong with it, in kubectl's words.
    pub fn parse(template: &str) -> Result<Self, String> {
        let nodes = parse::parse(template)
            .map_err(|why| format!("error parsing jsonpath {template}, {why}"))?;
        Ok(Self { template: template.to_owned(), nodes })
    }

    /// Returns whether the template is only text, because its braces are missing.
    pub fn is_text(&self) -> bool {
        self.nodes.iter().all(|node| matches!(node, Node::Text(_)))
    }

    /// Returns what the template prints for a document. A key that is missing prints nothing.
    ///
    /// # Errors
    /// If the template does not fit the document: an index out of bounds, a comparison of values
    /// of different types.
    pub fn text(&self, document: &Value) -> Result<String, String> {
        let mut text = String::new();
        for (values, is_literal) in self.results(document)? {
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                let shown = go::text(value);
                match is_literal {
                    true => text.push_str(&shown),
                    false => text.push_str(&sanitize(&shown)),
                }
            }
        }
        Ok(text)
    }

    /// Returns the results as JSON, one list per expression.
    ///
    /// # Errors
    /// As for [`text`](Self::text).
    pub fn json(&self, document: &Value) -> Result<String, String> {
        let mut text = String::new();
        for (values, _) in self.results(document)? {
            let list = values.iter().map(|value| value.clone().into_owned()).collect();
            text.push_str(&go::indented(&Value::Array(list)));
            text.push('\n');
        }
        Ok(text)
    }

    /// Returns the results of each expression, and whether they are text of the template itself.
    fn results<'d>(&self, document: &'d Value) -> Result<Vec<evaluate::Results<'d>>, String> {
        evaluate::evaluate(&self.nodes, document)
            .map_err(|why| format!("error executing jsonpath {:?}: {why}", self.template))
    }
}

#[cfg(test)]
mod tests;
