//! Times as audit logs write them, in microseconds since 1970.

use jiff::Timestamp;

/// Reads `2026-11-16T18:01:26.493066Z`; other forms of RFC 3339 the slow way.
pub fn micros(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let fast = || {
        let (date, rest) = bytes.split_at_checked(19)?;
        let (b"T", b"-", b"-", b":", b":") = (
            date.get(10..11)?,
            date.get(4..5)?,
            date.get(7..8)?,
            date.get(13..14)?,
            date.get(16..17)?,
        ) else {
            return None;
        };
        let number = |from: usize, to: usize| digits(date.get(from..to)?);
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let valid = (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && hour < 24
            && minute < 60
            && second < 61;
        let fraction = match rest.strip_suffix(b"Z")? {
            [] => 0,
            [b'.', part @ ..] if part.len() == 6 => digits(part)?,
            _ => return None,
        };
        let seconds = days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
        valid.then_some(seconds * 1_000_000 + fraction)
    };
    fast().or_else(|| text.parse::<Timestamp>().ok().map(Timestamp::as_microsecond))
}

/// A time, to the second.
pub fn rfc3339(micros: i64) -> String {
    let second = Timestamp::from_second(micros.div_euclid(1_000_000));
    second.map(|time| time.to_string()).unwrap_or_default()
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes
        .iter()
        .try_fold(0, |all, byte| byte.is_ascii_digit().then(|| all * 10 + i64::from(byte - b'0')))
}

/// Days from 1970 to a day of the Gregorian calendar; years begin in March, so that the odd day is
/// the last.
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
        fn the_fast_way_is_the_slow_way(second in 0i64..4_000_000_000) {
            let text = Timestamp::from_second(second).unwrap().to_string();
            prop_assert_eq!(micros(&text), Some(second * 1_000_000));
        }
    }
}
