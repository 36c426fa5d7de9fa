//! Lists texts of which a new one is a new file and nothing else: the entries of `src/knowledge` and the
//! documentation of the linter's rules, each with its example.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a build script reads files")]

use std::path::Path;

fn main() -> std::io::Result<()> {
    // Asked for when it runs: a target folder may have moved since this was compiled.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&root);
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
