//! Builds the name of a client: the user, and the program that sent the request.

use std::fmt::Write;

/// Writes a client's name: the user, and the name and version of its program, if known.
pub(super) fn name(user: &str, agent: &str, into: &mut String) {
    into.push_str(if user.is_empty() { "(nobody)" } else { user });
    let program = agent.split([' ', '(', ';']).next().unwrap_or_default();
    let (name, version) = program.split_once('/').unwrap_or((program, ""));
    if name.is_empty() {
        return;
    }
    let _ = write!(into, " {name}");
    // Programs that were built without a version all report 0.0.0.
    let version = minor(version);
    if !version.is_empty() && version.trim_start_matches('v') != "0.0" {
        let _ = write!(into, "/{version}");
    }
}

/// Returns the minor version, such as `v1.33` for `v1.33.1-eks-a1b2`. Clients that differ only in
/// the patch version count as one.
fn minor(version: &str) -> &str {
    let is_number = |c: char| c == 'v' || c.is_ascii_digit() || c == '.';
    let number = version.split(|c| !is_number(c)).next().unwrap_or_default();
    match number.match_indices('.').nth(1) {
        Some((at, _)) => number.get(..at).unwrap_or(number),
        None => number.trim_end_matches('.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_users_with_programs() {
        let check = |user: &str, agent: &str, want: &str| {
            let mut got = String::new();
            name(user, agent, &mut got);
            assert_eq!(got, want);
        };
        check("jane", "kubectl/v1.33.1 (linux/amd64) kubernetes/8e5f", "jane kubectl/v1.33");
        check(
            "system:serviceaccount:a:b",
            "manager/v0.0.0 (linux/amd64) kubernetes/$Format",
            "system:serviceaccount:a:b manager",
        );
        check("jane", "kubectl/v1.33.1-eks-1b", "jane kubectl/v1.33");
        check("jane", "Go-http-client/2.0", "jane Go-http-client/2.0");
        check("jane", "Mozilla/5.0 (X11; Linux)", "jane Mozilla/5.0");
        check("jane", "curl", "jane curl");
        check("jane", "", "jane");
        check("", "x/dev", "(nobody) x");
    }
}
