//! kube-apiserver flags that affect aggregation, and what each setting changes. Pure.

use crate::gates::{self, Trouble, gate};
use crate::model::{Minor, ServerFlags};
use crate::runtime_config::RuntimeConfig;

/// A flag that affects aggregation, with its value and effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shaping<'s> {
    /// Its name, without the dashes.
    pub flag: &'static str,
    /// How it is set.
    pub value: FlagValue<'s>,
    /// The effect, as a sentence.
    pub changes: String,
    /// Whether the value breaks something.
    pub is_odd: bool,
}

/// How a flag is set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagValue<'s> {
    /// Set to this value on all servers.
    Set(&'s str),
    /// Not set on any server.
    Unset,
    /// Servers differ: each server with its value.
    Differs(Vec<(&'s str, Option<&'s str>)>),
}

/// Returns the effect of a flag's value, and whether it breaks something.
type Says = fn(Option<&str>, &Known<'_>) -> (String, bool);

/// Other data needed to describe the effect of a flag.
struct Known<'s> {
    has_ca: bool,
    minor: Option<Minor>,
    gates: &'s str,
}

/// All flags that affect aggregation, in the order in which a request meets them.
const FLAGS: &[(&str, Says)] = &[
    ("anonymous-auth", |value, _| match value {
        Some("false") => plain("a request without credentials returns 401"),
        _ => plain("a request without credentials is treated as system:anonymous"),
    }),
    ("authentication-config", |value, _| match value {
        Some(_) => plain("a file configures authentication; its content is unknown"),
        None => plain("flags alone configure authentication"),
    }),
    ("authorization-mode", |value, _| match value {
        Some(modes) => {
            let modes = list(modes);
            (modes_words(&modes), modes.split(", ").any(|mode| mode == "AlwaysAllow"))
        }
        None => odd("every request is allowed, unless --authorization-config is set"),
    }),
    ("authorization-config", |value, _| match value {
        Some(_) => plain("a file configures the authorizers; its content is unknown"),
        None => plain("--authorization-mode lists the authorizers"),
    }),
    ("runtime-config", |value, _| match value {
        Some(some) => plain(format!("switched {}", RuntimeConfig::parse(some).words())),
        None => plain("serves the default group versions of this Kubernetes version"),
    }),
    ("requestheader-client-ca-file", |value, _| match value {
        Some(_) => plain("extension API servers trust identity headers signed by this CA"),
        None => odd("no front proxy: extension API servers cannot identify callers"),
    }),
    ("requestheader-allowed-names", |value, _| match value {
        None | Some("" | "[]") => plain("any certificate signed by that CA is trusted"),
        Some(names) => {
            plain(format!("only certificates with these names are trusted: {}", list(names)))
        }
    }),
    ("requestheader-username-headers", |value, known| header(value, "X-Remote-User", known)),
    ("requestheader-group-headers", |value, known| header(value, "X-Remote-Group", known)),
    ("requestheader-uid-headers", |value, _| match value {
        Some(names) => plain(format!("extension API servers read the UID from {}", list(names))),
        None => plain("extension API servers do not read the UID"),
    }),
    ("proxy-client-cert-file", |value, _| match value {
        Some(_) => plain("kube-aggregator presents this certificate to extension API servers"),
        None => odd(
            "kube-aggregator has no client certificate, so extension API servers treat all callers as anonymous",
        ),
    }),
    ("enable-aggregator-routing", |value, _| match value {
        Some("true") => {
            plain("kube-aggregator dials ready endpoints and rejects ExternalName Services")
        }
        _ => plain("kube-aggregator dials the Service's address"),
    }),
    ("egress-selector-config-file", |value, _| match value {
        Some(_) => plain(
            "Services may be reached through a proxy that the file names, such as konnectivity",
        ),
        None => plain("kube-aggregator dials Services directly"),
    }),
    ("aggregator-reject-forwarding-redirect", |value, _| match value {
        Some("false") => plain("a redirect from an extension API server reaches the client"),
        _ => plain("a redirect from an extension API server becomes 502"),
    }),
    ("feature-gates", |_, known| gates_words(known)),
    ("emulated-version", |value, _| match value {
        Some(version) => plain(format!("the server behaves as {}", list(version))),
        None => plain("the server behaves as its own version"),
    }),
    ("emulation-forward-compatible", |value, _| match value {
        Some("true") => plain("newer stable group versions are served beside the emulated ones"),
        _ => plain("only group versions of the emulated version are served"),
    }),
    ("runtime-config-emulation-forward-compatible", |value, _| match value {
        Some("true") => {
            plain("--runtime-config can enable group versions that the emulated version lacks")
        }
        _ => plain("--runtime-config cannot enable group versions that the emulated version lacks"),
    }),
    ("min-compatibility-version", |value, _| match value {
        Some(version) => plain(format!("a rollback to {} stays possible", list(version))),
        None => plain("a rollback to the version before the emulated one stays possible"),
    }),
    ("peer-ca-file", |value, _| match value {
        Some(_) => plain(
            "requests for resources that only another API server has are proxied to it, and discovery is merged (1.36 and later)",
        ),
        None => plain("a request for a resource that only another API server has returns 404"),
    }),
    ("peer-advertise-ip", peer_address),
    ("peer-advertise-port", peer_address),
    ("profiling", |value, _| match value {
        Some("false") => plain("/debug/pprof and /debug/flags are not served"),
        _ => plain("/debug/pprof and /debug/flags are served"),
    }),
];

