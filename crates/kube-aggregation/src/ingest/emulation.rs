//! Finds the version that a server runs and the one that it emulates, if `/version` does not state
//! them: from `/statusz`, the metric `version_info`, and a flag.

use super::SnapshotBuilder;
use super::named::typed;
use super::part::Part;
use crate::codec::StatuszObject;
use crate::model::{Input, Minor, ServerVersion, Snapshot};

/// The versions of a server that a document states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StatedVersions {
    binary: String,
    emulation: Option<Minor>,
}

/// Adds the structured form of `/statusz`.
pub(super) fn add_statusz<'a>(
    builder: &mut SnapshotBuilder,
    part: impl Part<'a>,
) -> Result<(), String> {
    let StatuszObject { binary_version, emulation_version } = typed("Statusz", part)?;
    let emulation = Minor::parse(&emulation_version);
    builder.stated_versions = Some(StatedVersions { binary: binary_version, emulation });
    Ok(())
}

/// Adds the text form of `/statusz`. Returns whether `text` is one.
pub(super) fn add_text(builder: &mut SnapshotBuilder, text: &str) -> bool {
    let mut lines = text.trim_start().lines().map(str::trim_end);
    if !matches!(lines.next(), Some("apiserver statusz" | "kube-apiserver statusz")) {
        return false;
    }
    let mut stated = StatedVersions::default();
    for line in lines {
        // The separator varies between servers.
        let value = |name: &str| {
            let rest = line.strip_prefix(name)?;
            Some(rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()))
        };
        if let Some(version) = value("Binary version") {
            version.clone_into(&mut stated.binary);
        }
        if let Some(version) = value("Emulation version") {
            stated.emulation = Minor::parse(version);
        }
    }
    builder.stated_versions = Some(stated);
    true
}

/// Parses the versions in `version_info{binary="…",component="kube",emulation="…"}`.
fn of_metrics(metrics: &str) -> Option<StatedVersions> {
    let line = metrics
        .lines()
        .find(|line| line.starts_with("version_info{") && line.contains(r#"component="kube""#))?;
    let label = |name: &str| {
        let (_, rest) = line.split_once(&format!(r#"{name}=""#))?;
        rest.split('"').next()
    };
    let emulation = label("emulation").and_then(Minor::parse);
    Some(StatedVersions { binary: label("binary")?.to_owned(), emulation })
}

/// Parses the value of `--emulated-version`: `1.36`, `kube=1.36` or `[kube=1.36]`.
fn of_flag(value: &str) -> Option<Minor> {
    let mut all = value.trim_matches(['[', ']']).split([',', ' ']);
    all.find_map(|one| {
        let (component, version) = one.split_once('=').unwrap_or(("kube", one));
        Minor::parse(version).filter(|_| component == "kube")
    })
}

/// Completes the version of a snapshot. What `/version` states takes precedence.
pub(super) fn settle(snapshot: &mut Snapshot, statusz: Option<StatedVersions>) {
    let metrics = snapshot.metrics.loaded().and_then(|metrics| of_metrics(metrics));
    let flag = snapshot.own_flag("emulated-version").flatten().and_then(of_flag);
    let stated = [statusz, metrics].into_iter().flatten();
    let emulation = stated.clone().find_map(|one| one.emulation).or(flag);
    if let Input::Loaded(version) = &mut snapshot.version {
        let minor = version.minor;
        version.emulation = version.emulation.or(emulation).filter(|one| Some(*one) != minor);
        return;
    }
    let binary = stated.map(|one| one.binary).find(|binary| Minor::parse(binary).is_some());
    if let Some(binary) = binary {
        let minor = Minor::parse(&binary);
        let emulation = emulation.filter(|one| Some(*one) != minor);
        let git_version = format!("v{}", binary.trim_start_matches('v'));
        snapshot.version = Input::Loaded(ServerVersion { minor, git_version, emulation });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(add: impl FnOnce(&mut SnapshotBuilder)) -> Option<(String, Option<Minor>)> {
        let mut builder = SnapshotBuilder::default();
        add(&mut builder);
        let (snapshot, _) = builder.build("x");
        snapshot.version.loaded().map(|v| (v.git_version.clone(), v.emulation))
    }

    #[test]
    fn emulation_is_read_wherever_it_is_said() {
        let want = Some(("v1.37.0".to_owned(), Some(Minor::new(36))));
        for separator in ["= ", ": ", " "] {
            let text = format!(
                "\napiserver statusz\nWarning: x\n\nUp{separator}1 hr\nBinary version{separator}1.37.0\nEmulation version{separator}1.36\n"
            );
            assert_eq!(version(|b| assert!(b.add_flags_text("f", &text))), want, "{separator:?}");
        }
        let json = r#"{"kind":"Statusz","apiVersion":"config.k8s.io/v1alpha1",
            "binaryVersion":"1.37.0","emulationVersion":"1.36"}"#;
        assert_eq!(version(|b| b.add_json("f", json).unwrap()), want);
        let metrics = "# TYPE version_info gauge\n\
            version_info{binary=\"1.37.0\",component=\"kube\",emulation=\"1.36\",min_compat=\"1.36\"} 1\n";
        assert_eq!(version(|b| b.set_metrics(metrics)), want);
        let json = r#"{"major":"1","minor":"37","emulationMajor":"1","emulationMinor":"36","gitVersion":"v1.37.0"}"#;
        assert_eq!(version(|b| b.add_json("f", json).unwrap()), want);
        for flag in ["1.36", "kube=1.36", "[kube=1.36]", "other=1.30,kube=1.36"] {
            let text = format!("apiserver flagz\nemulated-version={flag}\n");
            let plain = r#"{"major":"1","minor":"37","gitVersion":"v1.37.0"}"#;
            let both = |b: &mut SnapshotBuilder| {
                b.add_json("f", plain).unwrap();
                assert!(b.add_flags_text("f", &text));
            };
            assert_eq!(version(both), want, "{flag}");
        }
    }

    #[test]
    fn without_emulation_none_is_claimed() {
        let text = "apiserver flagz\nemulated-version=[]\n";
        assert_eq!(version(|b| assert!(b.add_flags_text("f", text))), None);
        assert!(!add_text(&mut SnapshotBuilder::default(), "kubelet statusz\n"));
    }
}
