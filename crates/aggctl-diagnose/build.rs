//! Lists the files of `src/knowledge/entries`, so that adding a file adds an entry.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a build script reads files")]

use std::path::Path;

fn main() -> std::io::Result<()> {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("src/knowledge/entries");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut rows = vec![];
    for file in std::fs::read_dir(&folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "md")
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            rows.push(format!("    ({name:?}, include_str!({path:?})),\n"));
        }
    }
    rows.sort();
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("entries.rs"), format!("&[\n{}]\n", rows.concat()))
}
