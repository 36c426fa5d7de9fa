//! The JSON of `openapi`.

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::OpenApiAnswer;
use aggctl_openapi::{Definition, Form, Item, OpenApiFinding, uses};

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct OpenApiJson<'a> {
    pub(super) items: Vec<OpenApiItemJson<'a>>,
    index: Vec<ListedJson<'a>>,
    order: Vec<OpenApiPlaceJson<'a>>,
    document: OpenApiDocumentJson<'a>,
    warnings: Vec<OpenApiFindingJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct OpenApiItemJson<'a> {
    group_version: String,
    api_service: Option<&'a str>,
    v2: V2Json<'a>,
    v3: V3Json<'a>,
    codes: Vec<&'static str>,
    /// Only if group versions were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clients: Vec<ClientJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct V2Json<'a> {
    from: Option<&'a str>,
    state: &'static str,
    paths: Option<usize>,
    renamed: Vec<RenamedJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RenamedJson<'a> {
    name: &'a str,
    r#as: &'a str,
    owner: &'a str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct V3Json<'a> {
    from: &'a [String],
    form: Option<&'static str>,
    status: Option<u16>,
    url: Option<&'a str>,
    etag: Option<&'a str>,
}

/// An entry of the index `/openapi/v3`, and the servers that may answer for it.
#[derive(Debug, Serialize, JsonSchema)]
struct ListedJson<'a> {
    key: &'a str,
    from: &'a [String],
    url: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ClientJson {
    command: &'static str,
    reads: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenApiPlaceJson<'a> {
    api_service: &'a str,
    group_priority: i32,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenApiDocumentJson<'a> {
    status: Option<u16>,
    protobuf_status: Option<u16>,
    etag: Option<&'a str>,
    computed_etag: Option<&'a str>,
    bytes: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct OpenApiFindingJson<'a> {
    code: &'static str,
    severity: &'static str,
    api_service: Option<&'a str>,
    group_version: Option<&'a str>,
    message: String,
}

impl<'a> OpenApiJson<'a> {
    pub(super) fn new(answer: &'a OpenApiAnswer<'_, '_>) -> Self {
        let OpenApiAnswer { review, document, named, .. } = answer;
        let index = review.index.iter().map(|one| ListedJson {
            key: &one.key,
            from: &one.from,
            url: one.address.as_deref(),
        });
        let order = review.order.iter();
        let place = |(name, priority): &'a (String, i32)| OpenApiPlaceJson {
            api_service: name,
            group_priority: *priority,
        };
        Self {
            items: review.items.iter().map(|item| OpenApiItemJson::new(item, *named)).collect(),
            index: index.collect(),
            order: order.map(place).collect(),
            document: OpenApiDocumentJson {
                status: document.status,
                protobuf_status: document.protobuf_status,
                etag: document.etag.as_deref(),
                computed_etag: document.computed_etag.as_deref(),
                bytes: document.bytes,
            },
            warnings: review.findings.iter().map(OpenApiFindingJson::from).collect(),
        }
    }
}

impl<'a> OpenApiItemJson<'a> {
    fn new(item: &'a Item, named: bool) -> Self {
        let client = |one: aggctl_openapi::Use| ClientJson {
            command: one.command,
            reads: one.reads.to_string(),
        };
        Self {
            group_version: item.group_version.to_string(),
            api_service: item.api_service.as_deref(),
            v2: V2Json {
                from: item.v2.from.as_deref(),
                state: item.v2.state.as_str(),
                paths: item.v2.paths,
                renamed: (item.v2.renamed.iter())
                    .map(|(name, to, owner)| RenamedJson { name, r#as: to, owner })
                    .collect(),
            },
            v3: V3Json {
                from: &item.v3.from,
                form: item.v3.form.map(Form::as_str),
                status: item.v3.status,
                url: item.v3.address.as_deref(),
                etag: item.v3.etag.as_deref(),
            },
            codes: item.codes.iter().map(|code| code.as_str()).collect(),
            clients: if named { uses(item).into_iter().map(client).collect() } else { vec![] },
        }
    }
}

impl<'a> From<&'a OpenApiFinding> for OpenApiFindingJson<'a> {
    fn from(found: &'a OpenApiFinding) -> Self {
        Self {
            code: found.code.as_str(),
            severity: found.code.severity().as_str(),
            api_service: found.api_service.as_deref(),
            group_version: found.group_version.as_deref(),
            message: found.message(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DefinitionJson<'a> {
    name: &'a str,
    owner: &'a str,
    original: Option<&'a str>,
    met: Option<&'a str>,
    reused_by: &'a [String],
    borrowed_by: &'a [String],
    kinds_from: &'a [String],
}

impl<'a> From<&'a Definition> for DefinitionJson<'a> {
    fn from(one: &'a Definition) -> Self {
        Self {
            name: &one.name,
            owner: &one.owner,
            original: one.original.as_deref(),
            met: one.met.as_deref(),
            reused_by: &one.reused_by,
            borrowed_by: &one.borrowed_by,
            kinds_from: &one.kinds_from,
        }
    }
}
