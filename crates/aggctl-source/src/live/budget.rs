//! Limits the total bytes that one cluster may send.

use std::cell::Cell;

use super::failure::RequestFailure;
use super::units::size;

/// A limit on all responses together. Once it is exceeded, no further request is sent.
#[derive(Debug)]
pub(super) struct Budget {
    what: &'static str,
    max: usize,
    spent: Cell<usize>,
}

impl Budget {
    pub(super) fn new(what: &'static str, max: usize) -> Self {
        Self { what, max, spent: Cell::new(0) }
    }

    /// Counts bytes. With 0, only checks whether the limit is exceeded.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), RequestFailure> {
        self.spent.set(self.spent.get().saturating_add(bytes));
        if self.spent.get() <= self.max {
            return Ok(());
        }
        let (what, max) = (self.what, size(self.max));
        let why = format!("the cluster's {what} together are larger than {max}");
        Err(RequestFailure::too_large(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spent_bytes_are_never_returned() {
        let max = 512 << 20;
        let budget = Budget::new("answers", max);
        for _ in 0..8 {
            budget.spend(max / 8).unwrap();
        }
        budget.spend(0).unwrap();
        let failure = budget.spend(1).unwrap_err();
        assert_eq!(failure.why, "the cluster's answers together are larger than 512 MiB");
        assert!(budget.spend(0).is_err());
        assert!(budget.spend(usize::MAX).is_err());
    }
}
