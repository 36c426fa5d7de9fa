//! Chooses the proxy for a server, by the rules of Go's HTTP client.
//!
//! The `proxy-url` of the kubeconfig takes precedence. Otherwise it is `HTTPS_PROXY` or
//! `HTTP_PROXY`, depending on the server's scheme, unless `NO_PROXY` lists the host. The variables
//! never apply to loopback addresses.

use std::net::IpAddr;

use url::{Host, Url};

use super::secret::{Secret, decoded};
use super::settings::SettingsError;

/// Returns the proxy for a server, if any.
///
/// # Errors
/// If the proxy's URL is invalid. The error does not quote it, because it may contain a password.
pub(super) fn choose(
    server: &Url,
    configured: Option<&Secret>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Url>, SettingsError> {
    if let Some(configured) = configured.filter(|url| !url.is_empty()) {
        return parse(configured.expose())
            .map(Some)
            .ok_or(SettingsError::Proxy("the kubeconfig's proxy-url"));
    }
    let any = |upper: &str, lower: &str| {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        set(upper).or_else(|| set(lower))
    };
    let (name, value) = match server.scheme() {
        "https" => ("$HTTPS_PROXY", any("HTTPS_PROXY", "https_proxy")),
        _ => ("$HTTP_PROXY", any("HTTP_PROXY", "http_proxy")),
    };
    let Some(value) = value else { return Ok(None) };
    let exempt = any("NO_PROXY", "no_proxy").unwrap_or_default();
    if is_loopback(server) || is_exempt(server, &exempt) {
        return Ok(None);
    }
    parse(&value).map(Some).ok_or(SettingsError::Proxy(name))
}

/// Returns the secrets in a proxy's URL: its password, in plain text and as sent.
pub(super) fn secrets(proxy: &Url) -> Vec<Secret> {
    let Some(password) = proxy.password().map(decoded).filter(|text| !text.is_empty()) else {
        return vec![];
    };
    vec![Secret::basic(&decoded(proxy.username()), &password), Secret::from(password)]
}

fn parse(text: &str) -> Option<Url> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let mut url = Url::parse(&whole).ok().filter(Url::has_host)?;
    if url.scheme() == "socks5" {
        // Go lets the proxy resolve names, which other clients call socks5h.
        url.set_scheme("socks5h").ok()?;
    }
    matches!(url.scheme(), "http" | "https" | "socks5h").then_some(url)
}

pub(super) fn is_loopback(server: &Url) -> bool {
    match server.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.to_canonical().is_loopback(),
        None => false,
    }
}

/// Returns whether `NO_PROXY` lists a server.
fn is_exempt(server: &Url, list: &str) -> bool {
    let Some(host) = server.host() else { return false };
    let ip = match host {
        Host::Ipv4(ip) => Some(IpAddr::V4(ip)),
        Host::Ipv6(ip) => Some(IpAddr::V6(ip).to_canonical()),
        Host::Domain(_) => None,
    };
    let name = server.host_str().unwrap_or_default().trim_matches(['[', ']']).to_lowercase();
    let port = server.port_or_known_default().map(|port| port.to_string()).unwrap_or_default();
    let entries = list.split(',').map(|entry| entry.trim().to_lowercase());
    entries.filter(|entry| !entry.is_empty()).any(|entry| matches(&entry, &name, ip, &port))
}

/// Returns whether an entry of `NO_PROXY` matches: `*`, `10.0.0.0/8`, `10.0.0.1`, `[::1]:443`, or a
/// name. All but networks may have a port.
fn matches(entry: &str, name: &str, ip: Option<IpAddr>, port: &str) -> bool {
    if entry == "*" {
        return true;
    }
    if let Some((network, bits)) = entry.split_once('/')
        && let (Ok(network), Ok(bits)) = (network.parse::<IpAddr>(), bits.parse::<u32>())
        && bits <= if network.is_ipv4() { 32 } else { 128 }
    {
        return ip.is_some_and(|ip| in_network(ip, network, bits));
    }
    let (host, only) = split_port(entry);
    let right_port = only.is_empty() || only == port;
    if let Ok(address) = host.parse::<IpAddr>() {
        return ip == Some(address.to_canonical()) && right_port;
    }
    !host.is_empty() && right_port && matches_name(host, name)
}

/// Splits an entry into host and port. The port may be empty.
fn split_port(entry: &str) -> (&str, &str) {
    if let Some((host, port)) = entry.strip_prefix('[').and_then(|rest| rest.split_once("]:")) {
        return (host, port);
    }
    match entry.rsplit_once(':') {
        // More than one colon is an IPv6 address.
        Some((host, port)) if !host.contains(':') => (host, port),
        _ => (entry, ""),
    }
}

/// Returns whether the first `bits` bits of two addresses are equal.
fn in_network(ip: IpAddr, network: IpAddr, bits: u32) -> bool {
    let same = match (ip, network) {
        (IpAddr::V4(ip), IpAddr::V4(network)) => (ip.to_bits() ^ network.to_bits()).leading_zeros(),
        (IpAddr::V6(ip), IpAddr::V6(network)) => (ip.to_bits() ^ network.to_bits()).leading_zeros(),
        _ => return false,
    };
    bits <= same
}

