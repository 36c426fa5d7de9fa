//! The types of OpenAPI v2 as the API server defines them: their fields in the order in which they
//! are written, which values count as absent, nested types, and what protobuf lacks.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use Shape::{
    Any, Flag, Header, Headers, Integer, Items, List, Operation, Parameter, Parameters, Pointer,
    Reference, Response, Responses, Sample, Schema, SchemaList, SchemaOrBool, SchemaOrList,
    Schemas, Text, Type,
};

/// The kind of a value, as far as the server may treat it as absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Null,
    False,
    EmptyText,
    /// An empty list or object.
    Empty,
    Other,
}

/// The type that the server gives a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Any value, written unchanged.
    Any,
    /// Any value, omitted if empty.
    Sample,
    /// A number or an object that needs no further parsing.
    Pointer,
    /// A number that is not a float.
    Integer,
    Text,
    /// A string that the server resolves as a reference.
    Reference,
    Flag,
    /// A list or an object that needs no further parsing.
    List,
    /// A string or a list of strings.
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
    /// Whether protobuf has this field.
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

/// The number of leading fields that parameters, their items and headers share.
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

/// The fields of a large type by name, with their positions.
type Places = HashMap<&'static str, (usize, &'static Field), FixedState>;

fn places(fields: &'static [Field]) -> Places {
    fields.iter().enumerate().map(|(place, field)| (field.name, (place, field))).collect()
}

static IN_SCHEMA: LazyLock<Places> = LazyLock::new(|| places(SCHEMA));
static IN_OPERATION: LazyLock<Places> = LazyLock::new(|| places(OPERATION));
static IN_PARAMETER: LazyLock<Places> = LazyLock::new(|| places(PARAMETER));

impl Shape {
    /// Returns the fields of a type, in the order in which the server writes them.
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

    /// Returns the type of the items of a list, or of the values of a map.
    pub(super) fn inner(self) -> Self {
        match self {
            Schemas | SchemaList | SchemaOrList => Schema,
            Parameters => Parameter,
            Headers => Header,
            _ => Any,
        }
    }

    /// Returns the type of a member, if it is a field or the type is a map.
    pub(super) fn member(self, name: &str) -> Option<Self> {
        match self {
            Schemas | Headers => Some(self.inner()),
            Responses if is_number(name) => Some(Response),
            _ => self.field(name).map(|(_, field)| field.shape),
        }
    }

    /// Returns a field by its name, with its position.
    pub(super) fn field(self, name: &str) -> Option<(usize, &'static Field)> {
        let places = match self {
            Schema | SchemaOrList | SchemaOrBool => &IN_SCHEMA,
            Operation => &IN_OPERATION,
            Parameter => &IN_PARAMETER,
            _ => return self.fields().iter().enumerate().find(|(_, field)| field.name == name),
        };
        places.get(name).copied()
    }

    /// Returns whether the server keeps a member that is not a field.
    pub(super) fn keeps(self, name: &str) -> bool {
        match self {
            Self::Path | Operation | Parameter | Items | Responses | Response | Header => {
                is_extension(name)
            }
            _ => true,
        }
    }

    /// Returns whether a value means the same as an absent one.
    pub(super) fn is_absent(self, value: Seen) -> bool {
        match value {
            Seen::Null => self != Response,
            Seen::EmptyText => matches!(self, Text | Reference),
            Seen::False => self == Flag,
            Seen::Empty | Seen::Other => false,
        }
    }

    /// Returns whether the server omits a value although it differs from an absent one.
    pub(super) fn missing_from_aggregated(self, value: Seen) -> bool {
        let when_empty =
            matches!(self, Sample | List | Schemas | SchemaList | Parameters | Headers);
        when_empty && matches!(value, Seen::Null | Seen::EmptyText | Seen::Empty)
    }
}

/// Returns whether this is the name of an extension.
pub(super) fn is_extension(name: &str) -> bool {
    matches!(name.as_bytes(), [b'x' | b'X', b'-', ..])
}

fn is_number(name: &str) -> bool {
    name.parse::<i64>().is_ok()
}
