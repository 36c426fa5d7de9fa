//! Durations as users type them: `500ms`, `1m30s`, `12h`, `30d`, `2w`, `1y`.

use std::time::Duration;

/// Returns the duration of one or more numbers, each followed by its unit.
pub fn parse(text: &str) -> Option<Duration> {
    if text.is_empty() {
        return None;
    }
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let (mut total, mut rest) = (Duration::ZERO, text);
    while !rest.is_empty() {
        let (number, tail) = rest.split_at(rest.find(|c| !is_number(c))?);
        let (unit, tail) = tail.split_at(tail.find(is_number).unwrap_or(tail.len()));
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            "w" => 7.0 * 86_400.0,
            "y" => 365.0 * 86_400.0,
            _ => return None,
        };
        let number: f64 = number.parse().ok()?;
        let part = Duration::try_from_secs_f64(number * seconds).ok()?;
        total = total.checked_add(part)?;
        rest = tail;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_unit() {
        for (text, millis) in [
            ("5s", 5_000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("0s", 0),
            ("1.5s", 1_500),
            ("2w", 1_209_600_000),
            ("1y", 31_536_000_000),
        ] {
            assert_eq!(parse(text), Some(Duration::from_millis(millis)), "{text}");
        }
        for text in
            ["", "s", "5", "5x", "-1s", "1m30", "..s", "5s ", "99999999999999999999y", "五s"]
        {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
