//! Writes the reports of `aggctl lint`, one format per file.

use std::path::PathBuf;

use super::super::output::{Format, OutputFile, Reply, format_named};
use super::super::terminal::Terminal;
use crate::error::Error;
use crate::render::Answer;

/// Returns each format with the file to write it to.
pub(super) fn targets(
    formats: &[Format],
    files: &[PathBuf],
) -> Result<Vec<(Format, OutputFile)>, Error> {
    let named = |path: &PathBuf| path.to_str().and_then(|t| format_named(&t.to_lowercase()));
    if let Some(format) = files.iter().find(|path| named(path).is_some()) {
        let format = format.display();
        return Err(Error::usage(format!("--output takes a file, but {format} is a format"))
            .with_hint(format!("use -o {format}; for a file of that name, write ./{format}")));
    }
    if files.len() > formats.len() {
        return Err(Error::usage("there are more --output-file than -o options")
            .with_hint("give one -o per --output-file, in the same order"));
    }
    let files = files.iter().map(|path| OutputFile::new(path));
    let files = files.chain(std::iter::repeat_with(OutputFile::standard_output));
    let targets: Vec<_> = formats.iter().copied().zip(files).collect();
    if targets.iter().filter(|(_, file)| file.path().is_none()).count() > 1 {
        return Err(Error::usage("only one format can be written to standard output").with_hint(
            "give one --output-file per -o, in the same order (- for standard output)",
        ));
    }
    Ok(targets)
}

/// Writes one report.
pub(super) fn write(
    format: Format,
    target: &OutputFile,
    answer: &impl Answer,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    if target.path().is_none() {
        return Reply::new(terminal, format).answer(answer);
    }
    let mut bytes = vec![];
    Reply::new(&mut terminal.for_file(&mut bytes), format).answer(answer)?;
    target.write(&bytes, terminal)
}
