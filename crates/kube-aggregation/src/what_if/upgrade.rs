//! What-if for upgrades: the cluster's snapshot on another Kubernetes version.

use std::collections::BTreeSet;

use super::Changed;
use super::Draft;
use super::documents;
use crate::availability::VERIFIES_TLS_SINCE;
use crate::baseline;
use crate::model::{ApiService, Automanaged, GroupVersion, Input, Snapshot};
use crate::registry::Registry;

/// Returns the snapshot with the built-in APIs of one baseline replaced by those of another.
///
/// Built-in group versions of `from` that `to` lacks are removed, and those that `to` adds are
/// added. Everything installed in addition stays. An APIService or CRD that uses a group version
/// built into `to` is named in the effects.
pub fn upgraded(cluster: &Snapshot, from: &Snapshot, to: &Snapshot) -> Changed {
    let registry = Registry::new(cluster);
    let built_in = |plain: &Snapshot| -> BTreeSet<GroupVersion> {
        plain.resource_lists.keys().cloned().collect()
    };
    let (old, new) = (built_in(from), built_in(to));
    // What is off by default in both versions, and no longer in the new one.
    let gone = |gv: &GroupVersion| {
        let spans = baseline::optional().get(gv).filter(|_| !new.contains(gv));
        let minor = to.minor();
        spans.zip(minor).is_some_and(|(all, minor)| !all.values().any(|span| span.has(minor)))
    };
    let mut draft = Draft::new(&registry);
    draft.api_services.retain(|_, s| {
        s.automanaged != Some(Automanaged::OnStart)
            || new.contains(&s.group_version)
            || !(old.contains(&s.group_version) || gone(&s.group_version))
    });
    // A restart registers what the server has, even if another server deleted the APIService.
    let kept = |gv: &GroupVersion| !old.contains(gv) && !gone(gv);
    for service in registry.installed().filter(|s| kept(&s.group_version)) {
        draft.api_services.entry(service.name.clone()).or_insert_with(|| service.clone());
    }
    for service in to.api_services.loaded().into_iter().flatten() {
        let holder = draft.api_services.get(&service.name);
        match holder {
            Some(holder) if holder.automanaged != Some(Automanaged::OnStart) => {
                let by = if holder.service.is_some() {
                    "an APIService that a user created"
                } else {
                    "a local APIService"
                };
                let text = format!(
                    "{} becomes built in, but {by} shadows it: {}",
                    service.group_version, service.name
                );
                draft.effects.push(text);
            }
            _ => drop(draft.api_services.insert(service.name.clone(), service.clone())),
        }
    }
    let groups: BTreeSet<&str> = new.iter().map(|gv| gv.group.as_str()).collect();
    let had: BTreeSet<&str> = old.iter().map(|gv| gv.group.as_str()).collect();
    for crd in draft.crds.values() {
        if groups.contains(crd.group.as_str()) && !had.contains(crd.group.as_str()) {
            draft.effects.push(format!(
                "CRD {}: its group {} becomes built in, so the CRD is never served",
                crd.name, crd.group
            ));
        }
    }
    draft.effects.extend(newly_verified(&registry, to));
    draft.register(&registry);
    let effects = std::mem::take(&mut draft.effects);
    let mut snapshot = documents::settled(&registry, draft);
    snapshot.version = to.version.clone();
    snapshot.resource_lists.retain(|gv, _| kept(gv));
    for (gv, list) in &to.resource_lists {
        snapshot.resource_lists.entry(gv.clone()).or_insert_with(|| list.clone());
    }
    if let (Some(paths), Some(old), Some(new)) =
        (cluster.root_paths.loaded(), from.root_paths.loaded(), to.root_paths.loaded())
    {
        let kept = paths.iter().filter(|path| !old.contains(*path) || new.contains(*path));
        snapshot.root_paths = Input::Loaded(kept.chain(new).cloned().collect());
    }
    // The old documents show what the old version serves.
    (snapshot.aggregated_groups, snapshot.own_groups) = (Input::Absent, Input::Absent);
    let documents = documents::rewritten(&snapshot, &registry);
    (snapshot.legacy_groups, snapshot.aggregated_groups) = documents;
    if cluster.own_groups.is_loaded() {
        snapshot.own_groups = snapshot.aggregated_groups.clone();
    }
    Changed { snapshot, effects }
}

/// Returns a note about APIServices that the new version's check verifies and the old one's did
/// not.
fn newly_verified(registry: &Registry<'_>, to: &Snapshot) -> Option<String> {
    if registry.minor >= VERIFIES_TLS_SINCE || to.minor()? < VERIFIES_TLS_SINCE {
        return None;
    }
    let judged =
        |s: &&ApiService| s.service.is_some() && s.is_available() && !s.insecure_skip_tls_verify;
    let names: Vec<&str> =
        registry.api_services.iter().filter(judged).map(|s| s.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "since {VERIFIES_TLS_SINCE} the availability check verifies certificates; an invalid one makes these unavailable: {}",
            names.join(", ")
        )
    })
}
