//! The fields of an APIService, and the JSON type that each decodes from.

/// The JSON type that a field decodes from. `null` is always valid and means "not set".
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    String,
    Bool,
    Int32,
    Int64,
    /// An RFC 3339 time.
    Time,
    /// Bytes in base64. Go also accepts a list of numbers.
    Bytes,
    /// A value that the server stores without decoding it.
    Any,
    /// A map of strings with arbitrary keys.
    Strings,
    List(&'static Shape),
    Struct(&'static [Field]),
}

/// A field of a struct.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    /// The last minor version that knows it; `None` for most fields.
    pub(super) until: Option<u32>,
}

const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape, until: None }
}

pub(super) static API_SERVICE: Shape = Shape::Struct(&[
    field("apiVersion", Shape::String),
    field("kind", Shape::String),
    field("metadata", Shape::Struct(OBJECT_META)),
    field("spec", Shape::Struct(SPEC)),
    field("status", Shape::Struct(STATUS)),
]);

static SPEC: &[Field] = &[
    field("service", Shape::Struct(SERVICE_REFERENCE)),
    field("group", Shape::String),
    field("version", Shape::String),
    field("insecureSkipTLSVerify", Shape::Bool),
    field("caBundle", Shape::Bytes),
    field("groupPriorityMinimum", Shape::Int32),
    field("versionPriority", Shape::Int32),
];

static SERVICE_REFERENCE: &[Field] =
    &[field("namespace", Shape::String), field("name", Shape::String), field("port", Shape::Int32)];

static STATUS: &[Field] = &[field("conditions", Shape::List(&Shape::Struct(CONDITION)))];

static CONDITION: &[Field] = &[
    field("type", Shape::String),
    field("status", Shape::String),
    field("lastTransitionTime", Shape::Time),
    field("reason", Shape::String),
    field("message", Shape::String),
];

static OBJECT_META: &[Field] = &[
    field("name", Shape::String),
    field("generateName", Shape::String),
    field("namespace", Shape::String),
    field("selfLink", Shape::String),
    field("uid", Shape::String),
    field("resourceVersion", Shape::String),
    field("generation", Shape::Int64),
    field("creationTimestamp", Shape::Time),
    field("deletionTimestamp", Shape::Time),
    field("deletionGracePeriodSeconds", Shape::Int64),
    field("labels", Shape::Strings),
    field("annotations", Shape::Strings),
    field("ownerReferences", Shape::List(&Shape::Struct(OWNER_REFERENCE))),
    field("finalizers", Shape::List(&Shape::String)),
    Field { name: "clusterName", shape: Shape::String, until: Some(24) },
    field("managedFields", Shape::List(&Shape::Struct(MANAGED_FIELDS))),
];

static OWNER_REFERENCE: &[Field] = &[
    field("apiVersion", Shape::String),
    field("kind", Shape::String),
    field("name", Shape::String),
    field("uid", Shape::String),
    field("controller", Shape::Bool),
    field("blockOwnerDeletion", Shape::Bool),
];

static MANAGED_FIELDS: &[Field] = &[
    field("manager", Shape::String),
    field("operation", Shape::String),
    field("apiVersion", Shape::String),
    field("time", Shape::Time),
    field("fieldsType", Shape::String),
    field("fieldsV1", Shape::Any),
    field("subresource", Shape::String),
];
