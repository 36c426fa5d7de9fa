//! An empty machine for one run of aggctl: everything that the run writes can be listed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Home, temporary and working directory of a run, all empty.
pub(crate) struct Sandbox(tempfile::TempDir);

/// Every file and directory of a sandbox. Files have their content.
pub(crate) type Tree = BTreeMap<String, Option<Vec<u8>>>;

impl Sandbox {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for directory in ["home", "tmp", "work"] {
            std::fs::create_dir(root.path().join(directory)).unwrap();
        }
        Self(root)
    }

    /// Returns the path of a file in the working directory.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.0.path().join("work").join(name)
    }

    /// Runs the binary in the working directory, with nothing else in its environment.
    pub(crate) fn aggctl(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
        command.env_clear().env("COLUMNS", "80").stdin(Stdio::null());
        command.env("HOME", self.0.path().join("home")).current_dir(self.work(""));
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, self.0.path().join("tmp"));
        }
        command
    }

    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        add(self.0.path(), self.0.path(), &mut tree);
        tree
    }
}

/// Adds the content of a directory to a tree.
fn add(root: &Path, directory: &Path, tree: &mut Tree) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let is_directory = path.symlink_metadata().unwrap().is_dir();
        let content = (!is_directory).then(|| std::fs::read(&path).unwrap());
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        tree.insert(name, content);
        if is_directory {
            add(root, &path, tree);
        }
    }
}

/// Lists what differs between two trees, one line each.
pub(crate) fn changes(before: &Tree, after: &Tree) -> Vec<String> {
    let added = after.iter().filter_map(|(name, content)| match before.get(name) {
        None => Some(name.clone()),
        Some(old) if old != content => Some(format!("{name} (changed)")),
        Some(_) => None,
    });
    let removed = before.keys().filter(|name| !after.contains_key(*name));
    added.chain(removed.map(|name| format!("{name} (removed)"))).collect()
}
