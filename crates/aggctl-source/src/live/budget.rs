//! How much may be read of one cluster.

use std::cell::Cell;

use super::failure::RequestFailure;

/// How large answers may be, in bytes, after decompression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// One answer.
    pub answer: usize,
    /// One APIResourceList: there is one for every group version, and any aggregated server may
    /// write it.
    pub resource_list: usize,
    /// One list, all pages together.
    pub list: usize,
    /// All answers together.
    pub all: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { answer: 64 << 20, resource_list: 8 << 20, list: 256 << 20, all: 512 << 20 }
    }
}

/// Counts what came, used or not. Once it is too much, nothing more is taken.
#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    spent: Cell<usize>,
}

impl Budget {
    pub(super) fn new(most: usize) -> Self {
        Self { most, spent: Cell::new(0) }
    }

    /// Takes some bytes more; none, to see whether there is anything left.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), RequestFailure> {
        self.spent.set(self.spent.get().saturating_add(bytes));
        if self.spent.get() <= self.most {
            return Ok(());
        }
        let why = format!("the cluster's answers together are larger than {}", size(self.most));
        Err(RequestFailure::too_large(why))
    }
}

/// A limit in words.
pub(super) fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_spent() {
        let most = Sizes::default().all;
        let budget = Budget::new(most);
        for _ in 0..8 {
            budget.spend(most / 8).unwrap();
        }
        budget.spend(0).unwrap();
        let failure = budget.spend(1).unwrap_err();
        assert_eq!(failure.why, "the cluster's answers together are larger than 512 MiB");
        assert_eq!(budget.spend(0), Err(failure));
        assert!(budget.spend(usize::MAX).is_err());
    }
}
