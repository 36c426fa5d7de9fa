//! Upgrade findings about kube-apiserver flags and feature gates that a newer version rejects.

use std::collections::{BTreeMap, BTreeSet};

use super::{Stops, UpgradeFinding, What, next};
use crate::baseline;
use crate::gates::{self, Trouble};
use crate::model::{GroupVersion, Minor, Snapshot};
use crate::runtime_config::RuntimeConfig;

/// Removed flags, and since when. `aggctl doctor --flags` shows none of them.
const GONE: [(&str, u32); 4] = [
    ("identity-lease-duration-seconds", 26),
    ("identity-lease-renew-interval-seconds", 26),
    ("master-service-namespace", 27),
    ("service-account-api-audiences", 25),
];

/// Returns whether some version no longer has a flag.
pub(crate) fn is_gone_flag(flag: &str) -> bool {
    GONE.iter().any(|(gone, _)| *gone == flag)
}

/// Returns the flags and gates that prevent, or may prevent, the newer server from starting.
pub(super) fn changes(cluster: &Snapshot, from: Minor, to: Minor) -> Vec<UpgradeFinding> {
    let servers = cluster.flags.loaded().map(Vec::as_slice).unwrap_or_default();
    let set = |flag: &'static str| servers.iter().filter_map(move |one| one.values.get(flag));
    let newer = from.minor + 1..=to.minor;
    let mut gone: BTreeMap<(u32, Stops), BTreeSet<String>> = BTreeMap::new();
    for (flag, since) in GONE.iter().filter(|(_, since)| newer.contains(since)) {
        if servers.iter().any(|one| one.values.contains_key(*flag)) {
            gone.entry((*since, Stops::Flag)).or_default().insert(format!("--{flag}"));
        }
    }
    let gates = set("feature-gates").flat_map(|flag| gates::set(flag));
    for (gate, on) in gates.filter(|(gate, on)| gates::trouble(gate, *on, from).is_none()) {
        let trouble = |minor| gates::trouble(gate, on, Minor { minor, ..to });
        let (stops, name) = match newer.clone().find_map(trouble) {
            Some((Trouble::Gone, since)) => ((since, Stops::Gate), gate.to_owned()),
            Some((Trouble::Locked, since)) => ((since, Stops::Locked), format!("{gate}={on}")),
            None => continue,
        };
        gone.entry(stops).or_default().insert(name);
    }
    let finding = |((since, by), names): ((u32, Stops), BTreeSet<String>)| {
        let what = What::StopsServer { names: names.into_iter().collect(), by };
        UpgradeFinding { since: Some(Minor { minor: since, ..to }), ..UpgradeFinding::new(what) }
    };
    let mut found: Vec<UpgradeFinding> = gone.into_iter().map(finding).collect();
    let named = set("runtime-config").flat_map(|flag| RuntimeConfig::parse(flag).named());
    let named: BTreeSet<GroupVersion> = named.collect();
    let ends = |gv: &GroupVersion| {
        let spans = baseline::history().get(gv)?.values();
        let until = spans.map(|span| span.until).collect::<Option<Vec<_>>>()?;
        until.into_iter().max().filter(|last| from <= *last && *last < to)
    };
    for (gv, last) in named.into_iter().filter_map(|gv| ends(&gv).map(|last| (gv, last))) {
        found.push(UpgradeFinding {
            since: Some(next(last)),
            ..UpgradeFinding::new(What::NamedAndGone { gv })
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Input, Origin, ServerFlags, SourceKind};

    fn check(flags: &[(&str, &str)], (from, to): (u32, u32), want: &[&str]) {
        let origin = Origin { kind: SourceKind::Dump, name: "d".to_owned() };
        let values = flags.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        let server = ServerFlags { from: "a".to_owned(), values: values.collect() };
        let flags = Input::Loaded(vec![server]);
        let cluster = Snapshot { flags, ..Snapshot::empty(origin) };
        let found = changes(&cluster, Minor::new(from), Minor::new(to));
        let found: Vec<String> = found.iter().map(|one| one.what.to_string()).collect();
        assert_eq!(found, want, "{from} {to}");
    }

    #[test]
    fn what_a_newer_server_does_not_take_is_told() {
        let gates = [("feature-gates", "OpenAPIV3=true, PodSecurity=true,AllAlpha=false")];
        check(&gates, (30, 36), &[]);
        let stops = "kube-apiserver does not start with --feature-gates that name OpenAPIV3, which it no longer knows";
        check(&gates, (28, 29), &[stops]);
        let gates = [("feature-gates", ":AuthorizeWithSelectors=false")];
        check(&gates, (34, 36), &[]);
        let stops = "kube-apiserver does not start with --feature-gates that set AuthorizeWithSelectors=false, which is locked";
        check(&gates, (33, 37), &[stops]);
        let flag = [("master-service-namespace", "default")];
        let stops = "kube-apiserver does not start with --master-service-namespace, which it no longer knows";
        check(&flag, (25, 36), &[stops]);
        let config = [("runtime-config", "policy/v1beta1=true,apps/v1=true,x.io/v1=false")];
        let named = "--runtime-config names policy/v1beta1, which is no longer served; kube-apiserver does not start with unknown group versions";
        check(&config, (24, 36), &[named]);
        check(&config, (25, 36), &[]);
    }
}
