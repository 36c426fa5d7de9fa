//! What-if for CRD names: decides which CRDs get the names that they request.
//!
//! Mirrors the naming controller. A name that a CRD requests and does not have yet must be free in
//! its group. Resources share one namespace (plural, singular, short names) and kinds another
//! (kind, list kind). Any name in a CRD's `status.acceptedNames` is taken, even if that CRD is
//! rejected. Each name is decided on its own, and a released name is offered to the other CRDs.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::Draft;
use crate::model::{Crd, CrdNames};

/// How many CRDs own each name in a group.
type Taken = HashMap<String, usize>;

/// The names that the CRDs of one group own, and the CRDs that lack a requested name.
#[derive(Default)]
struct Group {
    resources: Taken,
    kinds: Taken,
    waiting: BTreeSet<String>,
}

impl Group {
    fn count(&mut self, names: &CrdNames, hold: bool) {
        let resources = [&names.plural, &names.singular].into_iter().chain(&names.short_names);
        let kinds = [&names.kind, &names.list_kind];
        let all = resources.map(|n| (n, false)).chain(kinds.into_iter().map(|n| (n, true)));
        for (name, kind) in all.filter(|(name, _)| !name.is_empty()) {
            let taken = if kind { &mut self.kinds } else { &mut self.resources };
            let count = taken.entry(name.clone()).or_default();
            *count = if hold { *count + 1 } else { count.saturating_sub(1) };
        }
    }
}

impl Draft {
    /// Decides about the names of changed CRDs, and of those that wait for a name.
    pub(super) fn settle_names(&mut self) {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for crd in self.crds.values() {
            let group = groups.entry(crd.group.clone()).or_default();
            group.count(&crd.accepted, true);
            if crd.requested != crd.accepted {
                group.waiting.insert(crd.name.clone());
            }
        }
        let mut queue: VecDeque<String> = std::mem::take(&mut self.renamed).into();
        // A deleted CRD has released its names.
        let mut freed: Vec<String> = vec![];
        while let Some(name) = queue.pop_front() {
            let Some(crd) = self.crds.get_mut(&name) else {
                let group = name.split_once('.').map(|(_, group)| group).unwrap_or_default();
                let waiting = groups.get(group).map(|g| &g.waiting);
                queue.extend(waiting.into_iter().flatten().cloned());
                freed.push(group.to_owned());
                continue;
            };
            if crd.requested == crd.accepted && crd.names_accepted {
                continue;
            }
            let group = groups.entry(crd.group.clone()).or_default();
            let was = (crd.accepted.clone(), crd.refusal.clone(), crd.names_accepted);
            decide(crd, group);
            group.count(&was.0, false);
            group.count(&crd.accepted, true);
            if crd.requested == crd.accepted {
                group.waiting.remove(&name);
            } else {
                group.waiting.insert(name.clone());
            }
            if was != (crd.accepted.clone(), crd.refusal.clone(), crd.names_accepted) {
                queue.extend(group.waiting.iter().filter(|other| **other != name).cloned());
                self.effects.extend(told(crd, was.2));
            }
        }
        for group in freed.iter().filter_map(|name| groups.get(name)) {
            let rivals: Vec<&str> = group.waiting.iter().map(String::as_str).collect();
            if !rivals.is_empty() {
                self.effects.push(format!(
                    "several CRDs claim one name, and the order of the server's cache decides; still without all names: {}",
                    rivals.join(", ")
                ));
            }
        }
    }
}

/// Applies the naming controller's decision for one CRD.
fn decide(crd: &mut Crd, group: &Group) {
    let Crd { requested, accepted, .. } = crd;
    let mut refusal = None;
    let in_use = |name: &str| format!("{name:?} is already in use");
    let one = |asked: &String, held: &mut String, taken: &Taken| {
        if asked != held && taken.get(asked).is_some_and(|n| *n > 0) {
            return Some(in_use(asked));
        }
        held.clone_from(asked);
        None
    };
    let mut refuse = |why: Option<String>| refusal = why.or(refusal.take());
    refuse(one(&requested.plural, &mut accepted.plural, &group.resources));
    refuse(one(&requested.singular, &mut accepted.singular, &group.resources));
    let taken: Vec<String> = (requested.short_names.iter())
        .filter(|n| !accepted.short_names.contains(n))
        .filter(|n| group.resources.get(*n).is_some_and(|count| *count > 0))
        .map(|name| in_use(name))
        .collect();
    match taken.as_slice() {
        [] => accepted.short_names.clone_from(&requested.short_names),
        [only] => refuse(Some(only.clone())),
        several => refuse(Some(format!("[{}]", several.join(", ")))),
    }
    refuse(one(&requested.kind, &mut accepted.kind, &group.kinds));
    refuse(one(&requested.list_kind, &mut accepted.list_kind, &group.kinds));
    accepted.categories.clone_from(&requested.categories);
    crd.names_accepted = refusal.is_none();
    crd.refusal = refusal;
    // An established CRD stays established, with the names that it has.
    crd.established |= crd.names_accepted;
    let names = if crd.accepted.plural.is_empty() { &crd.requested } else { &crd.accepted };
    let CrdNames { plural, singular, kind, short_names, categories, .. } = names.clone();
    (crd.plural, crd.singular, crd.kind) = (plural, singular, kind);
    (crd.short_names, crd.categories) = (short_names, categories);
}

fn told(crd: &Crd, accepted_before: bool) -> Option<String> {
    let name = &crd.name;
    match &crd.refusal {
        Some(why) if crd.established => {
            Some(format!("CRD {name} keeps its names: {why} in its group"))
        }
        Some(why) => Some(format!("CRD {name} is not established: {why} in its group")),
        None if !accepted_before && !crd.stored_versions.is_empty() => {
            Some(format!("CRD {name} gets the names that it claims, and is established"))
        }
        None => None,
    }
}