/// Returns whether a name matches. `example.com` matches itself and its subdomains; `.example.com`
/// and `*.example.com` match only subdomains.
fn matches_name(entry: &str, name: &str) -> bool {
    let entry = entry.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(entry);
    match entry.strip_prefix('.') {
        Some(_) => name.ends_with(entry),
        None => name == entry || name.strip_suffix(entry).is_some_and(|rest| rest.ends_with('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxys_password_is_secret_in_both_forms() {
        let of = |url: &str| secrets(&Url::parse(url).unwrap());
        let both = [Secret::from("bWU6YTpi"), Secret::from("a:b")];
        assert_eq!(of("http://me:a%3Ab@proxy.example:3128"), both);
        assert_eq!(of("http://proxy.example:3128"), []);
    }

    fn proxied(server: &str, no_proxy: &str) -> bool {
        let variable = |name: &str| match name {
            "HTTPS_PROXY" => Some("proxy:3128".to_owned()),
            "no_proxy" => Some(no_proxy.to_owned()),
            _ => None,
        };
        choose(&Url::parse(server).unwrap(), None, variable).unwrap().is_some()
    }

    #[test]
    fn exempt_as_in_go() {
        for (server, exempt) in [
            ("https://a.example.com", "example.com"),
            ("https://example.com", "example.com"),
            ("https://a.example.com", ".example.com"),
            ("https://a.example.com", "*.example.com"),
            ("https://a.example.com:6443", "b, EXAMPLE.com:6443"),
            ("https://a", "*"),
            ("https://10.1.2.3:6443", "10.0.0.0/8"),
            ("https://10.1.2.3:6443", "10.1.2.3"),
            ("https://10.1.2.3:6443", "10.1.2.3:6443"),
            ("https://10.1.2.3", "*"),
            ("https://[fd00::1]:6443", "fd00::/8"),
            ("https://[fd00::1]:6443", "[fd00::1]:6443"),
            ("https://a.example.com", "example.com:"),
            ("https://a.example.com", ",, .EXAMPLE.COM ,"),
            ("https://a.example.com", "example.com:443"),
            ("https://[fd00::1]:6443", "fd00::1"),
            ("https://[::ffff:10.1.2.3]", "10.1.2.3"),
            ("https://10.1.2.3", "2.3"),
            ("https://localhost:6443", ""),
            ("https://127.0.0.9:6443", ""),
            ("https://[::1]:6443", ""),
            ("https://[::ffff:127.0.0.1]", ""),
            ("http://plain", ""),
        ] {
            assert!(!proxied(server, exempt), "{server} {exempt}");
        }
        for (server, exempt) in [
            ("https://a.example.com", ""),
            ("https://example.com", ".example.com"),
            ("https://example.com", "*.example.com"),
            ("https://notexample.com", "example.com"),
            ("https://a.example.com", "example.com:6443"),
            ("https://10.1.2.3", "10.1.2.3:6443, 11.0.0.0/8, 10.1.2.0/33, 10.1.2"),
            ("https://10.1.2.3", ":443, /8, *.example.com"),
            ("https://[fd00::1]", "fd01::/16, [fd00::1]:6443, 10.0.0.0/8"),
            ("https://localhost.example", "localhost"),
        ] {
            assert!(proxied(server, exempt), "{server} {exempt}");
        }
    }

    #[test]
    fn an_empty_variable_is_ignored() {
        let chosen = |set: &[(&str, &str)]| {
            let variable = |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            let server = Url::parse("https://api.example").unwrap();
            choose(&server, None, variable).unwrap().map(|url| url.to_string())
        };
        let lower = ("https_proxy", "lower:1");
        assert_eq!(chosen(&[lower]).as_deref(), Some("http://lower:1/"));
        assert_eq!(chosen(&[("HTTPS_PROXY", ""), lower]).as_deref(), Some("http://lower:1/"));
        let upper = ("HTTPS_PROXY", "upper:1");
        assert_eq!(chosen(&[upper, lower]).as_deref(), Some("http://upper:1/"));
        let exempt = [lower, ("NO_PROXY", ""), ("no_proxy", "api.example")];
        assert_eq!(chosen(&exempt), None);
        assert_eq!(chosen(&[("HTTP_PROXY", "plain:1"), ("ALL_PROXY", "all:1")]), None);
    }

    #[test]
    fn the_kubeconfig_wins_and_is_never_quoted() {
        let server = Url::parse("https://127.0.0.1").unwrap();
        let none = |_: &str| None;
        let got = choose(&server, Some(&"socks5://u:p@x:1080".into()), none).unwrap().unwrap();
        assert_eq!(got.as_str(), "socks5h://u:p@x:1080");
        let got = choose(&server, Some(&"SOCKS5://x:1080".into()), none).unwrap().unwrap();
        assert_eq!(got.as_str(), "socks5h://x:1080");
        let error = choose(&server, Some(&"ftp://u:hunter2@x".into()), none).unwrap_err();
        assert_eq!(error.to_string(), "the kubeconfig's proxy-url is not a valid proxy URL");
    }
}
