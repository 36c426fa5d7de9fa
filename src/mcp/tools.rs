//! The tools: their input, and the aggctl command that answers.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::render;

/// The maximum size of a short argument: a path or a name.
const MAX_WORD: usize = 4 << 10;

/// The maximum size of a text: a paste or manifests.
const MAX_TEXT: usize = 1 << 20;

/// A command to run.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) command: &'static str,
    pub(super) options: Vec<String>,
    /// Arguments that follow `--`.
    pub(super) words: Vec<String>,
    /// Standard input.
    pub(super) input: String,
    /// Whether the command reads the source.
    pub(super) reads_source: bool,
    /// Whether healthy APIServices are left out of the answer.
    omits_healthy: bool,
}

impl Call {
    fn new(command: &'static str) -> Self {
        Self { command, reads_source: true, ..Self::default() }
    }

    fn option(mut self, name: &str, value: &str) -> Self {
        self.options.push(format!("{name}={value}"));
        self
    }

    /// Leaves out what an agent does not need. Every field that stays follows the schema.
    pub(super) fn compact(&self, mut answer: Value) -> Value {
        if self.omits_healthy
            && let Some(items) = answer.get_mut("items").and_then(Value::as_array_mut)
        {
            items.retain(|item| item.get("verdict").is_none_or(|verdict| verdict != "healthy"));
        }
        answer
    }
}

/// The input of a tool.
trait Input: DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    const ABOUT: &'static str;
    /// The kinds of document that it answers with.
    const KINDS: &'static [&'static str];

    fn call(self) -> Result<Call, String>;
}

/// A request to route.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Route {
    /// A path such as /apis/apps/v1/deployments, or a resource as kubectl names it
    request: String,
    /// The HTTP method; GET if omitted
    method: Option<String>,
    /// The namespace of a resource that is named as kubectl does
    namespace: Option<String>,
}

impl Input for Route {
    const NAME: &'static str = "route";
    const ABOUT: &'static str = "Show which server answers a Kubernetes API request, hop by hop, with the status and the reason. Use it for 404 and 503 questions about one path.";
    const KINDS: &'static [&'static str] = &["Route", "RouteList"];

    fn call(self) -> Result<Call, String> {
        let mut call = Call::new("route");
        if let Some(namespace) = &self.namespace {
            call = call.option("--namespace", word(namespace)?);
        }
        if let Some(method) = &self.method {
            call.words.push(word(method)?.to_owned());
        }
        call.words.push(request(&self.request)?);
        Ok(call)
    }
}

/// What to diagnose.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Doctor {
    /// The name of one APIService, such as v1beta1.metrics.k8s.io, or a group; all if omitted
    name: Option<String>,
}

impl Input for Doctor {
    const NAME: &'static str = "doctor";
    const ABOUT: &'static str = "Diagnose APIServices: which are broken, which check fails, the cause and the fix. Without a name, lists only those that are not healthy; `summary` counts all.";
    const KINDS: &'static [&'static str] = &["Diagnosis", "DiagnosisList"];

    fn call(self) -> Result<Call, String> {
        let mut call = Call::new("doctor");
        call.omits_healthy = self.name.is_none();
        call.words.extend(self.name.as_deref().map(word).transpose()?.map(str::to_owned));
        Ok(call)
    }
}

/// What to explain.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Explain {
    /// An error message, a log excerpt, an alert, a condition's reason, or a code of aggctl
    text: String,
}

impl Input for Explain {
    const NAME: &'static str = "explain";
    const ABOUT: &'static str = "Explain an error message, log, alert, condition or code: who said it, the likely causes in order, and how to confirm each.";
    const KINDS: &'static [&'static str] = &["Explanation", "Rule", "NamespaceExplanation"];

    fn call(self) -> Result<Call, String> {
        let mut call = Call::new("explain");
        let text = text(self.text)?;
        if text.trim().contains(char::is_whitespace) {
            call.words.push("-".to_owned());
            call.input = text;
        } else {
            call.words.push(word(text.trim())?.to_owned());
        }
        Ok(call)
    }
}

/// Which order to show.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Order {
    /// Which document's order; legacy if omitted
    form: Option<Form>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Legacy,
    Aggregated,
    OpenapiV2,
}

impl Input for Order {
    const NAME: &'static str = "order";
    const ABOUT: &'static str =
        "Show the priority order of API groups and versions, which decides what kubectl prefers.";
    const KINDS: &'static [&'static str] = &["Order"];

    fn call(self) -> Result<Call, String> {
        let form = match self.form.unwrap_or(Form::Legacy) {
            Form::Legacy => "legacy",
            Form::Aggregated => "aggregated",
            Form::OpenapiV2 => "openapi-v2",
        };
        Ok(Call::new("order").option("--form", form))
    }
}

/// A change to try.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhatIf {
    /// Manifests to apply, as YAML or JSON text: APIServices, CRDs, Services, EndpointSlices
    manifests: Option<String>,
    /// APIServices, CRDs or Services (namespace/name) to delete
    #[serde(default)]
    without: Vec<String>,
    /// A request to route after the change; without it, the answer is what the change alters
    request: Option<String>,
}

impl Input for WhatIf {
    const NAME: &'static str = "what_if";
    const ABOUT: &'static str = "Predict what applying manifests or deleting objects would change, without changing anything: routes, availability, discovery and order.";
    const KINDS: &'static [&'static str] = &["Diff", "Route", "RouteList"];

    fn call(self) -> Result<Call, String> {
        if self.manifests.is_none() && self.without.is_empty() {
            return Err("pass `manifests` to apply, or objects to delete in `without`".to_owned());
        }
        let mut call = Call::new(if self.request.is_some() { "route" } else { "diff" });
        if let Some(manifests) = self.manifests {
            call.options.push("--filename=-".to_owned());
            call.input = text(manifests)?;
        }
        for name in &self.without {
            call = call.option("--without", word(name)?);
        }
        call.words.extend(self.request.as_deref().map(request).transpose()?);
        Ok(call)
    }
}

