//! Indexes bindings by subject, so that a decision does not scan all of them.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::user::{User, service_account};
use kube_aggregation::model::{RbacSubject, RoleBinding};

/// Bindings by namespace and subject.
#[derive(Debug)]
pub(super) struct BindingIndex<'s> {
    found: HashMap<(&'s str, SubjectKey<'s>), Vec<IndexEntry>, FixedState>,
    bindings: Vec<&'s RoleBinding>,
}

/// What a subject matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum SubjectKey<'s> {
    User(&'s str),
    Group(&'s str),
    /// Namespace and name.
    Account(&'s str, &'s str),
}

/// The indexes of a binding, and of one of its subjects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct IndexEntry(u32, u32);

impl<'s> BindingIndex<'s> {
    /// Indexes bindings, and keeps their order.
    pub(super) fn new(bindings: impl Iterator<Item = &'s RoleBinding>) -> Self {
        let bindings: Vec<&RoleBinding> = bindings.collect();
        let mut found: HashMap<_, Vec<IndexEntry>, _> = HashMap::default();
        for (number, binding) in bindings.iter().enumerate() {
            for (index, subject) in binding.subjects.iter().enumerate() {
                if let Some(key) = key(subject, &binding.namespace) {
                    let entry = IndexEntry(number as u32, index as u32);
                    found.entry((binding.namespace.as_str(), key)).or_default().push(entry);
                }
            }
        }
        Self { found, bindings }
    }

    /// The bindings of a namespace that match a user, in order, each with the first subject that
    /// does. The empty namespace has the ClusterRoleBindings.
    pub(super) fn matching(
        &self,
        user: &User,
        namespace: &str,
    ) -> impl Iterator<Item = (&'s RoleBinding, &'s RbacSubject)> {
        let account =
            service_account(&user.name).map(|(space, name)| SubjectKey::Account(space, name));
        let groups = user.groups.iter().map(|group| SubjectKey::Group(group));
        let all = [SubjectKey::User(&user.name)].into_iter().chain(groups).chain(account);
        let mut entries: Vec<IndexEntry> = vec![];
        for key in all {
            entries.extend(self.found.get(&(namespace, key)).into_iter().flatten());
        }
        entries.sort_unstable();
        entries.dedup_by_key(|entry| entry.0);
        entries.into_iter().filter_map(|IndexEntry(number, index)| {
            let binding = *self.bindings.get(number as usize)?;
            Some((binding, binding.subjects.get(index as usize)?))
        })
    }

    /// All bindings, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &'s RoleBinding> {
        self.bindings.iter().copied()
    }
}

/// The key of a subject of a binding. In a ClusterRoleBinding, an account without a namespace matches
/// nothing.
fn key<'s>(subject: &'s RbacSubject, namespace: &'s str) -> Option<SubjectKey<'s>> {
    match subject.kind.as_str() {
        "User" => Some(SubjectKey::User(&subject.name)),
        "Group" => Some(SubjectKey::Group(&subject.name)),
        "ServiceAccount" => {
            let space = subject.namespace_in(namespace);
            (!space.is_empty()).then_some(SubjectKey::Account(space, &subject.name))
        }
        _ => None,
    }
}