/// Returns whether an answer may depend on a flag. Dumps omit all other flags, because some contain
/// passwords.
pub fn matters(flag: &str) -> bool {
    FLAGS.iter().any(|(known, _)| *known == flag) || crate::upgrade::is_gone_flag(flag)
}

/// Returns the effects of the flags of all servers.
pub fn shaping<'s>(servers: &'s [ServerFlags], minor: Option<Minor>) -> Vec<Shaping<'s>> {
    let of = |flag: &'static str| {
        servers.iter().map(move |one| one.values.get(flag).map(String::as_str))
    };
    let has_ca = of("requestheader-client-ca-file").all(is_set);
    let gates = of("feature-gates").flatten().next().unwrap_or_default();
    let known = Known { has_ca, minor, gates };
    let shape = |(flag, says): &(&'static str, Says)| {
        let mut values = of(flag);
        let first = values.next().flatten();
        if values.any(|other| other != first) {
            let all = servers.iter().map(|one| one.from.as_str()).zip(of(flag)).collect();
            let changes =
                "the API servers differ; the result depends on which one receives the request";
            let value = FlagValue::Differs(all);
            return Shaping { flag, value, changes: changes.to_owned(), is_odd: true };
        }
        let set = first.filter(|value| is_set(Some(value)));
        let (changes, is_odd) = says(set, &known);
        let value = set.map_or(FlagValue::Unset, FlagValue::Set);
        Shaping { flag, value, changes, is_odd }
    };
    FLAGS.iter().map(shape).collect()
}

/// Returns whether the server sends the user's UID to extension servers, by its gate or else by its
/// version.
pub fn sends_uid(gates: &str, minor: Option<Minor>) -> bool {
    let since = || minor.is_none_or(|minor| minor >= Minor::new(33));
    gate(gates, "RemoteRequestHeaderUID").unwrap_or_else(since)
}

/// Returns whether a flag is set. `/flagz` lists unset flags with an empty value.
fn is_set(value: Option<&str>) -> bool {
    value.is_some_and(|value| !matches!(value, "" | "[]"))
}

fn plain(text: impl Into<String>) -> (String, bool) {
    (text.into(), false)
}

fn odd(text: impl Into<String>) -> (String, bool) {
    (text.into(), true)
}

/// Feature gates that affect aggregation, with their effects when on and when off.
const GATES: [(&str, &str, &str); 6] = [
    (
        "AggregatedDiscoveryEndpoint",
        "discovery is served in one document, too",
        "discovery is not served in one document",
    ),
    (
        "AggregatedDiscoveryRemoveBetaType",
        "discovery in one document is v2 alone",
        "discovery in one document is v2beta1, too",
    ),
    (
        "ConstrainedImpersonation",
        "the right to impersonate may be narrowed down to some requests",
        "anyone who may impersonate a user may send any request as that user",
    ),
    ("ComponentFlagz", "/flagz is served", "there is no /flagz"),
    ("OpenAPIV3", "/openapi/v3 is served", "there is no /openapi/v3"),
    (
        "UnknownVersionInteroperabilityProxy",
        "what this server does not know may be served by another of the control plane",
        "what this server does not know is not looked for at another",
    ),
];

/// Returns the effects of the feature gates: whether UIDs are sent, and each gate that is set.
fn gates_words(known: &Known<'_>) -> (String, bool) {
    let uid = sends_uid(known.gates, known.minor);
    let uid = if uid { "is told" } else { "is not told" };
    let mut says =
        vec![format!("the UID of a user {uid} to extension servers (RemoteRequestHeaderUID)")];
    let mut is_odd = false;
    for (name, on) in gates::set(known.gates) {
        let trouble = known.minor.and_then(|minor| gates::trouble(name, on, minor));
        is_odd |= trouble.is_some();
        let shapes = GATES.iter().find(|(gate, ..)| *gate == name);
        says.extend(match trouble {
            Some((Trouble::Gone, since)) => Some(format!(
                "the server does not start with {name}, which is gone since 1.{since}"
            )),
            Some((Trouble::Locked, since)) => Some(format!(
                "the server does not start with {name}={on}: it is locked to {} since 1.{since}",
                !on
            )),
            None => shapes.map(|(_, yes, no)| format!("{} ({name})", if on { yes } else { no })),
        });
    }
    (says.join("; "), is_odd)
}

/// Describes the two flags for the peer address. They have no effect: peers dial the address of
/// `--advertise-address` and the secure port.
fn peer_address(value: Option<&str>, _: &Known<'_>) -> (String, bool) {
    match value {
        Some(_) => odd(
            "has no effect in 1.36 and 1.37: peers dial --advertise-address and the secure port",
        ),
        None => plain("peers dial --advertise-address and the secure port"),
    }
}

