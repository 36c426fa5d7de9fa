//! Fills the `{placeholders}` of entries.

/// Fills all placeholders; `None` if one of them has no value.
pub(super) fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let (mut filled, mut rest) = (String::with_capacity(template.len()), template);
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        filled.push_str(before);
        filled.push_str(&value(name)?);
        rest = after;
    }
    filled.push_str(rest);
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn every_placeholder_needs_a_value() {
        let value = |name: &str| (name == "a").then(|| "1".to_owned());
        assert_eq!(fill("x {a} y", value), Some("x 1 y".to_owned()));
        assert_eq!(fill("x {b} y", value), None);
        assert_eq!(fill("x", value), Some("x".to_owned()));
    }
}
