//! What a newer kube-apiserver makes of the flags that the cluster runs with.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, What};
use crate::baseline;
use crate::model::{GroupVersion, Minor, Snapshot};
use crate::runtime_config::RuntimeConfig;

/// Flags that are gone, and since when. None that `aggctl flags` shows is among them.
const GONE: [(&str, u32); 4] = [
    ("identity-lease-duration-seconds", 26),
    ("identity-lease-renew-interval-seconds", 26),
    ("master-service-namespace", 27),
    ("service-account-api-audiences", 25),
];

/// Feature gates that are gone, and since when.
fn gates() -> impl Iterator<Item = (&'static str, u32)> {
    let lines = include_str!("gates.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(|line| {
        let mut words = line.split(' ');
        let since = words.next().and_then(|minor| minor.parse().ok()).unwrap_or_default();
        words.map(move |gate| (gate, since))
    })
}

/// What keeps the newer server from starting, or may.
pub(super) fn changes(cluster: &Snapshot, from: Minor, to: Minor) -> Vec<Finding> {
    let servers = cluster.flags.loaded().map(Vec::as_slice).unwrap_or_default();
    let set = |flag: &'static str| servers.iter().filter_map(move |one| one.values.get(flag));
    let goes = |since: &u32| (from.minor + 1..=to.minor).contains(since);
    let mut gone: BTreeMap<(u32, bool), BTreeSet<String>> = BTreeMap::new();
    for (flag, since) in GONE.iter().filter(|(_, since)| goes(since)) {
        if servers.iter().any(|one| one.values.contains_key(*flag)) {
            gone.entry((*since, false)).or_default().insert(format!("--{flag}"));
        }
    }
    let set_gates = set("feature-gates").flat_map(|gates| gates.split(','));
    let set_gates: BTreeSet<&str> =
        set_gates.filter_map(|gate| gate.split('=').next()).map(str::trim).collect();
    for (gate, since) in gates().filter(|(_, since)| goes(since)) {
        if set_gates.contains(gate) {
            gone.entry((since, true)).or_default().insert(gate.to_owned());
        }
    }
    let finding = |((since, gates), names): ((u32, bool), BTreeSet<String>)| {
        let what = What::FlagsGone { names: names.into_iter().collect(), gates };
        Finding { since: Some(Minor { minor: since, ..to }), ..Finding::new(what) }
    };
    let mut found: Vec<Finding> = gone.into_iter().map(finding).collect();
    let named = set("runtime-config").flat_map(|flag| RuntimeConfig::parse(flag).named());
    let named: BTreeSet<GroupVersion> = named.collect();
    let ends = |gv: &GroupVersion| {
        let spans = baseline::history().get(gv)?.values();
        let until = spans.map(|span| span.until).collect::<Option<Vec<_>>>()?;
        until.into_iter().max().filter(|last| from <= *last && *last < to)
    };
    for (gv, last) in named.into_iter().filter_map(|gv| ends(&gv).map(|last| (gv, last))) {
        let since = Some(Minor { minor: last.minor + 1, ..last });
        found.push(Finding { since, ..Finding::new(What::NamedAndGone { gv }) });
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
        let stops = "kube-apiserver does not start with --feature-gates that name OpenAPIV3: it no longer knows them";
        check(&gates, (28, 29), &[stops]);
        let flag = [("master-service-namespace", "default")];
        let stops = "kube-apiserver does not start with --master-service-namespace, which it no longer knows";
        check(&flag, (25, 36), &[stops]);
        let config = [("runtime-config", "policy/v1beta1=true,apps/v1=true,x.io/v1=false")];
        let named = "--runtime-config names policy/v1beta1, which is no longer served: kube-apiserver does not start if it does not know it";
        check(&config, (24, 36), &[named]);
        check(&config, (25, 36), &[]);
    }
}
