//! Serializes the exec plugins of clusters that are read concurrently.
//!
//! Only one plugin at a time may use the terminal. The same plugin for the same cluster runs once,
//! and the others use its credential.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

/// One lock per plugin and input. The lock of the terminal has an empty name.
static QUEUES: Mutex<BTreeMap<String, Arc<Queue<()>>>> = Mutex::new(BTreeMap::new());

/// Acquires the lock; released when the guard drops.
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