/// Manifests to check.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Lint {
    /// Manifests as YAML or JSON text
    manifests: String,
    /// The Kubernetes version that they are for, such as 1.36
    kubernetes_version: Option<String>,
}

impl Input for Lint {
    const NAME: &'static str = "lint";
    const ABOUT: &'static str = "Check APIService manifests and the objects next to them for mistakes, with the place and a fix for each finding. Reads nothing but the text.";
    const KINDS: &'static [&'static str] = &["LintReport"];

    fn call(self) -> Result<Call, String> {
        let mut call = Call { reads_source: false, ..Call::new("lint") };
        if let Some(version) = &self.kubernetes_version {
            call = call.option("--kubernetes-version", word(version)?);
        }
        call.words.push("-".to_owned());
        call.input = text(self.manifests)?;
        Ok(call)
    }
}

/// Returns a request, which must not be the `-` that reads standard input.
fn request(request: &str) -> Result<String, String> {
    match word(request)? {
        "-" => Err("`request` must be a path or a resource".to_owned()),
        request => Ok(request.to_owned()),
    }
}

fn word(word: &str) -> Result<&str, String> {
    if word.is_empty() || word.len() > MAX_WORD || word.contains('\0') {
        return Err(format!("names and paths must have 1 to {MAX_WORD} bytes"));
    }
    Ok(word)
}

fn text(text: String) -> Result<String, String> {
    if text.trim().is_empty() || text.len() > MAX_TEXT {
        return Err(format!("texts must have 1 to {} KiB", MAX_TEXT >> 10));
    }
    Ok(text)
}

/// Returns the call of a tool.
///
/// # Errors
/// If there is no such tool, or its arguments are invalid.
pub(super) fn parse(name: &str, arguments: JsonObject) -> Result<Call, String> {
    fn read<T: Input>(arguments: JsonObject) -> Result<Call, String> {
        let input: T =
            serde_json::from_value(Value::Object(arguments)).map_err(|why| why.to_string())?;
        input.call()
    }
    match name {
        Route::NAME => read::<Route>(arguments),
        Doctor::NAME => read::<Doctor>(arguments),
        Explain::NAME => read::<Explain>(arguments),
        Order::NAME => read::<Order>(arguments),
        WhatIf::NAME => read::<WhatIf>(arguments),
        Lint::NAME => read::<Lint>(arguments),
        _ => Err(format!("unknown tool {name:?}")),
    }
}

/// Returns the definitions of all tools.
pub(super) fn all() -> Vec<Tool> {
    vec![
        tool::<Route>(),
        tool::<Doctor>(),
        tool::<Explain>(),
        tool::<Order>(),
        tool::<WhatIf>(),
        tool::<Lint>(),
    ]
}

fn tool<T: Input>() -> Tool {
    let input = object(schemars::schema_for!(T).to_value());
    let read_only = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true);
    Tool::new(T::NAME, T::ABOUT, input)
        .with_raw_output_schema(object(output::<T>()).into())
        .with_annotations(read_only.open_world(false))
}

/// Returns the schema of the answers.
fn output<T: Input>() -> Value {
    let schemas: Vec<Value> = T::KINDS.iter().filter_map(|kind| render::schema(kind)).collect();
    json!({ "type": "object", "oneOf": schemas })
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: Value) -> Result<Call, String> {
        parse(name, object(arguments))
    }

    #[test]
    fn arguments_never_become_options() {
        let call = call("route", json!({"request": "--dump=/etc", "method": "-f"})).unwrap();
        assert_eq!(call.words, ["-f", "--dump=/etc"]);
        assert!(call.options.is_empty());
    }

    #[test]
    fn bad_arguments_are_refused() {
        let long = "x".repeat(MAX_WORD + 1);
        for (name, arguments) in [
            ("route", json!({})),
            ("route", json!({"request": ""})),
            ("route", json!({"request": "-"})),
            ("route", json!({"request": long})),
            ("route", json!({"request": "/api", "kubeconfig": "admin.conf"})),
            ("route", json!({"request": ["/api"]})),
            ("what_if", json!({"request": "/api"})),
            ("lint", json!({"manifests": " "})),
            ("order", json!({"form": "newest"})),
            ("dump", json!({})),
        ] {
            assert!(call(name, arguments.clone()).is_err(), "{name} {arguments}");
        }
    }

    #[test]
    fn every_tool_is_read_only_and_has_schemas() {
        let tools = all();
        assert_eq!(tools.len(), 6);
        for tool in tools {
            let annotations = tool.annotations.unwrap();
            assert_eq!(annotations.read_only_hint, Some(true));
            let schemas = tool.output_schema.unwrap();
            assert!(!schemas["oneOf"].as_array().unwrap().is_empty(), "{}", tool.name);
        }
    }

    #[test]
    fn a_list_of_diagnoses_leaves_out_healthy_ones() {
        let all = call("doctor", json!({})).unwrap();
        let answer = json!({"items": [{"verdict": "healthy"}, {"verdict": "broken"}]});
        assert_eq!(all.compact(answer.clone()), json!({"items": [{"verdict": "broken"}]}));
        let one = call("doctor", json!({"name": "v1.apps"})).unwrap();
        assert_eq!(one.compact(answer.clone()), answer);
    }
}
