//! Refuses requests of pages from other sites, and requests without the token. Pure.

use std::net::IpAddr;

use hyper::header::{AUTHORIZATION, COOKIE, HOST, HeaderMap, ORIGIN};

use super::token::Token;
use crate::replay::{self, Response};

/// The headers of every response: no framing, no sniffing, no loading from or by other sites. The
/// page overrides the policy with its own.
pub(super) const PROTECTION: &[(&str, &str)] = &[
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// Returns the refusal of a request from another site, if it is one.
pub(super) fn refusal(is_proxying: bool, headers: &HeaderMap) -> Option<Response> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let hosts = headers.get_all(HOST).iter().count();
    let host = text(HOST.as_str()).unwrap_or_default();
    if is_proxying || hosts != 1 || !is_own(host) {
        // DNS rebinding: a foreign name that resolves to this machine.
        let why = "403 forbidden: the header Host must be an IP address or localhost";
        return Some(Response::text(403, why));
    }
    let own = |origin: &str| {
        origin.split_once("://").is_some_and(|(_, of)| of.eq_ignore_ascii_case(host))
    };
    let foreign = text(ORIGIN.as_str()).is_some_and(|origin| !own(origin));
    let navigates =
        text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest") == Some("document");
    let elsewhere = match text("sec-fetch-site") {
        None | Some("same-origin" | "none") => false,
        Some(_) => !navigates,
    };
    (foreign || elsewhere)
        .then(|| Response::text(403, "403 forbidden: the request comes from another origin"))
}

/// Returns the refusal of a request without the token. The page receives it once in its address,
/// and keeps it as a cookie.
pub(super) fn unauthorized(token: &Token, target: &str, headers: &HeaderMap) -> Option<Response> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let bearer = text(AUTHORIZATION).strip_prefix("Bearer ").unwrap_or_default();
    let cookies = text(COOKIE).split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut cookies = cookies.filter(|(name, _)| *name == COOKIE_NAME);
    if token.is(bearer) || cookies.any(|(_, value)| token.is(value)) {
        return None;
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if path.starts_with("/aggctl/") && query.strip_prefix("token=").is_some_and(|t| token.is(t)) {
        let mut response = Response::redirect(path);
        let secret = token.secret();
        let cookie = format!("{COOKIE_NAME}={secret}; Path=/; HttpOnly; Secure; SameSite=Strict");
        response.headers.push(("set-cookie", cookie.into()));
        return Some(response);
    }
    Some(replay::unauthorized())
}

const COOKIE_NAME: &str = "aggctl";

/// Returns whether a host is an IP address or `localhost`, which no name service can redirect.
fn is_own(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((name, port)) if port.is_empty() || port.starts_with(':') => name,
            _ => return false,
        },
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderName;

    fn map(headers: &[(&'static str, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), value.parse().unwrap());
        }
        map
    }

    fn check(headers: &[(&'static str, &str)], want: bool) {
        assert_eq!(refusal(false, &map(headers)).is_none(), want, "{headers:?}");
    }

    #[test]
    fn only_addresses_and_localhost_are_hosts() {
        for host in ["127.0.0.1:8001", "localhost:1", "LOCALHOST", "[::1]:80", "[::1]", "10.0.0.1"]
        {
            check(&[("host", host)], true);
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8001",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "[::1",
            "[::1]x",
            "2130706433",
            "127.1",
        ] {
            check(&[("host", host)], false);
        }
        check(&[], false);
        check(&[("host", "localhost"), ("host", "localhost")], false);
    }

    #[test]
    fn others_need_the_token() {
        let token = Token::new().unwrap();
        let check = |target: &str, headers: &[(&'static str, &str)]| {
            unauthorized(&token, target, &map(headers)).map(|response| response.status)
        };
        let secret = token.secret();
        assert_eq!(check("/apis", &[]), Some(401));
        assert_eq!(check("/apis", &[("authorization", "Bearer x")]), Some(401));
        assert_eq!(check("/apis", &[("authorization", &format!("Bearer {secret}"))]), None);
        assert_eq!(check("/aggctl/", &[("cookie", &format!("a=b; aggctl={secret}"))]), None);
        assert_eq!(check(&format!("/aggctl/?token={secret}"), &[]), Some(302));
        assert_eq!(check(&format!("/apis?token={secret}"), &[]), Some(401));
        assert_eq!(check("/aggctl/?token=", &[]), Some(401));
    }

    #[test]
    fn pages_of_others_get_nothing_but_a_link() {
        let host = ("host", "127.0.0.1:8001");
        check(&[host, ("origin", "http://127.0.0.1:8001")], true);
        check(&[host, ("origin", "http://127.0.0.1:8002")], false);
        check(&[host, ("origin", "https://evil.example")], false);
        check(&[host, ("origin", "null")], false);
        check(&[host, ("sec-fetch-site", "same-origin")], true);
        check(&[host, ("sec-fetch-site", "none")], true);
        check(&[host, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")], false);
        check(&[host, ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")], false);
        let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        check(&[host, ("sec-fetch-site", "cross-site"), link[0], link[1]], true);
        let frame = ("sec-fetch-dest", "iframe");
        check(&[host, ("sec-fetch-site", "cross-site"), link[0], frame], false);
    }
}
