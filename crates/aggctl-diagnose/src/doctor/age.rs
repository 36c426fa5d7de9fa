//! Times and how long ago they were, as people say it.

use jiff::Timestamp;

/// How long ago a time was, such as `11 h`; `None` where it cannot be read or is yet to come.
pub fn age(then: &str, now: Timestamp) -> Option<String> {
    let then: Timestamp = then.parse().ok()?;
    let seconds = now.as_second().checked_sub(then.as_second()).filter(|s| *s >= 0)?;
    Some(span(seconds))
}

/// How long ago a time was, as kubectl's AGE columns have it: `11h`.
pub fn short_age(then: &str, now: Timestamp) -> Option<String> {
    let age = age(then, now)?;
    let (number, unit) = age.split_once(' ')?;
    Some(format!("{number}{}", unit.get(..1)?))
}

/// A span of time in one unit, rounded down.
pub(super) fn span(seconds: i64) -> String {
    match seconds {
        ..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        7_200..=172_799 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let now: Timestamp = "2026-11-16T12:00:00Z".parse().unwrap();
        let check =
            |then: &str, want: Option<&str>| assert_eq!(age(then, now).as_deref(), want, "{then}");
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
