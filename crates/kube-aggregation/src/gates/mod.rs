//! Feature gates: parses the `--feature-gates` flag, and knows which gates a server version
//! rejects. Pure.

use crate::model::Minor;

/// Returns how a flag sets a gate, or `None` if it does not. The last setting wins.
pub fn gate(flag: &str, name: &str) -> Option<bool> {
    set(flag).filter(|(one, _)| *one == name).last().map(|(_, on)| on)
}

/// Returns the gates that a flag sets. Since 1.32 a component name may precede each gate, and
/// `/flagz` writes an empty one.
pub fn set(flag: &str) -> impl Iterator<Item = (&str, bool)> {
    flag.split(',').filter_map(|gate| {
        let (component, gate) = gate.split_once(':').unwrap_or(("", gate));
        let (name, value) = gate.split_once('=')?;
        let on = matches!(value.trim(), "true" | "True" | "TRUE" | "t" | "T" | "1");
        matches!(component.trim(), "" | "kube").then(|| (name.trim(), on))
    })
}

/// Why a server does not start with a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// This version no longer knows the gate.
    Gone,
    /// This version locks the gate to the other value.
    Locked,
}

/// Returns why this minor rejects a gate setting, and since which minor. `None` if it accepts it.
pub fn trouble(name: &str, on: bool, minor: Minor) -> Option<(Trouble, u32)> {
    let past = |since: &u32| *since <= minor.minor;
    let gone = lines(include_str!("gone.txt")).find(|(_, gate)| *gate == name);
    let locked = lines(include_str!("locked.txt")).find(|(_, gate)| {
        let (gate, off) = gate.strip_prefix('-').map_or((*gate, false), |gate| (gate, true));
        gate == name && on == off
    });
    let found = |kind, since: Option<(u32, &str)>| Some((kind, since?.0)).filter(|(_, s)| past(s));
    found(Trouble::Gone, gone).or_else(|| found(Trouble::Locked, locked))
}

/// Parses `MINOR GATE…` lines into one pair per gate.
fn lines(text: &'static str) -> impl Iterator<Item = (u32, &'static str)> {
    text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| {
        let mut words = line.split(' ');
        let since = words.next().and_then(|minor| minor.parse().ok()).unwrap_or_default();
        words.map(move |gate| (since, gate))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_read_as_servers_and_flagz_write_them() {
        let all: Vec<_> = set(":A=true,kube:B=false, C=1,other:D=true,nonsense").collect();
        assert_eq!(all, [("A", true), ("B", false), ("C", true)]);
        assert_eq!(gate("A=true,A=false", "A"), Some(false));
        assert_eq!(gate("A=true", "B"), None);
    }

    #[test]
    fn gates_are_locked_before_they_go() {
        let check = |gate: &str, on: bool, minor: u32, want: Option<(Trouble, u32)>| {
            assert_eq!(trouble(gate, on, Minor::new(minor)), want, "{gate}={on} {minor}");
        };
        let gate = "AggregatedDiscoveryEndpoint";
        check(gate, false, 29, None);
        check(gate, false, 30, Some((Trouble::Locked, 30)));
        check(gate, true, 30, None);
        check(gate, true, 33, Some((Trouble::Gone, 33)));
        check("GitRepoVolumeDriver", true, 36, Some((Trouble::Locked, 36)));
        check("GitRepoVolumeDriver", false, 36, None);
        check("AllAlpha", true, 36, None);
    }
}
