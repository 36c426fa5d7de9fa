//! Ages as the server prints them.

use jiff::Timestamp;

/// Returns how long ago a time was: `27h`, `5m3s`, or `<unknown>`.
pub(super) fn since(then: &str, now: Timestamp) -> String {
    match then.parse::<Timestamp>() {
        Ok(then) => human(now.as_second() - then.as_second()),
        Err(_) => "<unknown>".to_owned(),
    }
}

/// Mirrors `duration.HumanDuration`: two units if the larger one is small.
pub(super) fn human(seconds: i64) -> String {
    let two = |large: i64, unit: &str, small: i64, other: &str| match small {
        0 => format!("{large}{unit}"),
        _ => format!("{large}{unit}{small}{other}"),
    };
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    match seconds {
        ..=-2 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        0..=119 => format!("{seconds}s"),
        _ if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        _ if minutes < 180 => format!("{minutes}m"),
        _ if hours < 8 => two(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if hours < 192 => two(hours / 24, "d", hours % 24, "h"),
        _ if hours < 24 * 365 * 2 => format!("{}d", hours / 24),
        _ if hours < 24 * 365 * 8 => two(hours / 24 / 365, "y", hours / 24 % 365, "d"),
        _ => format!("{}y", hours / 24 / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_those_of_the_server() {
        for (seconds, want) in [
            (-5, "<invalid>"),
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (183, "3m3s"),
            (3_600, "60m"),
            (4 * 3_600, "4h"),
            (4 * 3_600 + 60, "4h1m"),
            (27 * 3_600 + 60, "27h"),
            (49 * 3_600, "2d1h"),
            (30 * 86_400, "30d"),
            (800 * 86_400, "2y70d"),
            (4_000 * 86_400, "10y"),
        ] {
            assert_eq!(human(seconds), want);
        }
        assert_eq!(since("", Timestamp::UNIX_EPOCH), "<unknown>");
        assert_eq!(since("1969-12-31T23:59:00Z", Timestamp::UNIX_EPOCH), "60s");
    }
}
