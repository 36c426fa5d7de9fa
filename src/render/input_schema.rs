//! JSON Schemas of the files that users write, for editors: `aggctl.toml`, and expectations of
//! `aggctl test`.

use aggctl_lint::{Category, rules};
use kube_aggregation::routing::Outcome;
use serde_json::{Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The names of the schemas.
pub const INPUT_SCHEMAS: [&str; 2] = ["config", "expectations"];

/// Returns the schema of a file that users write.
pub fn input_schema(name: &str) -> Option<Value> {
    match name {
        "config" => Some(config()),
        "expectations" => Some(expectations()),
        _ => None,
    }
}

/// Returns the schema of `aggctl.toml`.
fn config() -> Value {
    let rules: Vec<&str> = rules::all().map(|rule| rule.name).collect();
    let categories = Category::ALL.iter().map(|category| category.as_str());
    let selectable: Vec<&str> = rules.iter().copied().chain(categories).collect();
    let selection =
        |about: &str| json!({"description": about, "type": "array", "items": {"enum": selectable}});
    json!({
        "$schema": DRAFT,
        "title": "aggctl.toml",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "lint": {
                "description": "Settings of aggctl lint",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "fail-on": {
                        "description": "Lowest severity that exits with 1",
                        "enum": ["error", "warning", "info", "never"],
                    },
                    "select": selection("Run only these rules or categories"),
                    "exclude": {
                        "description": "Patterns for files to skip, relative to this file",
                        "type": "array",
                        "items": { "type": "string" },
                    },
                    "ignore": selection("Skip these rules or categories"),
                    "expires-within": {
                        "description": "Report certificates that expire within this time",
                        "type": "string",
                        "examples": ["30d", "12h"],
                    },
                    "kubernetes-version": {
                        "description": "Kubernetes version to check for",
                        "type": "string",
                        "pattern": "^v?1\\.[0-9]+",
                    },
                    "allow": {
                        "description": "Findings that are allowed",
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": false,
                            "required": ["rule"],
                            "properties": {
                                "rule": { "description": "The rule", "enum": rules },
                                "files": {
                                    "description": "A pattern for files, relative to this file; all files if omitted",
                                    "type": "string",
                                },
                                "object": {
                                    "description": "The name of an APIService; all if omitted",
                                    "type": "string",
                                },
                                "reason": { "description": "Why it is allowed", "type": "string" },
                            },
                        },
                    },
                },
            },
        },
    })
}

/// Returns the schema of a file of expectations.
fn expectations() -> Value {
    let name = |about: &str| json!({"description": about, "type": ["string", "null"]});
    let status = json!({"type": "integer", "minimum": 100, "maximum": 599});
    json!({
        "$schema": DRAFT,
        "title": "Expectations of aggctl test",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "apiVersion": { "type": "string" },
            "kind": { "type": "string" },
            "requests": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["request", "expect"],
                    "properties": {
                        "request": {
                            "description": "METHOD PATH, or a path for GET",
                            "type": "string",
                        },
                        "expect": {
                            "type": "object",
                            "additionalProperties": false,
                            "minProperties": 1,
                            "properties": {
                                "outcome": {
                                    "description": "How the request ends",
                                    "enum": Outcome::ALL.map(Outcome::as_str),
                                },
                                "handler": name("A server, a Service, or crd/NAME"),
                                "server": name("The last server of the chain"),
                                "service": name("The Service that it is proxied to; none for no Service"),
                                "apiService": name("The APIService that matches; none for no APIService"),
                                "status": {
                                    "description": "The status, or a list of statuses, one of which must be possible",
                                    "anyOf": [status, {"type": "array", "items": status}],
                                },
                                "hops": {
                                    "description": "Each as SERVER MATCH [PATTERN]",
                                    "type": "array",
                                    "items": { "type": "string" },
                                },
                            },
                        },
                    },
                },
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn properties<'s>(schema: &'s Value, path: &str) -> BTreeSet<&'s str> {
        let fields = schema.pointer(path).unwrap().as_object().unwrap();
        fields.keys().map(String::as_str).collect()
    }

    /// Returns the names in backticks or quotes that follow "expected one of" in an error.
    fn expected(error: &str) -> BTreeSet<&str> {
        let list = error.split("expected").nth(1).unwrap();
        list.split('`').skip(1).step_by(2).collect()
    }

    #[test]
    fn the_schema_of_the_configuration_has_the_fields_that_are_read() {
        let schema = config();
        let lint = aggctl_lint::Config::parse(b"[lint]\nnope = 1\n").unwrap_err().to_string();
        assert_eq!(properties(&schema, "/properties/lint/properties"), expected(&lint));
        let allow = aggctl_lint::Config::parse(b"[[lint.allow]]\nnope = 1\n").unwrap_err();
        let items = "/properties/lint/properties/allow/items/properties";
        assert_eq!(properties(&schema, items), expected(&allow.to_string()));
    }

    #[test]
    fn the_schema_of_expectations_has_the_fields_that_are_read() {
        let text = "requests:\n- request: /api\n  expect: {nothing-like-it: 1}\n";
        let faults = crate::expectation::parse(text).unwrap_err();
        let hint = faults[0].hint.as_deref().unwrap();
        let known: BTreeSet<&str> =
            hint.trim_start_matches("the fields here are ").split(", ").collect();
        let expect = "/properties/requests/items/properties/expect/properties";
        assert_eq!(properties(&expectations(), expect), known);
    }
}
