//! Patterns for file names, from the command line and from configuration files.

use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// Longer patterns, and alternatives nested deeper, are nobody's.
const LONGEST: usize = 1_000;
const MOST_NESTED: usize = 8;

/// A pattern; `*` stays within a directory, `**` does not.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Vec<Part>);

#[derive(Debug, Clone)]
enum Part {
    Char(char),
    /// `?`, `[a-z]`, `[!a-z]`: one character that is no slash.
    Class {
        but: bool,
        ranges: Vec<(char, char)>,
    },
    /// `*`: anything without a slash.
    Star,
    /// `**/`: directories, or none.
    Directories,
    /// `**` at the end: anything.
    Everything,
    /// `{a,b}`
    OneOf(Vec<Vec<Part>>),
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("a pattern of {} bytes: {LONGEST} are the most", text.len()));
        }
        let mut rest = text.chars().peekable();
        let parts = parts(&mut rest, 0)?;
        match rest.next() {
            None => Ok(Self(parts)),
            Some(_) => Err("a } without its {".to_owned()),
        }
    }

    /// Whether a path fits.
    pub(crate) fn fits(&self, path: &Path) -> bool {
        let text = path.to_string_lossy();
        let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
        let mut starts = vec![false; text.len() + 1];
        starts[0] = true;
        ends(&self.0, &text, starts)[text.len()]
    }
}

/// The parts up to the end of the pattern, or of an alternative.
fn parts(rest: &mut Peekable<Chars<'_>>, nested: usize) -> Result<Vec<Part>, String> {
    let mut parts = vec![];
    while let Some(c) = rest.next_if(|c| nested == 0 && *c != '}' || !matches!(c, ',' | '}')) {
        parts.push(match c {
            '?' => Part::Class { but: true, ranges: vec![] },
            '[' => class(rest)?,
            '{' => Part::OneOf(alternatives(rest, nested + 1)?),
            '\\' if !cfg!(windows) => Part::Char(rest.next().ok_or("a \\ with nothing behind it")?),
            '*' => {
                let begins = matches!(parts.last(), None | Some(Part::Char('/')));
                let mut stars = 1;
                while rest.next_if_eq(&'*').is_some() {
                    stars += 1;
                }
                match rest.peek() {
                    Some('/') if stars == 2 && begins => {
                        rest.next();
                        Part::Directories
                    }
                    None | Some(',' | '}') if stars == 2 && begins => Part::Everything,
                    _ => Part::Star,
                }
            }
            c => Part::Char(c),
        });
    }
    Ok(parts)
}

fn alternatives(rest: &mut Peekable<Chars<'_>>, nested: usize) -> Result<Vec<Vec<Part>>, String> {
    if nested > MOST_NESTED {
        return Err(format!("alternatives are nested more than {MOST_NESTED} deep"));
    }
    let mut all = vec![];
    loop {
        all.push(parts(rest, nested)?);
        match rest.next() {
            Some('}') => return Ok(all),
            Some(_) => {}
            None => return Err("a { without its }".to_owned()),
        }
    }
}

fn class(rest: &mut Peekable<Chars<'_>>) -> Result<Part, String> {
    const UNCLOSED: &str = "a [ without its ]";
    let but = rest.next_if(|c| matches!(c, '!' | '^')).is_some();
    let mut ranges = vec![];
    loop {
        let first = rest.next().ok_or(UNCLOSED)?;
        if first == ']' && !ranges.is_empty() {
            return Ok(Part::Class { but, ranges });
        }
        let mut last = first;
        let mut ahead = rest.clone();
        if ahead.next() == Some('-') && ahead.peek().is_some_and(|c| *c != ']') {
            rest.next();
            last = rest.next().ok_or(UNCLOSED)?;
        }
        if last < first {
            return Err(format!("the range {first}-{last} runs backwards"));
        }
        ranges.push((first, last));
    }
}

