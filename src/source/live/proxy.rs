//! Which proxy a request goes through, by the rules of Go's HTTP client.
//!
//! The kubeconfig's `proxy-url` always counts. Else it is `HTTPS_PROXY` or `HTTP_PROXY` by the
//! server's scheme, unless `NO_PROXY` names the host; loopback is never proxied by environment.

use std::net::IpAddr;

use url::{Host, Url};

use super::secret::Secret;

/// The proxy for a server, if it is reached through one.
///
/// # Errors
/// Where the proxy's URL is none. It is not quoted: it may hold a password.
pub(super) fn choose(
    server: &Url,
    configured: Option<&Secret>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Url>, String> {
    if let Some(configured) = configured.filter(|url| !url.is_empty()) {
        return parse(configured.expose())
            .map(Some)
            .ok_or("the kubeconfig's proxy-url is no URL of a proxy".to_owned());
    }
    let any = |upper: &str, lower: &str| {
        variable(upper).or_else(|| variable(lower)).filter(|v| !v.is_empty())
    };
    let (name, value) = match server.scheme() {
        "https" => ("HTTPS_PROXY", any("HTTPS_PROXY", "https_proxy")),
        _ => ("HTTP_PROXY", any("HTTP_PROXY", "http_proxy")),
    };
    let Some(value) = value else { return Ok(None) };
    let exempt = any("NO_PROXY", "no_proxy").unwrap_or_default();
    if is_loopback(server) || is_exempt(server, &exempt) {
        return Ok(None);
    }
    parse(&value).map(Some).ok_or(format!("${name} is no URL of a proxy"))
}

fn parse(text: &str) -> Option<Url> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    // Go lets the proxy resolve names, which others call socks5h.
    let whole = match whole.strip_prefix("socks5://") {
        Some(rest) => format!("socks5h://{rest}"),
        None => whole,
    };
    Url::parse(&whole)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https" | "socks5h") && url.has_host())
}

fn is_loopback(server: &Url) -> bool {
    match server.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

fn is_exempt(server: &Url, list: &str) -> bool {
    let port = server.port_or_known_default();
    list.split(',').map(|entry| entry.trim().to_lowercase()).filter(|entry| !entry.is_empty()).any(
        |entry| {
            if entry == "*" {
                return true;
            }
            match server.host() {
                Some(Host::Ipv4(ip)) => matches_ip(&entry, IpAddr::V4(ip), port),
                Some(Host::Ipv6(ip)) => matches_ip(&entry, IpAddr::V6(ip), port),
                Some(Host::Domain(name)) => matches_name(&entry, &name.to_lowercase(), port),
                None => false,
            }
        },
    )
}

/// `10.0.0.0/8`, `10.0.0.1`, `10.0.0.1:443`, `[::1]:443`.
fn matches_ip(entry: &str, ip: IpAddr, port: Option<u16>) -> bool {
    if let Some((network, bits)) = entry.split_once('/') {
        let (Ok(network), Ok(bits)) = (network.parse::<IpAddr>(), bits.parse::<u32>()) else {
            return false;
        };
        return in_network(ip, network, bits);
    }
    if let Ok(only) = entry.trim_matches(['[', ']']).parse::<IpAddr>() {
        return only == ip;
    }
    let Some((host, of)) = entry.rsplit_once(':') else { return false };
    host.trim_matches(['[', ']']).parse() == Ok(ip) && of.parse().ok() == port
}

fn in_network(ip: IpAddr, network: IpAddr, bits: u32) -> bool {
    match (ip, network) {
        (IpAddr::V4(ip), IpAddr::V4(network)) if bits <= 32 => {
            let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
            ip.to_bits() & mask == network.to_bits() & mask
        }
        (IpAddr::V6(ip), IpAddr::V6(network)) if bits <= 128 => {
            let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
            ip.to_bits() & mask == network.to_bits() & mask
        }
        _ => false,
    }
}

/// `example.com` is that name and all below, `.example.com` and `*.example.com` only those below.
fn matches_name(entry: &str, name: &str, port: Option<u16>) -> bool {
    let (entry, of) = match entry.rsplit_once(':') {
        Some((host, of)) => (host, Some(of)),
        None => (entry, None),
    };
    if of.is_some_and(|of| of.parse().ok() != port) {
        return false;
    }
    let entry = entry.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(entry);
    match entry.strip_prefix('.') {
        Some(_) => name.ends_with(entry),
        None => name == entry || name.strip_suffix(entry).is_some_and(|rest| rest.ends_with('.')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("https://localhost:6443", ""),
            ("https://127.0.0.9:6443", ""),
            ("https://[::1]:6443", ""),
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
            ("https://localhost.example", "localhost"),
        ] {
            assert!(proxied(server, exempt), "{server} {exempt}");
        }
    }

    #[test]
    fn the_kubeconfig_wins_and_is_never_quoted() {
        let server = Url::parse("https://127.0.0.1").unwrap();
        let none = |_: &str| None;
        let got = choose(&server, Some(&"socks5://u:p@x:1080".into()), none).unwrap().unwrap();
        assert_eq!(got.as_str(), "socks5h://u:p@x:1080");
        let error = choose(&server, Some(&"ftp://u:hunter2@x".into()), none).unwrap_err();
        assert_eq!(error, "the kubeconfig's proxy-url is no URL of a proxy");
    }
}
