//! Lists the files of `src/knowledge/entries`, so that a new entry is a new file and nothing else.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a build script reads files")]

use std::path::Path;

fn main() -> std::io::Result<()> {
    // Asked for when it runs: a target folder may have moved since this was compiled.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&root).join("src/knowledge/entries");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = vec![];
    for file in std::fs::read_dir(&folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|e| e == "md") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    let row = |name: &String| {
        format!("    ({name:?}, include_str!({:?})),\n", folder.join(format!("{name}.md")))
    };
    let rows: String = names.iter().map(row).collect();
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("entries.rs"), format!("&[\n{rows}]\n"))
}
