//! Reconstructs audit events from GKE's Cloud Logging entries, which are derived from them.

use std::borrow::Cow;

use super::event::{Event, Stage, bytes};
use super::scan::{member, members, number, string};
use super::time::micros;

/// Returns the event that an entry was made from, given the entry and its `protoPayload`.
pub(super) fn event<'a>(entry: &'a [u8], payload: &'a [u8]) -> Option<Event<'a>> {
    let (mut method, mut resource) = (None, None);
    let (mut user, mut agent) = (None, None);
    let (mut code, mut ours) = (0, false);
    members(payload, |key, value| match key {
        b"serviceName" => ours = value == b"\"k8s.io\"",
        b"methodName" => method = string(value),
        b"resourceName" => resource = string(value),
        b"authenticationInfo" => user = member(value, b"principalEmail").and_then(string),
        b"requestMetadata" => agent = member(value, b"callerSuppliedUserAgent").and_then(string),
        b"status" => code = member(value, b"code").and_then(number).unwrap_or_default(),
        _ => {}
    })?;
    let (mut id, mut at, mut goes_on) = (None, None, false);
    members(entry, |key, value| match key {
        b"timestamp" => at = string(value).and_then(|text| micros(text.as_bytes())),
        b"operation" => {
            let (mut first, mut last) = (false, false);
            let get = |key: &[u8], value: &'a [u8]| match key {
                b"id" => id = string(value),
                b"first" => first = value == b"true",
                b"last" => last = value == b"true",
                _ => {}
            };
            members(value, get);
            goes_on = first && !last;
        }
        _ => {}
    })?;
    let method = method.filter(|_| ours)?;
    let verb = method.rsplit('.').next().unwrap_or_default().to_owned();
    Some(Event {
        audit_id: bytes(id.unwrap_or_default()),
        stage: if goes_on { Stage::ResponseStarted } else { Stage::ResponseComplete },
        path: Cow::Owned(path(&method, &resource?)),
        verb: Cow::Owned(verb),
        user: user.unwrap_or_default().into(),
        agent: agent.unwrap_or_default().into(),
        code: Some(http_status(code)),
        received: at,
        at: None,
        times: None,
    })
}

/// Returns the request path. `core/v1/namespaces/x/pods/y` is a path below `/api` or `/apis`. For a
/// non-resource request, the method name is only `io.k8s` and a verb. The entry of a create request
/// contains the object's name, which its path did not: `io.k8s.core.v1.pods.create`.
fn path(method: &str, resource: &str) -> String {
    let is_resource = method.matches('.').count() > 2;
    let collection = method.strip_suffix(".create").and_then(|made| made.rsplit('.').next());
    let resource = match (collection, resource.rsplit_once('/')) {
        (Some(made), Some((above, name)))
            if name != made && above.rsplit('/').next() == collection =>
        {
            above
        }
        _ => resource,
    };
    match resource.strip_prefix("core/") {
        Some(rest) if is_resource => format!("/api/{rest}"),
        None if is_resource => format!("/apis/{resource}"),
        _ => format!("/{}", resource.trim_start_matches('/')),
    }
}

/// Returns the HTTP status of a gRPC code. A number that is already an HTTP status stays the same.
fn http_status(code: i64) -> u16 {
    match code {
        0 => 200,
        1 => 499,
        3 | 9 | 11 => 400,
        4 => 504,
        5 => 404,
        6 | 10 => 409,
        7 => 403,
        8 => 429,
        12 => 501,
        14 => 503,
        16 => 401,
        100..=599 => u16::try_from(code).unwrap_or(500),
        _ => 500,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scan::Raw;
    use super::super::wrapped::events;
    use super::*;

    const ENTRY: &str = r#"{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":"jane@example.com"},"authorizationInfo":[{"granted":true,"permission":"io.k8s.core.v1.pods.list","resource":"core/v1/namespaces/x/pods/y"}],"methodName":"io.k8s.core.v1.pods.get","requestMetadata":{"callerIp":"10.0.0.1","callerSuppliedUserAgent":"kubectl/v1.33.1"},"resourceName":"core/v1/namespaces/x/pods/y","serviceName":"k8s.io","status":{"code":5,"message":"not found"}},"insertId":"1","resource":{"type":"k8s_cluster","labels":{}},"timestamp":"2026-11-16T18:01:26.493066Z","logName":"projects/p/logs/cloudaudit.googleapis.com%2Fdata_access","operation":{"id":"5f","producer":"k8s.io","first":true,"last":true},"receiveTimestamp":"2026-11-16T18:01:27Z"}"#;

    fn check(method: &str, resource: &str, want: &str) {
        let line = ENTRY
            .replace("io.k8s.core.v1.pods.get", method)
            .replace("core/v1/namespaces/x/pods/y", resource);
        let mut seen = vec![];
        events(line.as_bytes(), &mut |e| seen.push(format!("{} {}", e.verb, e.path)));
        assert_eq!(seen, [want]);
    }

    #[test]
    fn entries_are_requests() {
        check(
            "io.k8s.core.v1.pods.get",
            "core/v1/namespaces/x/pods/y",
            "get /api/v1/namespaces/x/pods/y",
        );
        check(
            "io.k8s.apps.v1.deployments.patch",
            "apps/v1/namespaces/x/deployments/y",
            "patch /apis/apps/v1/namespaces/x/deployments/y",
        );
        check(
            "io.k8s.coordination.v1.leases.update",
            "coordination.k8s.io/v1/namespaces/n/leases/l",
            "update /apis/coordination.k8s.io/v1/namespaces/n/leases/l",
        );
        check(
            "com.example.v1.things.list",
            "example.com/v1/things",
            "list /apis/example.com/v1/things",
        );
        check(
            "io.k8s.core.v1.pods.create",
            "core/v1/namespaces/x/pods/y",
            "create /api/v1/namespaces/x/pods",
        );
        check(
            "io.k8s.core.v1.pods.eviction.create",
            "core/v1/namespaces/x/pods/y/eviction",
            "create /api/v1/namespaces/x/pods/y/eviction",
        );
        check(
            "io.k8s.authorization.v1.subjectaccessreviews.create",
            "authorization.k8s.io/v1/subjectaccessreviews",
            "create /apis/authorization.k8s.io/v1/subjectaccessreviews",
        );
        check("io.k8s.get", "openapi/v2", "get /openapi/v2");
        let mut seen = vec![];
        events(ENTRY.as_bytes(), &mut |e| {
            let text = |raw: &Raw<'_>| raw.text().unwrap().into_owned();
            seen.push((text(&e.user), text(&e.agent), e.code, e.stage));
        });
        let want = (
            "jane@example.com".to_owned(),
            "kubectl/v1.33.1".to_owned(),
            Some(404),
            Stage::ResponseComplete,
        );
        assert_eq!(seen, [want]);
    }

    #[test]
    fn other_services_write_no_requests() {
        let other = ENTRY.replace("\"k8s.io\"", "\"container.googleapis.com\"");
        assert_eq!(events(other.as_bytes(), &mut |_| {}), 0);
    }
}
