//! Users and their groups.

/// The group that may do everything, without any authorizer being asked.
pub const MASTERS: &str = "system:masters";
/// The group of all authenticated users.
pub const AUTHENTICATED: &str = "system:authenticated";
/// The group of the anonymous user.
pub const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The anonymous user.
pub const ANONYMOUS: &str = "system:anonymous";
/// The group of kubelets, for which the Node authorizer decides too.
pub const NODES: &str = "system:nodes";

/// The user that a request is decided for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// The groups: first those that were given, then those that follow from the name.
    pub groups: Vec<String>,
    /// The UID, if it is known.
    pub uid: Option<String>,
    given_groups: usize,
}

impl User {
    /// Completes the groups of a user as the impersonation filter does: a service account without
    /// groups gets those of its namespace, and every user is either authenticated or not.
    /// Authentication adds the same groups.
    pub fn new(name: impl Into<String>, groups: &[String]) -> Self {
        let name = name.into();
        let (mut groups, given_groups) = (groups.to_vec(), groups.len());
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
        Self { name, groups, uid: None, given_groups }
    }

    /// Sets the UID, if there is one.
    pub fn with_uid(self, uid: Option<&String>) -> Self {
        Self { uid: uid.cloned(), ..self }
    }

    /// The groups that were given.
    pub(super) fn given_groups(&self) -> &[String] {
        self.groups.get(..self.given_groups).unwrap_or_default()
    }

    /// Whether the user may do everything.
    pub(super) fn is_masters(&self) -> bool {
        self.is_in(MASTERS)
    }

    /// Whether the Node authorizer treats the user as a kubelet.
    pub(super) fn is_node(&self) -> bool {
        let named = self.name.strip_prefix("system:node:").is_some_and(|name| !name.is_empty());
        named && self.is_in(NODES)
    }

    fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|one| one == group)
    }
}

/// Parses the user name of a service account into namespace and name. `None` for any other user, and
/// if namespace or name are invalid.
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
        let check = |name: &str, given: &[&str], want: &[&str]| {
            let given: Vec<String> = given.iter().map(|&group| group.to_owned()).collect();
            assert_eq!(User::new(name, &given).groups, want, "{name} {given:?}");
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
