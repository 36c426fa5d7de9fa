//! Lists texts of which a new one is a new file and nothing else: the entries of `src/knowledge` and the
//! documentation of the linter's rules, each with its example.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a build script reads files")]

use std::path::Path;

fn main() -> std::io::Result<()> {
    // Asked for when it runs: a target folder may have moved since this was compiled.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
    link_for_a_fast_start();
    let entries = root.join("src/knowledge/entries");
    list(&entries, "entries.rs", |name| vec![entries.join(format!("{name}.md"))])?;
    let docs = root.join("src/lint/docs");
    list(&docs, "rules.rs", |name| {
        let example = root.join("testdata/lint").join(name).join("example.yaml");
        vec![docs.join(format!("{name}.md")), example]
    })
}

/// Writes a table of the Markdown files of a folder: their names, and the texts that belong to each.
fn list(
    folder: &Path,
    table: &str,
    texts: impl Fn(&str) -> Vec<std::path::PathBuf>,
) -> std::io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = vec![];
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|e| e == "md") {
            names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    let row = |name: &String| {
        let texts = texts(name).into_iter().map(|path| format!(", include_str!({path:?})"));
        format!("    ({name:?}{}),\n", texts.collect::<String>())
    };
    let rows: String = names.iter().map(row).collect();
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join(table), format!("&[\n{rows}]\n"))
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
        // The unwinder comes with the compiler too: one library less to look for and to load.
        if has_static_unwinder() {
            println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
        }
    }
}

/// Whether the linker finds it for the target: it then tells a path, else it repeats the name.
fn has_static_unwinder() -> bool {
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let linker = std::env::var_os("RUSTC_LINKER");
    let native = std::env::var_os("HOST") == std::env::var_os("TARGET");
    let Some(linker) = linker.or_else(|| native.then(|| "cc".into())) else { return false };
    let asked = std::process::Command::new(linker).arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|told| {
        let path = String::from_utf8_lossy(&told.stdout);
        told.status.success() && Path::new(path.trim_end()).is_absolute()
    })
}
