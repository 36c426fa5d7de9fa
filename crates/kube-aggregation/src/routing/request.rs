//! Parses what a request is for: verb, group, resource, name. Mirrors the server's `RequestInfo`
//! resolver.

use std::borrow::Cow;

use super::method::Method;
use super::target::Target;

/// A path that ends after `/watch` or `/proxy`. The server answers 500 before routing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnfinishedVerb;

/// What the server considers a request to be for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestInfo<'a> {
    /// Whether it is for a resource, rather than a document or a health check.
    pub resource_request: bool,
    /// `get`, `list`, `watch` and so on. Empty for other methods of resource requests, as in the
    /// server.
    pub verb: &'a str,
    /// The group; empty for the core group.
    pub group: &'a str,
    /// The version.
    pub version: &'a str,
    /// The namespace; empty without one.
    pub namespace: &'a str,
    /// The resource, such as `pods`.
    pub resource: &'a str,
    /// The object's name; empty without one.
    pub name: Cow<'a, str>,
    /// The subresource; empty without one.
    pub subresource: &'a str,
}

impl Target<'_> {
    /// Returns what the request is for.
    ///
    /// # Errors
    /// If the path ends with a verb. The server then answers 500 before routing.
    pub fn info(&self) -> Result<RequestInfo<'_>, UnfinishedVerb> {
        RequestInfo::resolve(self, &self.segments())
    }
}

