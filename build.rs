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
    link_for_a_fast_start();
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("entries.rs"), format!("&[\n{rows}]\n"))
}

/// Has the linker settle all addresses, as it does for kubectl: of a position-independent binary
/// every page with an address in it is copied and mended at each start, an eighth of its time.
fn link_for_a_fast_start() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
