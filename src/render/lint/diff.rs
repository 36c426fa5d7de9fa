//! Edits as a unified diff.

use crate::lint::Edit;
use crate::render::{Paint, sanitise};
use std::fmt::Write;

const CONTEXT: usize = 3;

/// The edits of a file as `diff -u` would show them.
pub fn diff(name: &str, bytes: &[u8], edits: &[Edit], paint: Paint) -> String {
    let text = String::from_utf8_lossy(bytes);
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1))
        .filter(|at| *at < bytes.len())
        .collect();
    let line_of =
        |offset: usize| starts.partition_point(|start| *start <= offset).saturating_sub(1);
    let start_of = |line: usize| starts.get(line).copied().unwrap_or(bytes.len());

    // Edits of neighbouring lines are one change.
    let mut changes: Vec<Change<'_>> = Vec::new();
    for edit in edits {
        let first = line_of(edit.range.start);
        let last = line_of(edit.range.end.max(edit.range.start + 1) - 1);
        match changes.last_mut() {
            Some(change) if first < change.last => {
                change.last = change.last.max(last + 1);
                change.edits.push(edit);
            }
            _ => changes.push(Change { first, last: last + 1, edits: vec![edit] }),
        }
    }
    let mut out = String::new();
    let _ = writeln!(out, "{}", paint.strong(format!("--- {}", sanitise(name))));
    let _ = writeln!(out, "{}", paint.strong(format!("+++ {}", sanitise(name))));
    let mut shift = 0_i64;
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose context would touch share a hunk.
        let joined = rest.windows(2).take_while(|w| w[1].first <= w[0].last + 2 * CONTEXT).count();
        let (hunk, after) = rest.split_at(joined + 1);
        rest = after;
        let from = first.first.saturating_sub(CONTEXT);
        let to = hunk.last().map_or(from, |c| (c.last + CONTEXT).min(starts.len()));
        let mut body = String::new();
        let (mut old, mut new) = (0, 0);
        let mut line = from;
        for change in hunk {
            keep(&mut body, &text, line..change.first, &start_of, &mut old, &mut new);
            let range = start_of(change.first)..start_of(change.last);
            for removed in text.get(range.clone()).unwrap_or_default().lines() {
                let _ = writeln!(body, "{}", paint.bad(format!("-{}", sanitise(removed))));
                old += 1;
            }
            for added in change.result(&text, range).lines() {
                let _ = writeln!(body, "{}", paint.good(format!("+{}", sanitise(added))));
                new += 1;
            }
            line = change.last;
        }
        keep(&mut body, &text, line..to, &start_of, &mut old, &mut new);
        let at = i64::try_from(from).unwrap_or(0) + 1;
        let head = format!("@@ -{at},{old} +{},{new} @@", at + shift);
        let _ = writeln!(out, "{}\n{}", paint.away(head), body.trim_end_matches('\n'));
        shift += new - old;
    }
    out
}

struct Change<'a> {
    first: usize,
    last: usize,
    edits: Vec<&'a Edit>,
}

impl Change<'_> {
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

fn keep(
    body: &mut String,
    text: &str,
    lines: std::ops::Range<usize>,
    start_of: &impl Fn(usize) -> usize,
    old: &mut i64,
    new: &mut i64,
) {
    for line in lines {
        let kept = text.get(start_of(line)..start_of(line + 1)).unwrap_or_default();
        let _ = writeln!(body, " {}", sanitise(kept.trim_end_matches(['\n', '\r'])));
        *old += 1;
        *new += 1;
    }
}