/// Where matches of the parts end in a text, for where they may begin: all at once, so that no
/// pattern takes longer than its length times that of the text.
fn ends(parts: &[Part], text: &str, starts: Vec<bool>) -> Vec<bool> {
    let mut at = starts;
    for part in parts {
        let mut next = vec![false; at.len()];
        let mut open = false;
        for (here, is_start) in at.iter().enumerate() {
            let after_slash = here > 0 && text.as_bytes()[here - 1] == b'/';
            match part {
                Part::Everything => next[here] = open || *is_start,
                Part::Directories => next[here] = *is_start || open && after_slash,
                Part::Star => {
                    open &= !after_slash;
                    next[here] = open || *is_start;
                }
                Part::Char(_) | Part::Class { .. } if *is_start => {
                    let found = text.get(here..).and_then(|rest| rest.chars().next());
                    if let Some(c) = found.filter(|c| part.takes(*c)) {
                        next[here + c.len_utf8()] = true;
                    }
                }
                _ => {}
            }
            open |= *is_start;
        }
        if let Part::OneOf(all) = part {
            for one in all {
                let reached = ends(one, text, at.clone());
                next.iter_mut().zip(reached).for_each(|(next, reached)| *next |= reached);
            }
        }
        at = next;
    }
    at
}

impl Part {
    /// Whether a part of one character is this one.
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::Class { but, ranges } => {
                c != '/' && ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != *but
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_paths() {
        let check = |pattern: &str, fits: &[&str], others: &[&str]| {
            let compiled = Pattern::new(pattern).unwrap();
            for path in fits {
                assert!(compiled.fits(Path::new(path)), "{pattern} {path}");
            }
            for path in others {
                assert!(!compiled.fits(Path::new(path)), "{pattern} {path}");
            }
        };
        check("vendor/**", &["vendor/a/b.yaml", "vendor/a"], &["vendor", "other/vendor/a"]);
        check("*.{yaml,yml}", &["a.yml", "a.yaml", ".yml"], &["a.json", "a/b.yml", "a.yamlx"]);
        check("**/*.yaml", &["b.yaml", "a/b.yaml", "a/b/c.yaml"], &["b.yml", "a/b.yaml/c"]);
        check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb", "a/b/c"]);
        check("**", &["", "a", "a/b"], &[]);
        check("a**b", &["ab", "axb"], &["a/b"]);
        check("{deploy/**,**/kust*}", &["deploy/x/y", "a/kust", "kustomization"], &["deploy"]);
        check("v?.[a-c!]x", &["v1.ax", "vé.!x"], &["v1.dx", "v/.ax", "v.ax"]);
        check("[!a-c]", &["d", "é"], &["a", "/", "dd", ""]);
        check("[]-]", &["]", "-"], &["["]);
        check("{a,b{c,}}{,d}", &["a", "ad", "b", "bcd"], &["c", "", "dd"]);
        check("a,b", &["a,b"], &["a", "b"]);
        if !cfg!(windows) {
            check("\\*\\{", &["*{"], &["a{"]);
        }
    }

    #[test]
    fn what_is_no_pattern_is_told() {
        let error = |pattern: &str| Pattern::new(pattern).unwrap_err();
        let nested = "{a,".repeat(125) + &"}".repeat(125);
        assert_eq!(error(&nested), "alternatives are nested more than 8 deep");
        assert_eq!(error(&"?".repeat(131_070)), "a pattern of 131070 bytes: 1000 are the most");
        assert_eq!(error("a["), "a [ without its ]");
        assert_eq!(error("a[]"), "a [ without its ]");
        assert_eq!(error("a[z-a]"), "the range z-a runs backwards");
        assert_eq!(error("{a,b"), "a { without its }");
        assert_eq!(error("a}"), "a } without its {");
        if !cfg!(windows) {
            assert_eq!(error("a\\"), "a \\ with nothing behind it");
        }
        // All of these at once are still one walk along the text.
        let wide = format!("{{{}}}", vec!["{a,b,c,d,e,f,g,h}"; 40].join(""));
        let wide = Pattern::new(&wide).unwrap();
        assert!(wide.fits(Path::new(&"h".repeat(40))) && !wide.fits(Path::new(&"h".repeat(39))));
        let stars = Pattern::new(&"*a".repeat(400)).unwrap();
        assert!(!stars.fits(Path::new(&"a".repeat(399))));
    }
}
