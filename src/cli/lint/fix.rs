//! Shows or applies the fixes of `aggctl lint`.

use std::io::ErrorKind;

use crate::cli::terminal::Terminal;
use crate::error::Error;
use crate::render;
use aggctl_lint::{self, Edit, Fix, LintInput, LintReport, UnsafeFix};
use aggctl_source::files;
use aggctl_source::files::plain;

/// Shows what the fixes would change.
pub(super) fn show(
    report: &LintReport,
    inputs: &[LintInput],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    for (file, plan) in plans(report, inputs) {
        let input = &inputs[file];
        match plan {
            Ok(edits) if edits.is_empty() => {}
            Ok(edits) => {
                let text = render::lint::diff(&input.name, &input.bytes, &edits, terminal.paint);
                terminal.print(text)?;
            }
            Err(problem) => not_fixed(input, &problem.to_string(), terminal)?,
        }
    }
    Ok(())
}

/// Applies the fixes to the files, and to the inputs so that they can be checked again. Returns
/// whether anything changed. A file that cannot be written is reported, and the others are still
/// fixed.
pub(super) fn apply(
    report: &LintReport,
    inputs: &mut [LintInput],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<bool> {
    let mut made = false;
    for (file, plan) in plans(report, inputs) {
        let input = &mut inputs[file];
        let written = match (plan, &input.path) {
            (Err(problem), _) => Err(problem.to_string()),
            (Ok(_), None) => Err("it is not a regular file".to_owned()),
            (Ok(edits), Some(path)) => {
                let bytes = aggctl_lint::apply(&input.bytes, &edits);
                match files::replace(path, &input.bytes, &bytes) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {
                        return Err(Error::cannot_write(&input.name, &error).into());
                    }
                    written => written.map(|()| (edits, bytes)).map_err(|error| plain(&error)),
                }
            }
        };
        match written {
            Ok((edits, bytes)) => {
                for edit in &edits {
                    let line = format!("fixed: {}: {}", input.name, edit.title);
                    writeln!(terminal.err, "{}", render::sanitize(&line))?;
                }
                made |= !edits.is_empty();
                input.bytes = bytes;
            }
            Err(problem) => not_fixed(input, &problem, terminal)?,
        }
    }
    Ok(made)
}

/// Returns the edits of each file that has something to fix.
fn plans(report: &LintReport, inputs: &[LintInput]) -> Vec<(usize, Result<Vec<Edit>, UnsafeFix>)> {
    let mut files: Vec<(usize, Vec<&Fix>)> = Vec::new();
    for located in &report.findings {
        let (Some(fix), file) = (&located.finding.fix, located.finding.place.file) else {
            continue;
        };
        match files.last_mut() {
            Some((last, fixes)) if *last == file => fixes.push(fix),
            _ => files.push((file, vec![fix])),
        }
    }
    let plan =
        |(file, fixes): (usize, Vec<&Fix>)| (file, aggctl_lint::edits(&inputs[file].bytes, &fixes));
    files.into_iter().map(plan).collect()
}

fn not_fixed(input: &LintInput, problem: &str, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    Ok(terminal.warn(&format!("{}: not fixed: {problem}", input.name))?)
}
