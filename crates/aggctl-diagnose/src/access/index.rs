//! Bindings by whom they are about, so that a decision does not depend on how many there are.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::user::{User, service_account};
use kube_aggregation::model::{RbacSubject, RoleBinding};

/// Bindings by namespace and subject.
#[derive(Debug)]
pub(super) struct Index<'s> {
    found: HashMap<(&'s str, Who<'s>), Vec<IndexEntry>, FixedState>,
    bindings: Vec<&'s RoleBinding>,
}

/// Whom a subject is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Who<'s> {
    User(&'s str),
    Group(&'s str),
    /// Namespace and name.
    Account(&'s str, &'s str),
}

/// A binding by its number, and which of its subjects it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct IndexEntry(u32, u32);

impl<'s> Index<'s> {
    /// Of bindings in their order.
    pub(super) fn new(bindings: impl Iterator<Item = &'s RoleBinding>) -> Self {
        let bindings: Vec<&RoleBinding> = bindings.collect();
        let mut found: HashMap<_, Vec<IndexEntry>, _> = HashMap::default();
        for (number, binding) in bindings.iter().enumerate() {
            for (index, subject) in binding.subjects.iter().enumerate() {
                if let Some(who) = who(subject, &binding.namespace) {
                    let entry = IndexEntry(number as u32, index as u32);
                    found.entry((binding.namespace.as_str(), who)).or_default().push(entry);
                }
            }
        }
        Self { found, bindings }
    }

    /// The bindings of a namespace that are about a user, in their order, each with the first
    /// subject that is; the empty namespace has the ClusterRoleBindings.
    pub(super) fn about(
        &self,
        user: &User,
        namespace: &str,
    ) -> impl Iterator<Item = (&'s RoleBinding, &'s RbacSubject)> {
        let account = service_account(&user.name).map(|(space, name)| Who::Account(space, name));
        let groups = user.groups.iter().map(|group| Who::Group(group));
        let all = [Who::User(&user.name)].into_iter().chain(groups).chain(account);
        let mut entries: Vec<IndexEntry> = vec![];
        for who in all {
            entries.extend(self.found.get(&(namespace, who)).into_iter().flatten());
        }
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        entries.into_iter().filter_map(|IndexEntry(number, index)| {
            let binding = *self.bindings.get(number as usize)?;
            Some((binding, binding.subjects.get(index as usize)?))
        })
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &'s RoleBinding> {
        self.bindings.iter().copied()
    }
}

/// Whom a subject of a binding in that namespace is about. An account without a namespace is none
/// in a ClusterRoleBinding.
fn who<'s>(subject: &'s RbacSubject, namespace: &'s str) -> Option<Who<'s>> {
    match subject.kind.as_str() {
        "User" => Some(Who::User(&subject.name)),
        "Group" => Some(Who::Group(&subject.name)),
        "ServiceAccount" => {
            let space = subject.namespace_in(namespace);
            (!space.is_empty()).then_some(Who::Account(space, &subject.name))
        }
        _ => None,
    }
}