impl<'a> RequestInfo<'a> {
    pub(super) fn resolve(
        target: &'a Target<'_>,
        segments: &[&'a str],
    ) -> Result<Self, UnfinishedVerb> {
        let mut info = Self {
            resource_request: false,
            verb: target.method.lowercase(),
            group: "",
            version: "",
            namespace: "",
            resource: "",
            name: Cow::Borrowed(""),
            subresource: "",
        };
        let mut parts = match segments {
            ["api", version, rest @ ..] if !rest.is_empty() => {
                info.version = version;
                rest
            }
            ["apis", group, version, rest @ ..] if !rest.is_empty() => {
                (info.group, info.version) = (group, version);
                rest
            }
            _ => return Ok(info),
        };
        info.resource_request = true;
        info.verb = match target.method {
            Method::Post => "create",
            Method::Get | Method::Head => "get",
            Method::Put => "update",
            Method::Patch => "patch",
            Method::Delete => "delete",
            Method::Options | Method::Connect | Method::Trace => "",
        };
        if let [special @ ("watch" | "proxy"), rest @ ..] = parts {
            if rest.is_empty() {
                return Err(UnfinishedVerb);
            }
            (info.verb, parts) = (special, rest);
        }
        if let ["namespaces", namespace, rest @ ..] = parts {
            info.namespace = namespace;
            if rest.first().is_some_and(|next| !matches!(*next, "status" | "finalize")) {
                parts = rest;
            }
        }
        info.resource = parts.first().copied().unwrap_or("");
        info.name = parts.get(1).copied().unwrap_or("").into();
        if info.verb != "proxy" {
            info.subresource = parts.get(2).copied().unwrap_or("");
        }
        if info.name.is_empty() {
            info.without_name(target);
        }
        Ok(info)
    }

    /// Adjusts the verb of a request without a name: get becomes list or watch, delete becomes
    /// deletecollection.
    fn without_name(&mut self, target: &'a Target<'_>) {
        match self.verb {
            "get" => {
                let watch = target.parameter("watch").is_some_and(|value| {
                    !value.eq_ignore_ascii_case("false") && value.as_ref() != "0"
                });
                self.verb = if watch { "watch" } else { "list" };
                if let Some(selector) = target.parameter("fieldSelector")
                    && let Some(name) = selected_name(&selector)
                    && !has_bad_number(target)
                {
                    self.name = Cow::Owned(name.to_owned());
                }
            }
            "delete" => self.verb = "deletecollection",
            _ => {}
        }
    }
}

/// Returns the name that a field selector such as `metadata.name=x` requires. If several terms do,
/// the first in byte order counts. An invalid term invalidates all. Escapes are not supported,
/// because names do not need them.
fn selected_name(selector: &str) -> Option<&str> {
    let mut first: Option<(&str, &str)> = None;
    for term in selector.split(',').filter(|term| !term.is_empty()) {
        let (field, value) = term.split_once('=')?;
        let value = value.strip_prefix('=').unwrap_or(value);
        if value.contains(['=', '\\']) {
            return None;
        }
        if field == "metadata.name" && first.is_none_or(|(other, _)| term < other) {
            first = Some((term, value));
        }
    }
    let (_, value) = first?;
    let valid = !value.is_empty() && !matches!(value, "." | "..") && !value.contains(['/', '%']);
    valid.then_some(value)
}

/// Returns whether a numeric list option is invalid. The server then ignores all options but
/// `watch`.
fn has_bad_number(target: &Target<'_>) -> bool {
    let is_bad = |name| target.parameter(name).is_some_and(|value| value.parse::<i64>().is_err());
    is_bad("limit") || is_bad("timeoutSeconds")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with `verb group/version namespace resource name subresource`, `-` for an empty
    /// part.
    fn check(request: &str, want: &str) {
        let (method, text) = request.split_once(' ').unwrap();
        let target = Target::parse(Method::parse(method).unwrap(), text).unwrap();
        let got = match target.info() {
            Err(UnfinishedVerb) => "500".to_owned(),
            Ok(i) if !i.resource_request => format!("{} non-resource", i.verb),
            Ok(i) => [i.verb, i.group, i.version, i.namespace, i.resource, &i.name, i.subresource]
                .map(|part| if part.is_empty() { "-" } else { part })
                .join(" "),
        };
        assert_eq!(got, want, "{request}");
    }

    #[test]
    fn request_info() {
        check("GET /api/v1/pods", "list - v1 - pods - -");
        check("HEAD /api/v1/pods", "list - v1 - pods - -");
        check("GET /api/v1/pods?watch=1", "watch - v1 - pods - -");
        check("GET /api/v1/pods?watch", "watch - v1 - pods - -");
        check("GET /api/v1/pods?watch=FALSE", "list - v1 - pods - -");
        check("GET /api/v1/pods?watch=0&limit=1", "list - v1 - pods - -");
        check("GET /api/v1/pods?fieldSelector=metadata.name%3Dx", "list - v1 - pods x -");
        let selector = |selector: &str, name: &str| {
            let path = format!("GET /api/v1/pods?watch=1&fieldSelector={selector}");
            check(&path, &format!("watch - v1 - pods {name} -"));
        };
        selector("metadata.name==x", "x");
        selector("metadata.name=x,,spec.nodeName!=a", "x");
        selector("metadata.name=y,metadata.name=x", "x");
        selector("metadata.name!=x", "-");
        selector("metadata.name=", "-");
        selector("metadata.name=..", "-");
        selector("metadata.name=x,nonsense", "-");
        selector("metadata.name=x&limit=0x1", "-");
        selector("metadata.name=x&timeoutSeconds=", "-");
        selector("metadata.name=x&limit=5&timeoutSeconds=1", "x");
        check("GET /api/v1/watch/pods?fieldSelector=metadata.name%3Dx", "watch - v1 - pods - -");
        check(
            "DELETE /api/v1/pods?fieldSelector=metadata.name%3Dx",
            "deletecollection - v1 - pods - -",
        );
        check("GET /api/v1/namespaces", "list - v1 - namespaces - -");
        check("GET /api/v1/namespaces/a", "get - v1 a namespaces a -");
        check("PUT /api/v1/namespaces/a/finalize", "update - v1 a namespaces a finalize");
        check("GET /api/v1/namespaces/a/pods/b/log", "get - v1 a pods b log");
        check(
            "DELETE /apis/apps/v1/namespaces/a/deployments",
            "deletecollection apps v1 a deployments - -",
        );
        check("POST /apis/apps/v1/watch/deployments", "watch apps v1 - deployments - -");
        check("GET /apis/g/v/proxy/namespaces/a/r/n/s", "proxy g v a r n -");
        check("OPTIONS /apis/apps/v1/deployments", "- apps v1 - deployments - -");
        check("GET /apis/%61pps/v1/deploy%2Fx", "get apps v1 - deploy x -");
        check(
            "GET /apis//v1/pods/",
            "get  v1 - pods - -".replace("  ", " - ").replace("get", "list").as_str(),
        );
        check("GET /api/v1/watch", "500");
        check("POST /apis/apps/v1/proxy/", "500");
        check("GET /apis/apps/v1", "get non-resource");
        check("GET /", "get non-resource");
        check("GET https://host:6443/api/v1/pods?limit=1", "list - v1 - pods - -");
        check("GET https://host", "get non-resource");
    }
}
