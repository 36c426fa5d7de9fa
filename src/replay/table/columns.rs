//! The columns of common built-in kinds, as the server prints them.

use jiff::Timestamp;
use serde_json::Value;

use super::age;
use super::cells::{
    NONE, address, array, available, containers, each, endpoints, external_ip, labels, node_roles,
    node_status, pod_ready, pod_status, ready_of_wanted, restarts, service_of, service_ports,
    slice_endpoints, some,
};
use super::path::JsonPath;

/// A column of a built-in kind.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) priority: u8,
    pub(super) cell: Cell,
}

/// How a cell is computed.
#[derive(Debug)]
pub(super) enum Cell {
    Name,
    Age,
    /// A value by its pointer.
    At(&'static str, &'static str),
    /// A number by its pointer; 0 if it is not set.
    Number(&'static str),
    /// A time by its pointer, as an age.
    Since(&'static str),
    /// A computed value.
    Of(fn(&Value) -> String),
    /// A path of a CRD's column, if it is valid, and the declared type.
    Named(Option<JsonPath>, String),
}

impl Cell {
    pub(super) fn of(&self, object: &Value, now: Timestamp) -> Value {
        let time = |pointer: &str| {
            let then = object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            age::since(then, now)
        };
        match self {
            Self::Name => object["metadata"]["name"].clone(),
            Self::Age => time("/metadata/creationTimestamp").into(),
            Self::Since(pointer) if object.pointer(pointer).is_none_or(Value::is_null) => {
                "<none>".into()
            }
            Self::Since(pointer) => time(pointer).into(),
            Self::At(pointer, none) => match object.pointer(pointer) {
                None | Some(Value::Null) => (*none).into(),
                Some(Value::String(text)) if text.is_empty() => (*none).into(),
                Some(Value::String(text)) => text.as_str().into(),
                Some(other) => other.to_string().into(),
            },
            Self::Number(pointer) => {
                object.pointer(pointer).and_then(Value::as_i64).unwrap_or(0).into()
            }
            Self::Of(cell) => cell(object).into(),
            Self::Named(path, kind) => {
                let value = path.as_ref().and_then(|path| path.find(object));
                value.map_or(Value::Null, |value| typed(value, kind, now))
            }
        }
    }
}

/// Returns a value as the server shows it in a column of that type; null if its type differs.
fn typed(value: &Value, kind: &str, now: Timestamp) -> Value {
    match (value, kind) {
        (Value::Null, _) => Value::Null,
        (Value::String(time), "date") => age::since(time, now).into(),
        (Value::String(text), "string") => text.as_str().into(),
        (other, "string") => other.to_string().into(),
        (Value::Number(number), "integer") => {
            number.as_i64().or_else(|| number.as_f64().map(|f| f as i64)).into()
        }
        (Value::Number(_), "number") | (Value::Bool(_), "boolean") => value.clone(),
        _ => Value::Null,
    }
}

const fn text(name: &'static str, cell: Cell) -> Column {
    Column { name, kind: "string", priority: 0, cell }
}

const fn wide(name: &'static str, cell: Cell) -> Column {
    Column { name, kind: "string", priority: 1, cell }
}

const fn number(name: &'static str, pointer: &'static str) -> Column {
    Column { name, kind: "integer", priority: 0, cell: Cell::Number(pointer) }
}

/// The first column of every table.
pub(super) const NAME: Column = text("Name", Cell::Name);
const AGE: Column = text("Age", Cell::Age);

const CONTAINERS: Column = wide("Containers", Cell::Of(|o| each(containers(o), "name")));
const IMAGES: Column = wide("Images", Cell::Of(|o| each(containers(o), "image")));
const SELECTOR: Column =
    wide("Selector", Cell::Of(|o| labels(&o["spec"]["selector"]["matchLabels"])));

/// Returns the columns of a kind; name and age for kinds without their own.
pub(super) fn columns(api_version: &str, kind: &str) -> Vec<Column> {
    match (api_version, kind) {
        ("apiregistration.k8s.io/v1", "APIService") => vec![
            NAME,
            text("Service", Cell::Of(service_of)),
            text("Available", Cell::Of(available)),
            AGE,
        ],
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition") => {
            vec![NAME, text("Created At", Cell::At("/metadata/creationTimestamp", "<unknown>"))]
        }
        ("v1", "Service") => vec![
            NAME,
            text("Type", Cell::At("/spec/type", NONE)),
            text("Cluster-IP", Cell::At("/spec/clusterIP", NONE)),
            text("External-IP", Cell::Of(external_ip)),
            text("Port(s)", Cell::Of(service_ports)),
            AGE,
            wide("Selector", Cell::Of(|o| labels(&o["spec"]["selector"]))),
        ],
        ("discovery.k8s.io/v1", "EndpointSlice") => vec![
            NAME,
            text("AddressType", Cell::At("/addressType", NONE)),
            text("Ports", Cell::Of(|o| some(each(array(&o["ports"]), "port"), "<unset>"))),
            text("Endpoints", Cell::Of(slice_endpoints)),
            AGE,
        ],
        ("v1", "Endpoints") => vec![NAME, text("Endpoints", Cell::Of(endpoints)), AGE],
        ("v1", "Namespace") => vec![NAME, text("Status", Cell::At("/status/phase", "")), AGE],
        ("v1", "Pod") => vec![
            NAME,
            text("Ready", Cell::Of(pod_ready)),
            text("Status", Cell::Of(pod_status)),
            text("Restarts", Cell::Of(|o| restarts(o).to_string())),
            AGE,
            wide("IP", Cell::At("/status/podIP", NONE)),
            wide("Node", Cell::At("/spec/nodeName", NONE)),
            wide("Nominated Node", Cell::At("/status/nominatedNodeName", NONE)),
        ],
        ("v1", "Node") => vec![
            NAME,
            text("Status", Cell::Of(node_status)),
            text("Roles", Cell::Of(node_roles)),
            AGE,
            text("Version", Cell::At("/status/nodeInfo/kubeletVersion", "")),
            wide("Internal-IP", Cell::Of(|o| address(o, "InternalIP"))),
            wide("External-IP", Cell::Of(|o| address(o, "ExternalIP"))),
            wide("OS-Image", Cell::At("/status/nodeInfo/osImage", "<unknown>")),
            wide("Kernel-Version", Cell::At("/status/nodeInfo/kernelVersion", "<unknown>")),
            wide(
                "Container-Runtime",
                Cell::At("/status/nodeInfo/containerRuntimeVersion", "<unknown>"),
            ),
        ],
        ("apps/v1", "Deployment") => vec![
            NAME,
            text("Ready", Cell::Of(ready_of_wanted)),
            number("Up-to-date", "/status/updatedReplicas"),
            number("Available", "/status/availableReplicas"),
            AGE,
            CONTAINERS,
            IMAGES,
            SELECTOR,
        ],
        ("apps/v1", "StatefulSet") => {
            vec![NAME, text("Ready", Cell::Of(ready_of_wanted)), AGE, CONTAINERS, IMAGES]
        }
        ("apps/v1", "ReplicaSet") => vec![
            NAME,
            number("Desired", "/spec/replicas"),
            number("Current", "/status/replicas"),
            number("Ready", "/status/readyReplicas"),
            AGE,
            CONTAINERS,
            IMAGES,
            SELECTOR,
        ],
        ("apps/v1", "DaemonSet") => vec![
            NAME,
            number("Desired", "/status/desiredNumberScheduled"),
            number("Current", "/status/currentNumberScheduled"),
            number("Ready", "/status/numberReady"),
            number("Up-to-date", "/status/updatedNumberScheduled"),
            number("Available", "/status/numberAvailable"),
            text(
                "Node Selector",
                Cell::Of(|o| labels(&o["spec"]["template"]["spec"]["nodeSelector"])),
            ),
            AGE,
            CONTAINERS,
            IMAGES,
            SELECTOR,
        ],
        ("batch/v1", "CronJob") => vec![
            NAME,
            text("Schedule", Cell::At("/spec/schedule", "")),
            text("Timezone", Cell::At("/spec/timeZone", NONE)),
            text("Suspend", Cell::At("/spec/suspend", "False")),
            text("Active", Cell::Of(|o| array(&o["status"]["active"]).len().to_string())),
            text("Last Schedule", Cell::Since("/status/lastScheduleTime")),
            AGE,
        ],
        ("v1", "ConfigMap") => vec![
            NAME,
            text(
                "Data",
                Cell::Of(|o| {
                    let count = |key: &str| o[key].as_object().map_or(0, serde_json::Map::len);
                    (count("data") + count("binaryData")).to_string()
                }),
            ),
            AGE,
        ],
        ("v1", "Event") => vec![
            text("Last Seen", Cell::Since("/lastTimestamp")),
            text("Type", Cell::At("/type", "")),
            text("Reason", Cell::At("/reason", "")),
            text(
                "Object",
                Cell::Of(|o| {
                    let of = |key: &str| {
                        o["involvedObject"][key].as_str().unwrap_or_default().to_owned()
                    };
                    format!("{}/{}", of("kind").to_lowercase(), of("name"))
                }),
            ),
            text("Message", Cell::At("/message", "")),
            wide("Count", Cell::At("/count", "")),
            wide("Name", Cell::Name),
        ],
        ("rbac.authorization.k8s.io/v1", "ClusterRole" | "Role") => {
            vec![NAME, text("Created At", Cell::At("/metadata/creationTimestamp", "<unknown>"))]
        }
        ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding" | "RoleBinding") => vec![
            NAME,
            text(
                "Role",
                Cell::Of(|o| {
                    let of = |key: &str| o["roleRef"][key].as_str().unwrap_or_default().to_owned();
                    format!("{}/{}", of("kind"), of("name"))
                }),
            ),
            AGE,
        ],
        ("coordination.k8s.io/v1", "Lease") => {
            vec![NAME, text("Holder", Cell::At("/spec/holderIdentity", "")), AGE]
        }
        _ => vec![NAME, AGE],
    }
}
