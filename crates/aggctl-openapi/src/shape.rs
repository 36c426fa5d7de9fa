//! The types of OpenAPI v2 as the API server knows them: which fields, in which order they are
//! written, which values are nothing, where further types are, and what protobuf lacks.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use Shape::{
    Any, Flag, Header, Headers, Integer, Items, List, Operation, Parameter, Parameters, Pointer,
    Reference, Response, Responses, Sample, Schema, SchemaList, SchemaOrBool, SchemaOrList,
    Schemas, Text, Type,
};

/// What a value is, as far as it may be nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Null,
    False,
    EmptyText,
    /// A list or an object with nothing in it.
    Empty,
    Other,
}

/// What a value is, to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Anything, written as it is.
    Any,
    /// Anything, and nothing where it is empty.
    Sample,
    /// A number, or an object of no further interest.
    Pointer,
    /// A number that is no float.
    Integer,
    Text,
    /// A text that the server follows.
    Reference,
    Flag,
    /// A list or an object of no further interest.
    List,
    /// A string, or a list of them.
    Type,
    Schema,
    Schemas,
    SchemaList,
    SchemaOrList,
    SchemaOrBool,
    Path,
    Operation,
    Parameter,
    Parameters,
    Items,
    Responses,
    Response,
    Header,
    Headers,
}

/// A field of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// Whether protobuf has it too.
    pub(super) protobuf: bool,
}

const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, protobuf: true }
}

const fn json_only(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, protobuf: false }
}

const SCHEMA: &[Field] = &[
    json_only("id", Text),
    field("description", Text),
    field("type", Type),
    json_only("nullable", Flag),
    field("format", Text),
    field("title", Text),
    field("default", Any),
    field("maximum", Pointer),
    field("exclusiveMaximum", Flag),
    field("minimum", Pointer),
    field("exclusiveMinimum", Flag),
    field("maxLength", Integer),
    field("minLength", Integer),
    field("pattern", Text),
    field("maxItems", Integer),
    field("minItems", Integer),
    field("uniqueItems", Flag),
    field("multipleOf", Pointer),
    field("enum", List),
    field("maxProperties", Integer),
    field("minProperties", Integer),
    field("required", List),
    field("items", SchemaOrList),
    field("allOf", SchemaList),
    json_only("oneOf", SchemaList),
    json_only("anyOf", SchemaList),
    json_only("not", Schema),
    field("properties", Schemas),
    field("additionalProperties", SchemaOrBool),
    json_only("patternProperties", Schemas),
    json_only("dependencies", List),
    json_only("additionalItems", SchemaOrBool),
    json_only("definitions", Schemas),
    field("discriminator", Text),
    field("readOnly", Flag),
    field("externalDocs", Pointer),
    field("example", Sample),
    json_only("$schema", Text),
    field("$ref", Reference),
];

const PATH: &[Field] = &[
    field("$ref", Text),
    field("get", Operation),
    field("put", Operation),
    field("post", Operation),
    field("delete", Operation),
    field("options", Operation),
    field("head", Operation),
    field("patch", Operation),
    field("parameters", Parameters),
];

const OPERATION: &[Field] = &[
    field("description", Text),
    field("consumes", List),
    field("produces", List),
    field("schemes", List),
    field("tags", List),
    field("summary", Text),
    field("externalDocs", Pointer),
    field("operationId", Text),
    field("deprecated", Flag),
    field("security", List),
    field("parameters", Parameters),
    field("responses", Responses),
];

/// What parameters, their items and headers share comes first.
const COMMON: usize = 19;

const PARAMETER: &[Field] = &[
    field("maximum", Pointer),
    field("exclusiveMaximum", Flag),
    field("minimum", Pointer),
    field("exclusiveMinimum", Flag),
    field("maxLength", Integer),
    field("minLength", Integer),
    field("pattern", Text),
    field("maxItems", Integer),
    field("minItems", Integer),
    field("uniqueItems", Flag),
    field("multipleOf", Pointer),
    field("enum", List),
    field("type", Text),
    json_only("nullable", Flag),
    field("format", Text),
    field("items", Items),
    field("collectionFormat", Text),
    field("default", Sample),
    json_only("example", Sample),
    field("description", Text),
    field("name", Text),
    field("in", Text),
    field("required", Flag),
    field("schema", Schema),
    field("allowEmptyValue", Flag),
    field("$ref", Reference),
];

