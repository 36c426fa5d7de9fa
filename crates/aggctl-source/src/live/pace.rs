//! Limits the rate of requests.

use std::collections::VecDeque;
use std::time::Duration;

/// The maximum number of requests in any second.
const MAX_PER_SECOND: usize = 20;

/// Decides when each request may be sent. Times are measured from any common start.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// When the last requests may be sent, in order.
    turns: VecDeque<Duration>,
}

impl Pace {
    /// Takes the next turn, and returns how long to wait for it.
    pub(super) fn wait(&mut self, now: Duration) -> Duration {
        let oldest = self.turns.front().filter(|_| self.turns.len() >= MAX_PER_SECOND);
        let turn = oldest.map_or(now, |oldest| now.max(*oldest + Duration::from_secs(1)));
        if self.turns.len() >= MAX_PER_SECOND {
            self.turns.pop_front();
        }
        self.turns.push_back(turn);
        turn.saturating_sub(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_second_has_more_than_the_maximum() {
        let mut pace = Pace::default();
        let mut sent = vec![];
        let mut now = Duration::ZERO;
        for request in 0..200_u64 {
            // Requests come in bursts, and some answers take long.
            now += Duration::from_millis(if request % 50 == 0 { 700 } else { request % 3 });
            let wait = pace.wait(now);
            now += wait;
            sent.push(now);
        }
        let seconds = sent.windows(MAX_PER_SECOND + 1);
        let shortest = seconds.map(|all| all[MAX_PER_SECOND] - all[0]).min();
        assert_eq!(shortest, Some(Duration::from_secs(1)));
        assert!(now < Duration::from_secs(13), "{now:?}");
    }

    #[test]
    fn a_few_requests_do_not_wait() {
        let mut pace = Pace::default();
        assert!((0..MAX_PER_SECOND).all(|_| pace.wait(Duration::ZERO).is_zero()));
        assert_eq!(pace.wait(Duration::from_millis(200)), Duration::from_millis(800));
        assert_eq!(pace.wait(Duration::from_secs(9)), Duration::ZERO);
    }
}
