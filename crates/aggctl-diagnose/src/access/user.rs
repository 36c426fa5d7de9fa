use super::{ANONYMOUS, AUTHENTICATED, MASTERS, NODES, UNAUTHENTICATED};

/// Whose request it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// The groups, in the order in which they were said.
    pub groups: Vec<String>,
    /// The UID, where it is known.
    pub uid: Option<String>,
    /// How many of the groups were said; the others follow.
    said_groups: usize,
}

impl User {
    /// A user of that name and those groups, as the impersonation filter completes it: a service
    /// account of which no group is said has those of its namespace, and everybody is either
    /// authenticated or not. Authentication adds the same groups.
    pub fn new(name: impl Into<String>, groups: &[String]) -> Self {
        let name = name.into();
        let (mut groups, said_groups) = (groups.to_vec(), groups.len());
        if let (true, Some((namespace, _))) = (groups.is_empty(), service_account(&name)) {
            groups = vec![
                "system:serviceaccounts".to_owned(),
                format!("system:serviceaccounts:{namespace}"),
            ];
        }
        let has = |group: &str| groups.iter().any(|one| one == group);
        if name == ANONYMOUS {
            if !has(UNAUTHENTICATED) {
                groups.push(UNAUTHENTICATED.to_owned());
            }
        } else if !has(AUTHENTICATED) && !has(UNAUTHENTICATED) {
            groups.push(AUTHENTICATED.to_owned());
        }
        Self { name, groups, uid: None, said_groups }
    }

    /// The same with a UID, if there is one.
    pub fn with_uid(self, uid: Option<&String>) -> Self {
        Self { uid: uid.cloned(), ..self }
    }

    /// The groups that were said.
    pub(super) fn said_groups(&self) -> &[String] {
        self.groups.get(..self.said_groups).unwrap_or_default()
    }

    /// Whether it may do everything.
    pub(super) fn is_masters(&self) -> bool {
        self.is_in(MASTERS)
    }

    /// Whether the Node authorizer takes it for a kubelet.
    pub(super) fn is_node(&self) -> bool {
        let named = self.name.strip_prefix("system:node:").is_some_and(|name| !name.is_empty());
        named && self.is_in(NODES)
    }

    fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|one| one == group)
    }
}

/// Namespace and name of the service account that a user is: where they cannot be those of any,
/// it is a user like others.
pub fn service_account(user: &str) -> Option<(&str, &str)> {
    let (namespace, name) = user.strip_prefix("system:serviceaccount:")?.split_once(':')?;
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_label = |label: &str| {
        !label.is_empty() && label.chars().all(good) && label.trim_matches('-') == label
    };
    (is_label(namespace) && name.split('.').all(is_label)).then_some((namespace, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_completed_as_the_server_does() {
        let check = |name: &str, said: &[&str], want: &[&str]| {
            let said: Vec<String> = said.iter().map(|&group| group.to_owned()).collect();
            assert_eq!(User::new(name, &said).groups, want, "{name} {said:?}");
        };
        check("jane", &[], &["system:authenticated"]);
        check("jane", &["a", "b"], &["a", "b", "system:authenticated"]);
        check("jane", &["system:authenticated", "a"], &["system:authenticated", "a"]);
        check("jane", &["system:unauthenticated"], &["system:unauthenticated"]);
        check("system:anonymous", &[], &["system:unauthenticated"]);
        check("system:anonymous", &["a"], &["a", "system:unauthenticated"]);
        check(
            "system:serviceaccount:ns:app",
            &[],
            &["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
        );
        check("system:serviceaccount:ns:app", &["a"], &["a", "system:authenticated"]);
        for other in ["ns", "ns:", ":a", "Ns:a", "ns:a:b", "n.s:a", "ns:-a", "ns:a..b"] {
            let other = format!("system:serviceaccount:{other}");
            check(&other, &[], &["system:authenticated"]);
        }
    }
}
