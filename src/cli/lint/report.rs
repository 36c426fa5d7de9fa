//! Writes the reports of `aggctl lint`, one format per file.

use std::path::PathBuf;

use super::super::output::{Format, OutputFile, Reply, format_named};
use super::super::terminal::Terminal;
use crate::error::Error;
use crate::render::lint::Lint;

/// Returns each format with the file to write it to.
pub(super) fn targets(
    formats: &[Format],
    files: &[PathBuf],
) -> Result<Vec<(Format, OutputFile)>, Error> {
    let named = |path: &PathBuf| path.to_str().and_then(|t| format_named(&t.to_lowercase()));
    if let Some(format) = files.iter().find(|path| named(path).is_some()) {
        let format = format.display();
        return Err(Error::usage(format!("--output is a file, and {format} is a format"))
            .with_hint(format!("--format {format}; a file of that name is ./{format}")));
    }
    if files.len() > formats.len() {
        return Err(Error::usage("more --output-file than -o")
            .with_hint("give an -o for each --output-file, in the same order"));
    }
    let files = files.iter().map(|path| OutputFile::new(path));
    let files = files.chain(std::iter::repeat_with(OutputFile::standard_output));
    let targets: Vec<_> = formats.iter().copied().zip(files).collect();
    if targets.iter().filter(|(_, file)| file.path().is_none()).count() > 1 {
        return Err(Error::usage("several formats would go to standard output")
            .with_hint("give each -o an --output-file, in the same order; - is standard output"));
    }
    Ok(targets)
}

/// Writes one report.
pub(super) fn write(
    format: Format,
    target: &OutputFile,
    answer: &Lint<'_>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    if target.path().is_none() {
        return Reply::new(terminal, format).answer(answer);
    }
    let mut bytes = vec![];
    Reply::new(&mut terminal.for_file(&mut bytes), format).answer(answer)?;
    target.write(&bytes, terminal)
}
