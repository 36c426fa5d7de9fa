//! Whose turn it is, among the exec plugins of clusters that are read at the same time.
//!
//! A plugin that has the terminal has it alone: nobody can answer two questions at once. And the
//! same plugin for the same cluster runs once, for all that wait for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// The turns by what is run; the terminal's has no name.
static TURNS: Mutex<BTreeMap<String, Arc<Turn<()>>>> = Mutex::new(BTreeMap::new());

/// Waits for one's turn, which lasts until what comes back is dropped.
pub(super) async fn take(terminal: bool, what: &str) -> OwnedMutexGuard<()> {
    let name = if terminal { "" } else { what };
    let turn = {
        let mut turns = TURNS.lock().unwrap_or_else(PoisonError::into_inner);
        turns.entry(name.to_owned()).or_default().clone()
    };
    turn.lock_owned().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn the_terminal_is_for_one_and_the_rest_for_all() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let first = take(true, "a").await;
            assert!(take(true, "b").now_or_never().is_none(), "two at the terminal");
            let _other = take(false, "a").now_or_never().expect("needs no terminal");
            assert!(take(false, "a").now_or_never().is_none(), "the same twice");
            assert!(take(false, "b").now_or_never().is_some());
            drop(first);
            assert!(take(true, "b").now_or_never().is_some());
        });
    }
}
