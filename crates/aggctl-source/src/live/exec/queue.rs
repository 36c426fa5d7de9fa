//! The exec plugins of clusters that are read at the same time, one after the other.
//!
//! A plugin that has the terminal has it alone: nobody can answer two questions at once. And the
//! same plugin for the same cluster runs once, for all that wait for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// By what is run; the terminal's has no name.
static QUEUES: Mutex<BTreeMap<String, Arc<Queue<()>>>> = Mutex::new(BTreeMap::new());

/// Waits for one's turn, which lasts until what comes back is dropped.
pub(super) async fn wait(terminal: bool, what: &str) -> OwnedMutexGuard<()> {
    let name = if terminal { "" } else { what };
    let queue = {
        let mut queues = QUEUES.lock().unwrap_or_else(PoisonError::into_inner);
        queues.entry(name.to_owned()).or_default().clone()
    };
    queue.lock_owned().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn the_terminal_is_for_one_and_the_rest_for_all() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let first = wait(true, "a").await;
            assert!(wait(true, "b").now_or_never().is_none(), "two at the terminal");
            let _other = wait(false, "a").now_or_never().expect("needs no terminal");
            assert!(wait(false, "a").now_or_never().is_none(), "the same twice");
            assert!(wait(false, "b").now_or_never().is_some());
            drop(first);
            assert!(wait(true, "b").now_or_never().is_some());
        });
    }
}
