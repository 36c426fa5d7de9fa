//! How long ago a time was.

use std::fmt;

use jiff::Timestamp;

/// How long ago something was, in seconds; shown in one unit, rounded down: `11 h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Age(pub i64);

impl Age {
    /// The age of a timestamp; `None` if it is invalid or in the future.
    pub fn since(then: &str, now: Timestamp) -> Option<Self> {
        let then: Timestamp = then.parse().ok()?;
        now.as_second().checked_sub(then.as_second()).filter(|s| *s >= 0).map(Self)
    }

    fn in_one_unit(self) -> (i64, &'static str) {
        match self.0 {
            seconds @ ..=119 => (seconds, "s"),
            seconds @ 120..=7_199 => (seconds / 60, "min"),
            seconds @ 7_200..=172_799 => (seconds / 3_600, "h"),
            seconds => (seconds / 86_400, "days"),
        }
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit) = self.in_one_unit();
        write!(f, "{number} {unit}")
    }
}

/// The age of a timestamp as in kubectl's AGE column: `11h`.
pub fn short_age(then: &str, now: Timestamp) -> Option<String> {
    let (number, unit) = Age::since(then, now)?.in_one_unit();
    Some(format!("{number}{}", unit.get(..1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
        let check = |then: &str, want: Option<&str>| {
            let age = Age::since(then, now).map(|age| age.to_string());
            assert_eq!(age.as_deref(), want, "{then}");
        };
        check("2026-11-16T12:00:00Z", Some("0 s"));
        check("2026-11-16T11:58:01Z", Some("119 s"));
        check("2026-11-16T11:58:00Z", Some("2 min"));
        check("2026-11-16T01:06:14Z", Some("10 h"));
        check("2026-11-14T12:00:00Z", Some("2 days"));
        check("2026-11-16T12:00:01Z", None);
        check("yesterday", None);
        check("", None);
        let short = |then: &str| short_age(then, now);
        assert_eq!(short("2026-11-14T12:00:00Z").as_deref(), Some("2d"));
        assert_eq!(short("2026-11-16T11:58:00Z").as_deref(), Some("2m"));
        assert_eq!(short(""), None);
    }
}
