//! Quoted texts that go on at the left of where YAML 1.2 wants them.
//!
//! `libyaml` and with it kubectl take them: the blanks at the start of such a line mean nothing.
//! So they are read once more with blanks added, and places are counted without those.

use super::error::Fault;
use super::node::Span;
use super::yaml::{Comment, Parsed};

/// How many bytes are read again, at most.
const MOST_READ: usize = 16 << 20;

/// Reads a text again and again, each time with one more line indented.
pub(super) fn parse(
    text: &str,
    base: usize,
    read: impl for<'t> Fn(&'t str) -> Vec<Result<Parsed<'t>, Fault>>,
) -> Vec<Result<Parsed<'static>, Fault>> {
    let width = text.lines().map(|line| line.len() - line.trim_start_matches(' ').len()).max();
    let blanks = " ".repeat(width.unwrap_or(0) + 1);
    let mut indented = text.to_owned();
    let mut added: Vec<usize> = Vec::new();
    let mut left = MOST_READ;
    loop {
        left = left.saturating_sub(indented.len());
        let documents = read(&indented);
        let refused = documents.iter().find_map(|d| match d {
            Err(fault) if fault.unindented => Some(fault.offset),
            _ => None,
        });
        if let Some(offset) = refused
            && left > 0
            && offset <= indented.len()
        {
            let line = indented[..offset].rfind('\n').map_or(0, |at| at + 1);
            // A line that is indented already and still refused cannot be helped.
            if added.last().is_none_or(|last| *last < line) {
                added.push(line);
                indented.insert_str(line, &blanks);
                continue;
            }
        }
        let back = |offset: u32| {
            let before: usize = (added.iter())
                .map(|at| (offset as usize).saturating_sub(*at).min(blanks.len()))
                .sum();
            offset as usize - before + base
        };
        let to = |span: Span| Span::new(back(span.start), back(span.end));
        let comment = |c: Comment| Comment { span: to(c.span), ..c };
        return documents
            .into_iter()
            .map(|document| match document {
                Ok((root, comments)) => {
                    Ok((root.moved(&to), comments.into_iter().map(comment).collect()))
                }
                Err(fault) => {
                    let offset = back(u32::try_from(fault.offset).unwrap_or(u32::MAX));
                    Err(Fault { offset, ..fault })
                }
            })
            .collect();
    }
}
