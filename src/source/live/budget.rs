//! How much may be read of one cluster.

use std::cell::Cell;

use super::failure::Failure;

/// The most that is read, all answers together, after decompression.
const MOST: usize = 512 << 20;

/// Counts what came, used or not. Once it is too much, nothing more is taken.
#[derive(Debug, Default)]
pub(super) struct Budget {
    spent: Cell<usize>,
}

impl Budget {
    /// Takes some bytes more; none, to see whether there is anything left.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Failure> {
        self.spent.set(self.spent.get().saturating_add(bytes));
        if self.spent.get() <= MOST {
            return Ok(());
        }
        let why = format!("the cluster's answers together are larger than {} MiB", MOST >> 20);
        Err(Failure::unusable(why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let budget = Budget::default();
        for _ in 0..8 {
            budget.spend(MOST / 8).unwrap();
        }
        budget.spend(0).unwrap();
        let failure = budget.spend(1).unwrap_err();
        assert_eq!(failure.why, "the cluster's answers together are larger than 512 MiB");
        assert_eq!(budget.spend(0), Err(failure));
        assert!(budget.spend(usize::MAX).is_err());
    }
}
