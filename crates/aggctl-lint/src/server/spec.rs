//! The server's checks of `spec`.

use super::{Rejections, ServerRejection, View, names};

/// The maximum values that the server accepts. Its messages say "less than", but the limit itself
/// is valid.
const MAX_GROUP_PRIORITY: i64 = 20_000;
const MAX_VERSION_PRIORITY: i64 = 1_000;

pub(super) fn check(view: &View<'_>, out: &mut Rejections) {
    group_version(view, out);
    priority(view, "groupPriorityMinimum", MAX_GROUP_PRIORITY, ServerRejection::GroupPriority, out);
    priority(view, "versionPriority", MAX_VERSION_PRIORITY, ServerRejection::VersionPriority, out);
    let insecure = view.flag(&["spec", "insecureSkipTLSVerify"]);
    let bundle = view.has_bytes(&["spec", "caBundle"]);
    let insecure_place = view.place(&["spec", "insecureSkipTLSVerify"]);
    if view.node(&["spec", "service"]).is_none() {
        if bundle {
            let message = "a local APIService (one without spec.service) has no caBundle";
            let place = view.place(&["spec", "caBundle"]);
            out.push(ServerRejection::LocalTls, "spec.caBundle", place, message);
        }
        if insecure {
            let message = "a local APIService (one without spec.service) has no TLS to skip";
            out.push(
                ServerRejection::LocalTls,
                "spec.insecureSkipTLSVerify",
                insecure_place,
                message,
            );
        }
        return;
    }
    for key in ["namespace", "name"] {
        if view.text(&["spec", "service", key]).is_empty() {
            let message = format!("the {key} of the Service is required");
            let place = view.place(&["spec", "service", key]);
            out.push(
                ServerRejection::ServiceReference,
                &format!("spec.service.{key}"),
                place,
                message,
            );
        }
    }
    // Only a missing port defaults to 443; zero stays.
    let port = view.number(&["spec", "service", "port"]).unwrap_or(443);
    if !(1..=65_535).contains(&port) {
        let message = format!("must be between 1 and 65535, not {port}");
        let place = view.place(&["spec", "service", "port"]);
        out.push(ServerRejection::Port, "spec.service.port", place, message);
    }
    if insecure && bundle {
        let message = "must not be true together with a caBundle";
        out.push(
            ServerRejection::TlsConflict,
            "spec.insecureSkipTLSVerify",
            insecure_place,
            message,
        );
    }
}

fn group_version(view: &View<'_>, out: &mut Rejections) {
    let group = view.text(&["spec", "group"]);
    let version = view.text(&["spec", "version"]);
    let place = view.place(&["spec", "group"]);
    if group.is_empty() {
        if version != "v1" {
            let message = "a group is required: only the core group's `v1` has none";
            out.push(ServerRejection::Group, "spec.group", place, message);
        }
    } else if let Some(problem) = names::subdomain(group) {
        out.push(
            ServerRejection::Group,
            "spec.group",
            place,
            format!("the group `{group}` {problem}"),
        );
    }
    if let Some(problem) = names::label_1035(version) {
        let place = view.place(&["spec", "version"]);
        let message = match version {
            "" => "a version is required".to_owned(),
            _ => format!("the version `{version}` {problem}"),
        };
        out.push(ServerRejection::Version, "spec.version", place, message);
    }
}

fn priority(
    view: &View<'_>,
    key: &str,
    most: i64,
    rejection: ServerRejection,
    out: &mut Rejections,
) {
    let path = ["spec", key];
    let value = view.number(&path);
    if !(1..=most).contains(&value.unwrap_or(0)) {
        let message = match value {
            Some(value) => format!("must be between 1 and {most}, not {value}"),
            None => format!("is required, a number between 1 and {most}"),
        };
        out.push(rejection, &format!("spec.{key}"), view.place(&path), message);
    }
}
