//! The value of `-o`: a format by its name, or a template in kubectl's syntax.

use std::ffi::OsStr;

use clap::Arg;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::Value;

use super::terminal::Terminal;
use crate::error::Error;
use crate::render::{CustomColumns, Format, GoTemplate, JsonPath};

/// A value of `-o`.
#[derive(Debug, Clone)]
pub(super) enum OutputFormat {
    Named(Format),
    Template(Template),
}

impl From<Format> for OutputFormat {
    fn from(format: Format) -> Self {
        Self::Named(format)
    }
}

/// A template that is filled in from the JSON of an answer.
#[derive(Debug, Clone)]
pub(super) enum Template {
    JsonPath(JsonPath),
    JsonPathAsJson(JsonPath),
    CustomColumns(CustomColumns),
    Go(GoTemplate),
}

impl Template {
    /// Returns the text that the template makes of a document.
    ///
    /// # Errors
    /// If the template does not fit the document.
    pub(super) fn fill(
        &self,
        document: &Value,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<String> {
        let text = match self {
            Self::JsonPath(path) => {
                if path.is_text() {
                    terminal.hint("the template has no braces, so it prints itself: {.kind}")?;
                }
                path.text(document)
            }
            Self::JsonPathAsJson(path) => path.json(document),
            Self::CustomColumns(columns) => columns.table(document, terminal.headers),
            Self::Go(template) => template.text(document),
        };
        Ok(text.map_err(Error::usage)?)
    }
}

/// The names of templates, with their help.
const TEMPLATES: [(&str, &str); 7] = [
    ("jsonpath=", "JSONPath template, as in kubectl"),
    ("jsonpath-file=", "File with a JSONPath template"),
    ("jsonpath-as-json=", "Results of a JSONPath template as JSON"),
    ("go-template=", "Go template, as in kubectl"),
    ("go-template-file=", "File with a Go template"),
    ("custom-columns=", "HEADER:PATH,… for a table, as in kubectl"),
    ("custom-columns-file=", "File with a line of headers and a line of paths"),
];

/// What kubectl says about `-o jsonpath` without a template.
const NO_TEMPLATE: &str = "template format specified but no template given";

/// Parses a template; `None` if the name is not that of one.
fn template(value: &str) -> Option<Result<Template, String>> {
    let (name, spec) = value.split_once('=').unwrap_or((value, ""));
    let read = |path: &str| {
        std::fs::read_to_string(path)
            .map_err(|error| format!("error reading --template {path}, {error}"))
    };
    let path = |text: &str| match text {
        "" => Err(NO_TEMPLATE.to_owned()),
        text => JsonPath::parse(text),
    };
    let go = |text: &str| match text {
        "" => Err(NO_TEMPLATE.to_owned()),
        text => GoTemplate::parse(text).map(Template::Go),
    };
    Some(match name {
        "jsonpath" => path(spec).map(Template::JsonPath),
        "jsonpath-as-json" => path(spec).map(Template::JsonPathAsJson),
        "jsonpath-file" => read(spec).and_then(|text| path(&text)).map(Template::JsonPath),
        "go-template" | "template" => go(spec),
        "go-template-file" | "templatefile" => read(spec).and_then(|text| go(&text)),
        "custom-columns" => CustomColumns::parse(spec).map(Template::CustomColumns),
        "custom-columns-file" => {
            let columns = read(spec).and_then(|text| CustomColumns::from_file(&text));
            columns.map(Template::CustomColumns)
        }
        _ => return None,
    })
}

/// Parses the formats for which `offered` is true.
pub(super) fn formats(
    offered: fn(Format) -> bool,
) -> impl TypedValueParser<Value = Format> + use<> {
    let value = |format: Format| {
        let value = PossibleValue::new(format.as_str()).help(format.help());
        if format == Format::Table { value.alias("text") } else { value }
    };
    let offered = Format::ALL.into_iter().filter(move |format| offered(*format));
    PossibleValuesParser::new(offered.map(value).collect::<Vec<_>>())
        .try_map(|text| format_named(&text).ok_or("no such format"))
}

/// Returns the format of that name.
pub(super) fn format_named(name: &str) -> Option<Format> {
    let name = if name == "text" { "table" } else { name };
    Format::ALL.into_iter().find(|format| format.as_str() == name)
}

/// Parses the formats for which `offered` is true, and templates.
pub(super) fn output_formats(
    offered: fn(Format) -> bool,
) -> impl TypedValueParser<Value = OutputFormat> + use<> {
    OutputFormatParser { named: formats(offered) }
}

#[derive(Clone)]
struct OutputFormatParser<P> {
    named: P,
}

impl<P: TypedValueParser<Value = Format>> TypedValueParser for OutputFormatParser<P> {
    type Value = OutputFormat;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OutputFormat, clap::Error> {
        match value.to_str().and_then(template) {
            Some(template) => template.map(OutputFormat::Template).map_err(|why| {
                clap::Error::raw(ErrorKind::ValueValidation, format!("{why}\n")).with_cmd(command)
            }),
            None => {
                let named = self.named.parse_ref(command, argument, value);
                named.map(OutputFormat::Named).map_err(|mut error| {
                    let names = self.possible_values().into_iter().flatten();
                    let names = names.filter(|one| !one.is_hide_set());
                    let names = names.map(|one| one.get_name().to_owned()).collect();
                    error.insert(ContextKind::ValidValue, ContextValue::Strings(names));
                    error
                })
            }
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // The others are for scripts that already know them.
        let usual = ["jsonpath=", "go-template=", "custom-columns="];
        let templates = TEMPLATES
            .map(|(name, help)| PossibleValue::new(name).help(help).hide(!usual.contains(&name)));
        let named = self.named.possible_values().into_iter().flatten();
        Some(Box::new(named.chain(templates)))
    }
}
