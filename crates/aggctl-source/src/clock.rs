//! The time of day.

use std::time::SystemTime;

use jiff::Timestamp;

/// Returns the current time. Clamps a clock beyond jiff's last day, in December 9999, to that day,
/// because `Timestamp::now` would panic.
pub fn now() -> Timestamp {
    of(SystemTime::now())
}

/// Returns a time of the file system or the clock.
pub(crate) fn of(time: SystemTime) -> Timestamp {
    Timestamp::try_from(time).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_end_of_time_is_a_time() {
        let at = |seconds| of(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(1), Timestamp::from_second(1).unwrap());
        // 9999-12-31T12:00:00Z
        assert_eq!(at(253_402_257_600), Timestamp::MAX);
    }
}
