//! The output of `lint --diff`: edits as a unified diff.

use crate::render::{Paint, sanitize};
use aggctl_lint::Edit;
use std::fmt::Write;

const CONTEXT: usize = 3;

/// Returns the edits of a file as `diff -u` shows them.
pub fn diff(name: &str, bytes: &[u8], edits: &[Edit], paint: Paint) -> String {
    let text = String::from_utf8_lossy(bytes);
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1))
        .filter(|at| *at < bytes.len())
        .collect();
    let line_of =
        |offset: usize| starts.partition_point(|start| *start <= offset).saturating_sub(1);
    let start_of = |line: usize| starts.get(line).copied().unwrap_or(bytes.len());
    let kept = |line: usize| {
        let line = text.get(start_of(line)..start_of(line + 1)).unwrap_or_default();
        format!(" {}", sanitize(line.trim_end_matches(['\n', '\r'])))
    };

    // Edits of neighboring lines are one change.
    let mut changes: Vec<LineChange<'_>> = Vec::new();
    for edit in edits {
        let first = line_of(edit.range.start);
        let last = line_of(edit.range.end.max(edit.range.start + 1) - 1);
        match changes.last_mut() {
            Some(change) if first < change.last => {
                change.last = change.last.max(last + 1);
                change.edits.push(edit);
            }
            _ => changes.push(LineChange { first, last: last + 1, edits: vec![edit] }),
        }
    }
    let mut out = String::new();
    let _ = writeln!(out, "{}", paint.strong(format!("--- {}", sanitize(name))));
    let _ = writeln!(out, "{}", paint.strong(format!("+++ {}", sanitize(name))));
    let mut shift = 0_i64;
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose context would touch share a hunk.
        let joined = rest.windows(2).take_while(|w| w[1].first <= w[0].last + 2 * CONTEXT).count();
        let (hunk, after) = rest.split_at(joined + 1);
        rest = after;
        let from = first.first.saturating_sub(CONTEXT);
        let to = hunk.last().map_or(from, |c| (c.last + CONTEXT).min(starts.len()));
        let mut body = vec![];
        let (mut removed, mut added) = (0, 0);
        let mut line = from;
        for change in hunk {
            body.extend((line..change.first).map(kept));
            let range = start_of(change.first)..start_of(change.last);
            for old in text.get(range.clone()).unwrap_or_default().lines() {
                body.push(paint.bad(format!("-{}", sanitize(old))).to_string());
                removed += 1;
            }
            for new in change.result(&text, range).lines() {
                body.push(paint.good(format!("+{}", sanitize(new))).to_string());
                added += 1;
            }
            line = change.last;
        }
        body.extend((line..to).map(kept));
        let (at, old) = (from as i64 + 1, body.len() as i64 - added);
        let head = format!("@@ -{at},{old} +{},{} @@", at + shift, old - removed + added);
        let _ = writeln!(out, "{}\n{}", paint.away(head), body.join("\n"));
        shift += added - removed;
    }
    out
}

struct LineChange<'a> {
    first: usize,
    last: usize,
    edits: Vec<&'a Edit>,
}

impl LineChange<'_> {
    fn result(&self, text: &str, lines: std::ops::Range<usize>) -> String {
        let mut out = String::new();
        let mut at = lines.start;
        for edit in &self.edits {
            out.push_str(text.get(at..edit.range.start).unwrap_or_default());
            out.push_str(&edit.text);
            at = edit.range.end;
        }
        out.push_str(text.get(at..lines.end).unwrap_or_default());
        out
    }
}
