//! Dumps as shells and archivers pass them around.

use std::path::Path;
use std::process::Command;

use crate::client::Served;
use crate::harness::repository;

/// What a shell opened is a pipe that ends, unlike a named pipe, which may not.
pub(crate) fn bash_process_substitution_is_read() {
    let dump = repository("testdata/serve/cluster.yaml");
    let script = "\"$0\" route /apis/weather.example.org/v1 -o name --dump <(cat \"$1\")";
    let mut bash = Command::new("bash");
    bash.args(["-c", script, env!("CARGO_BIN_EXE_aggctl")]).arg(dump);
    let output = bash.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "weather/station\n", "{output:?}");
}

/// `tar` accepts the archive without a word. It has the files of the directory, and no path of the
/// machine that made it.
pub(crate) fn tar_unpacks_a_dump() {
    let recording = repository("crates/kube-aggregation/testdata/v1.36-crds/dump");
    let served = Served::start(&["--dump", recording.to_str().unwrap()]);
    let folder = tempfile::tempdir().unwrap();
    for target in ["plain", "some.tar.gz"] {
        let mut dump = Command::new(env!("CARGO_BIN_EXE_aggctl"));
        dump.args(["dump", target, "--kubeconfig", &served.kubeconfig]).current_dir(&folder);
        let output = dump.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--gzip", "--file", "some.tar.gz"]).current_dir(&folder);
    let output = tar.output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let (plain, packed) = (files(&folder.path().join("plain")), files(&folder.path().join("dump")));
    assert!(plain.len() > 20, "{}", plain.len());
    assert_eq!(packed, plain);
    let own = folder.path().to_str().unwrap();
    let named: Vec<_> = plain.iter().filter(|(_, text)| text.contains(own)).collect();
    assert!(named.is_empty(), "{named:?}");
}

/// Returns the files of a dump without its manifest, which says when it was made.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .filter(|(name, _)| name != "aggctl-dump.json")
        .collect();
    all.sort();
    all
}
