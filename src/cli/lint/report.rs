//! Where reports go.

use std::path::PathBuf;

use crate::cli::output::Format;
use crate::cli::terminal::Terminal;
use crate::error::Error;
use crate::render::lint::Lint;
use aggctl_source::files;

/// Writes one report.
pub(super) fn write(
    format: Format,
    target: Option<PathBuf>,
    answer: &Lint<'_>,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    let Some(path) = target else {
        return answered(format, answer, terminal);
    };
    let mut bytes = vec![];
    answered(format, answer, &mut terminal.for_file(&mut bytes))?;
    files::put(&path, &bytes).map_err(|error| Error::cannot_write(path.display(), &error))?;
    Ok(())
}

fn answered(format: Format, answer: &Lint<'_>, to: &mut Terminal<'_>) -> anyhow::Result<()> {
    let text = match format {
        Format::Sarif => answer.sarif(),
        Format::Junit => answer.junit(),
        Format::Github => answer.github(),
        format => return to.answer(format, answer),
    };
    Ok(to.out.write_all(text.as_bytes())?)
}
