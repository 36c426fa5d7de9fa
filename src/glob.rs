//! Patterns for file names, from the command line and from configuration files.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

/// Longer patterns, and alternatives nested deeper, are nobody's: compiled, they could take all
/// memory.
const LONGEST: usize = 1_000;
const MOST_NESTED: usize = 8;

/// A pattern; `*` stays within a directory, `**` does not.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(GlobSet);

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("a pattern of {} bytes: {LONGEST} are the most", text.len()));
        }
        let mut depth = 0_usize;
        for byte in text.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MOST_NESTED {
                return Err(format!("alternatives are nested more than {MOST_NESTED} deep"));
            }
        }
        let glob = GlobBuilder::new(text).literal_separator(true).build();
        let glob = glob.map_err(|error| error.to_string())?;
        let set = GlobSetBuilder::new().add(glob).build().map_err(|error| error.to_string())?;
        Ok(Self(set))
    }

    /// Whether a path fits.
    pub(crate) fn fits(&self, path: &Path) -> bool {
        self.0.is_match(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_paths() {
        let fits = |pattern: &str, path: &str| Pattern::new(pattern).unwrap().fits(Path::new(path));
        assert!(fits("vendor/**", "vendor/a/b.yaml"));
        assert!(fits("*.{yaml,yml}", "a.yml"));
        assert!(!fits("*.yaml", "a/b.yaml"));
    }

    #[test]
    fn patterns_are_bounded() {
        let error = |pattern: &str| Pattern::new(pattern).unwrap_err();
        let nested = "{a,".repeat(125) + &"}".repeat(125);
        assert_eq!(error(&nested), "alternatives are nested more than 8 deep");
        assert_eq!(error(&"?".repeat(131_070)), "a pattern of 131070 bytes: 1000 are the most");
        assert!(error("a[").contains("unclosed character class"), "{}", error("a["));
        let wide = format!("{{{}}}", vec!["{a,b,c,d,e,f,g,h}"; 40].join(""));
        assert!(Pattern::new(&wide).is_ok());
    }
}
