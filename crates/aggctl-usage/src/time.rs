//! Parses and formats the timestamps of audit logs, in microseconds since 1970.
//!
//! jiff parses them. A custom parser for the one form that Kubernetes writes would make `usage` a
//! fifth faster on one core (measured with `cargo bench --bench usage`: 21.5 instead of 18 times as
//! fast as jq).

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimeParser;

const PARSER: DateTimeParser = DateTimeParser::new();

/// Parses an RFC 3339 timestamp, such as `2026-11-16T18:01:26.493066Z`.
pub fn micros(text: &[u8]) -> Option<i64> {
    PARSER.parse_timestamp(text).ok().map(Timestamp::as_microsecond)
}

/// Formats a time, to the second.
pub fn rfc3339(micros: i64) -> String {
    let second = Timestamp::from_second(micros.div_euclid(1_000_000));
    second.map(|time| time.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form() {
        let micros = |text: &str| micros(text.as_bytes());
        assert_eq!(micros("1970-01-01T00:00:00.000001Z"), Some(1));
        assert_eq!(micros("2026-11-16T18:01:26.493066Z"), Some(1_794_852_086_493_066));
        assert_eq!(micros("2026-11-16T20:01:26+02:00"), micros("2026-11-16T18:01:26Z"));
        assert_eq!(micros("2026-11-16T18:01:26.123456789Z"), Some(1_794_852_086_123_456));
        assert_eq!(micros("2026-13-16T18:01:26Z"), None);
        assert_eq!(micros("yesterday"), None);
        assert_eq!(rfc3339(1_794_852_086_493_066), "2026-11-16T18:01:26Z");
    }
}