const ITEMS: &[Field] = &with_last(field("$ref", Reference));
const HEADER: &[Field] = &with_last(field("description", Text));

const fn with_last(last: Field) -> [Field; COMMON + 1] {
    let mut fields = [last; COMMON + 1];
    let mut at = 0;
    while at < COMMON {
        fields[at] = PARAMETER[at];
        at += 1;
    }
    fields
}

const RESPONSES: &[Field] = &[field("default", Response)];

const RESPONSE: &[Field] = &[
    field("$ref", Reference),
    field("description", Text),
    field("schema", Schema),
    field("headers", Headers),
    field("examples", List),
];

/// The fields of a large type by name, with their places.
type Places = HashMap<&'static str, (usize, &'static Field), FixedState>;

fn places(fields: &'static [Field]) -> Places {
    fields.iter().enumerate().map(|(place, field)| (field.name, (place, field))).collect()
}

static IN_SCHEMA: LazyLock<Places> = LazyLock::new(|| places(SCHEMA));
static IN_OPERATION: LazyLock<Places> = LazyLock::new(|| places(OPERATION));
static IN_PARAMETER: LazyLock<Places> = LazyLock::new(|| places(PARAMETER));

impl Shape {
    /// The fields of a type, in the order in which the server writes them.
    pub(super) fn fields(self) -> &'static [Field] {
        match self {
            Schema | SchemaOrList | SchemaOrBool => SCHEMA,
            Self::Path => PATH,
            Operation => OPERATION,
            Parameter => PARAMETER,
            Items => ITEMS,
            Responses => RESPONSES,
            Response => RESPONSE,
            Header => HEADER,
            _ => &[],
        }
    }

    /// What the items of a list are, or the values of an object that is a map.
    pub(super) fn inner(self) -> Self {
        match self {
            Schemas | SchemaList | SchemaOrList => Schema,
            Parameters => Parameter,
            Headers => Header,
            _ => Any,
        }
    }

    /// What a member is, if its name is a field's or the type is a map.
    pub(super) fn member(self, name: &str) -> Option<Self> {
        match self {
            Schemas | Headers => Some(self.inner()),
            Responses if is_number(name) => Some(Response),
            _ => self.field(name).map(|(_, field)| field.shape),
        }
    }

    /// The field of that name, and its place.
    pub(super) fn field(self, name: &str) -> Option<(usize, &'static Field)> {
        let places = match self {
            Schema | SchemaOrList | SchemaOrBool => &IN_SCHEMA,
            Operation => &IN_OPERATION,
            Parameter => &IN_PARAMETER,
            _ => return self.fields().iter().enumerate().find(|(_, field)| field.name == name),
        };
        places.get(name).copied()
    }

    /// Whether the server keeps a member that is no field.
    pub(super) fn keeps(self, name: &str) -> bool {
        match self {
            Self::Path | Operation | Parameter | Items | Responses | Response | Header => {
                is_extension(name)
            }
            _ => true,
        }
    }

    /// Whether a value means the same as none.
    pub(super) fn is_absent(self, value: Seen) -> bool {
        match value {
            Seen::Null => self != Response,
            Seen::EmptyText => matches!(self, Text | Reference),
            Seen::False => self == Flag,
            Seen::Empty | Seen::Other => false,
        }
    }

    /// Whether a value is not written, though it is not the same as none.
    pub(super) fn missing_from_aggregated(self, value: Seen) -> bool {
        let when_empty =
            matches!(self, Sample | List | Schemas | SchemaList | Parameters | Headers);
        when_empty && matches!(value, Seen::Null | Seen::EmptyText | Seen::Empty)
    }
}

/// Whether a name is one of an extension.
pub(super) fn is_extension(name: &str) -> bool {
    matches!(name.as_bytes(), [b'x' | b'X', b'-', ..])
}

fn is_number(name: &str) -> bool {
    name.parse::<i64>().is_ok()
}
