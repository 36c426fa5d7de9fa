//! Parses and formats the timestamps of audit logs, in microseconds since 1970.

use jiff::Timestamp;

/// Parses `2026-11-16T18:01:26.493066Z`. Other forms of RFC 3339 take a slower path.
pub fn micros(text: &[u8]) -> Option<i64> {
    as_events_have(text).or_else(|| {
        let time: Timestamp = std::str::from_utf8(text).ok()?.parse().ok()?;
        Some(time.as_microsecond())
    })
}

/// Parses two timestamps of one event. Most are within the same minute, which is faster.
pub(super) fn span(first: &[u8], second: &[u8]) -> Option<(i64, i64)> {
    let start = micros(first)?;
    let of_minute = |text: &[u8]| match text.split_at_checked(MINUTE)? {
        (_, [s, ss, b'.', a, b, c, d, e, f, b'Z']) => digits([s, ss, a, b, c, d, e, f]),
        _ => None,
    };
    let same = first.get(..MINUTE) == second.get(..MINUTE);
    let end = match (of_minute(first), of_minute(second)) {
        (Some(from), Some(to)) if same => start - from + to,
        _ => micros(second)?,
    };
    Some((start, end))
}

/// The length of `2026-11-16T18:01:`.
const MINUTE: usize = 17;

/// Parses the usual form of event timestamps, with six digits after the second.
fn as_events_have(text: &[u8]) -> Option<i64> {
    let [date @ .., b'T', h, hh, b':', m, mm, b':', s, ss, b'.', a, b, c, d, e, f, b'Z'] = text
    else {
        return None;
    };
    let [y, yy, yyy, yyyy, b'-', o, oo, b'-', n, nn] = date else { return None };
    let (year, month, day) = (digits([y, yy, yyy, yyyy])?, digits([o, oo])?, digits([n, nn])?);
    let (hour, minute, second) = (digits([h, hh])?, digits([m, mm])?, digits([s, ss])?);
    let valid = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second < 61;
    let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    let fraction = digits([a, b, c, d, e, f])?;
    valid.then_some(seconds * 1_000_000 + fraction)
}

/// Formats a time, to the second.
pub fn rfc3339(micros: i64) -> String {
    let second = Timestamp::from_second(micros.div_euclid(1_000_000));
    second.map(|time| time.to_string()).unwrap_or_default()
}

fn digits<const N: usize>(bytes: [&u8; N]) -> Option<i64> {
    let valid = bytes.iter().all(|byte| byte.is_ascii_digit());
    let number = bytes.iter().fold(0, |all, byte| all * 10 + i64::from(byte.wrapping_sub(b'0')));
    valid.then_some(number)
}

/// Returns the days from 1970 to a day of the Gregorian calendar. Years begin in March here, so
/// that the leap day is the last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn the_fast_way_is_the_slow_way(micros in 0i64..4_000_000_000_000_000, took in 0i64..90_000_000) {
            let time = Timestamp::from_microsecond(micros).unwrap();
            let text = format!("{time:.6}");
            prop_assert_eq!(as_events_have(text.as_bytes()), Some(micros));
            let later = micros + took;
            let then = format!("{:.6}", Timestamp::from_microsecond(later).unwrap());
            prop_assert_eq!(span(text.as_bytes(), then.as_bytes()), Some((micros, later)));
        }
    }
}
