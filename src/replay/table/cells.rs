//! Cells that are computed from several fields.

use serde_json::Value;

/// The cell for a missing value.
pub(super) const NONE: &str = "<none>";

pub(super) fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(super) fn containers(object: &Value) -> &[Value] {
    array(&object["spec"]["template"]["spec"]["containers"])
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Joins a field of each item with commas.
pub(super) fn each(all: &[Value], field: &str) -> String {
    all.iter().map(|one| plain(&one[field])).collect::<Vec<_>>().join(",")
}

pub(super) fn some(text: String, none: &str) -> String {
    if text.is_empty() { none.to_owned() } else { text }
}

pub(super) fn labels(value: &Value) -> String {
    let all = value.as_object().into_iter().flatten();
    let all = all.map(|(key, value)| format!("{key}={}", plain(value)));
    some(all.collect::<Vec<_>>().join(","), NONE)
}

fn condition<'o>(object: &'o Value, kind: &str) -> Option<&'o Value> {
    array(&object["status"]["conditions"]).iter().find(|condition| condition["type"] == kind)
}

pub(super) fn service_of(object: &Value) -> String {
    match &object["spec"]["service"] {
        Value::Null => "Local".to_owned(),
        service => format!("{}/{}", plain(&service["namespace"]), plain(&service["name"])),
    }
}

pub(super) fn available(object: &Value) -> String {
    let Some(condition) = condition(object, "Available") else { return "Unknown".to_owned() };
    let status = plain(&condition["status"]);
    if status == "True" { status } else { format!("{status} ({})", plain(&condition["reason"])) }
}

pub(super) fn external_ip(object: &Value) -> String {
    let spec = &object["spec"];
    let ingress = array(&object["status"]["loadBalancer"]["ingress"]).iter();
    let balanced =
        ingress.filter_map(|one| one["ip"].as_str().or_else(|| one["hostname"].as_str()));
    let given = array(&spec["externalIPs"]).iter().filter_map(Value::as_str);
    match spec["type"].as_str() {
        Some("ExternalName") => plain(&spec["externalName"]),
        Some("LoadBalancer") => {
            let all: Vec<&str> = balanced.chain(given).collect();
            some(all.join(","), "<pending>")
        }
        _ => some(given.collect::<Vec<_>>().join(","), NONE),
    }
}

pub(super) fn service_ports(object: &Value) -> String {
    let port = |port: &Value| {
        let node = match port["nodePort"].as_i64() {
            Some(node) if node > 0 => format!(":{node}"),
            _ => String::new(),
        };
        let protocol = port["protocol"].as_str().unwrap_or("TCP");
        format!("{}{node}/{protocol}", port["port"])
    };
    let all: Vec<String> = array(&object["spec"]["ports"]).iter().map(port).collect();
    some(all.join(","), NONE)
}

/// Joins at most three values, and counts the others.
fn first_three(all: &[String]) -> String {
    let shown = all.get(..3.min(all.len())).unwrap_or_default().join(",");
    match all.len() {
        0 => NONE.to_owned(),
        1..=3 => shown,
        more => format!("{shown} + {} more...", more - 3),
    }
}

pub(super) fn slice_endpoints(object: &Value) -> String {
    let all = array(&object["endpoints"]).iter();
    let all: Vec<String> = all.flat_map(|one| array(&one["addresses"])).map(plain).collect();
    some(first_three(&all).replace(NONE, ""), "<unset>")
}

pub(super) fn endpoints(object: &Value) -> String {
    let mut all = vec![];
    for subset in array(&object["subsets"]) {
        for port in array(&subset["ports"]) {
            let addresses = array(&subset["addresses"]).iter();
            all.extend(addresses.map(|a| format!("{}:{}", plain(&a["ip"]), port["port"])));
        }
    }
    first_three(&all)
}

pub(super) fn pod_ready(object: &Value) -> String {
    let statuses = array(&object["status"]["containerStatuses"]);
    let ready = statuses.iter().filter(|status| status["ready"] == true).count();
    format!("{ready}/{}", array(&object["spec"]["containers"]).len())
}

pub(super) fn restarts(object: &Value) -> i64 {
    let statuses = array(&object["status"]["containerStatuses"]).iter();
    statuses.filter_map(|status| status["restartCount"].as_i64()).sum()
}

/// Returns the phase of a Pod, or what keeps a container from running.
pub(super) fn pod_status(object: &Value) -> String {
    if object["metadata"]["deletionTimestamp"].is_string() {
        return "Terminating".to_owned();
    }
    let reason = |status: &Value| {
        let state = &status["state"];
        let waiting = state["waiting"]["reason"].as_str();
        let ended = state["terminated"]["reason"].as_str();
        waiting.or(ended).filter(|reason| !reason.is_empty()).map(str::to_owned)
    };
    for status in array(&object["status"]["initContainerStatuses"]) {
        let done = status["state"]["terminated"]["exitCode"] == 0;
        if let Some(reason) = reason(status).filter(|_| !done) {
            return format!("Init:{reason}");
        }
    }
    let statuses = array(&object["status"]["containerStatuses"]);
    let running = statuses.iter().any(|status| status["state"]["running"].is_object());
    let own = object["status"]["reason"].as_str().map(str::to_owned);
    let kept = statuses.iter().rev().find_map(reason);
    let completed = kept.as_deref() == Some("Completed") && running;
    own.or(kept.filter(|_| !completed)).unwrap_or_else(|| plain(&object["status"]["phase"]))
}

pub(super) fn node_status(object: &Value) -> String {
    let ready = match condition(object, "Ready").map(|condition| &condition["status"]) {
        Some(status) if status == "True" => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    };
    match object["spec"]["unschedulable"].as_bool() {
        Some(true) => format!("{ready},SchedulingDisabled"),
        _ => ready.to_owned(),
    }
}

pub(super) fn node_roles(object: &Value) -> String {
    let labels = object["metadata"]["labels"].as_object().into_iter().flatten();
    let roles = labels.filter_map(|(key, _)| key.strip_prefix("node-role.kubernetes.io/"));
    some(roles.collect::<Vec<_>>().join(","), NONE)
}

pub(super) fn address(object: &Value, kind: &str) -> String {
    let all = array(&object["status"]["addresses"]).iter();
    all.into_iter().find(|a| a["type"] == kind).map_or(NONE.to_owned(), |a| plain(&a["address"]))
}

pub(super) fn ready_of_wanted(object: &Value) -> String {
    let ready = object["status"]["readyReplicas"].as_i64().unwrap_or(0);
    format!("{ready}/{}", object["spec"]["replicas"].as_i64().unwrap_or(0))
}