fn header(value: Option<&str>, sent: &str, known: &Known<'_>) -> (String, bool) {
    let looked_for = value.map(list).unwrap_or_default();
    let found = looked_for.split(", ").any(|name| name.eq_ignore_ascii_case(sent));
    match (known.has_ca, found) {
        (true, true) => {
            plain(format!("extension API servers read {sent}, which kube-aggregator sends"))
        }
        (true, false) => {
            odd(format!("kube-aggregator sends {sent}, which extension API servers do not read"))
        }
        (false, _) => plain("no effect without --requestheader-client-ca-file"),
    }
}

fn modes_words(modes: &str) -> String {
    let rest: Vec<&str> =
        modes.split(", ").filter(|mode| !matches!(*mode, "RBAC" | "Node")).collect();
    match (rest.as_slice(), modes.contains("RBAC")) {
        ([], true) => "RBAC decides".to_owned(),
        (["AlwaysAllow", ..], _) => "every request is allowed".to_owned(),
        (others, true) => {
            format!("RBAC decides; {} may allow more, which is unknown here", others.join(", "))
        }
        (_, false) => "RBAC is not used".to_owned(),
    }
}

/// Formats `[a,b]` (as in `/flagz`) or `a,b` as `a, b`.
fn list(value: &str) -> String {
    let words = value.trim_matches(['[', ']']).split([',', ' ']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(from: &str, flags: &[(&str, &str)]) -> ServerFlags {
        let values = flags.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        ServerFlags { from: from.to_owned(), values: values.collect() }
    }

    fn check(flags: &[(&str, &str)], flag: &str, changes: &str, is_odd: bool) {
        let servers = [server("a", flags)];
        let all = shaping(&servers, Some(Minor::new(36)));
        let one = all.iter().find(|one| one.flag == flag).unwrap();
        assert_eq!((one.changes.as_str(), one.is_odd), (changes, is_odd), "{flags:?}");
    }

    #[test]
    fn each_flag_says_what_it_changes() {
        let ca = "requestheader-client-ca-file";
        let none = "no front proxy: extension API servers cannot identify callers";
        check(&[], ca, none, true);
        check(
            &[],
            "enable-aggregator-routing",
            "kube-aggregator dials the Service's address",
            false,
        );
        let header = |value: &str, says: &str, is_odd: bool| {
            let flag = "requestheader-username-headers";
            check(&[(ca, "/ca.crt"), (flag, value)], flag, says, is_odd);
        };
        let found = "extension API servers read X-Remote-User, which kube-aggregator sends";
        header("X-Remote-User", found, false);
        header("[x-remote-user]", found, false);
        let other = "kube-aggregator sends X-Remote-User, which extension API servers do not read";
        header("X-User", other, true);
        let modes = |value: &str, says: &str, is_odd: bool| {
            check(&[("authorization-mode", value)], "authorization-mode", says, is_odd);
        };
        modes("Node,RBAC", "RBAC decides", false);
        modes("[Node RBAC]", "RBAC decides", false);
        modes("AlwaysAllow", "every request is allowed", true);
        let webhook = "RBAC decides; Webhook may allow more, which is unknown here";
        modes("Node,Webhook,RBAC", webhook, false);
    }

    #[test]
    fn gates_say_what_they_change() {
        let uid = "the UID of a user is told to extension servers (RemoteRequestHeaderUID)";
        let gates = |value: &'static str, says: &str, is_odd: bool| {
            let want = if says.is_empty() { uid.to_owned() } else { format!("{uid}; {says}") };
            check(&[("feature-gates", value)], "feature-gates", &want, is_odd);
        };
        gates("", "", false);
        gates("AllBeta=true", "", false);
        gates(":ComponentFlagz=false", "there is no /flagz (ComponentFlagz)", false);
        gates(
            "OpenAPIV3=true",
            "the server does not start with OpenAPIV3, which is gone since 1.29",
            true,
        );
        gates(
            "AggregatedDiscoveryRemoveBetaType=false",
            "the server does not start with AggregatedDiscoveryRemoveBetaType=false: it is locked to true since 1.35",
            true,
        );
    }

    #[test]
    fn servers_that_differ_are_told_apart() {
        let servers = [server("a", &[("anonymous-auth", "false")]), server("b", &[])];
        let all = shaping(&servers, None);
        assert_eq!(all[0].value, FlagValue::Differs(vec![("a", Some("false")), ("b", None)]));
        assert!(all[0].is_odd);
    }

    #[test]
    fn the_uid_is_sent_by_gate_or_by_version() {
        assert!(sends_uid("", Some(Minor::new(33))) && !sends_uid("", Some(Minor::new(32))));
        assert!(sends_uid("A=false,kube:RemoteRequestHeaderUID=true", Some(Minor::new(32))));
        assert!(!sends_uid("RemoteRequestHeaderUID=false", Some(Minor::new(36))));
    }
}
