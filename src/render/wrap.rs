//! Lines that fit.

/// Breaks a sentence into lines of at most `width` characters, at spaces where there are any.
/// Width is counted in characters: the texts that are wrapped are mostly ASCII.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > width {
            lines.push(String::new());
            used = 0;
        }
        let Some(line) = lines.last_mut() else { break };
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += length;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_at_spaces_only() {
        assert_eq!(wrap("aaaa bbbb cccc dddd eeee", 20), ["aaaa bbbb cccc dddd", "eeee"]);
        assert_eq!(wrap("a", 20), ["a"]);
        let long = "x".repeat(50);
        assert_eq!(wrap(&format!("a {long} b"), 20), ["a", &long, "b"]);
    }
}
