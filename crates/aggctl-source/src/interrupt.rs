//! Ctrl-C, for whoever must not be stopped in the middle of something.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

/// Somebody who listens for Ctrl-C. From then on it ends nothing by itself.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Begins to listen. Where that is not possible, Ctrl-C ends the process as ever.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let (heard, (ready, waiting)) = (interrupt.clone(), channel());
        let thread = std::thread::Builder::new().spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                let mut pressed = pin!(tokio::signal::ctrl_c());
                // The first look is what begins to listen.
                let mut first = true;
                let result = poll_fn(|context| {
                    let state = pressed.as_mut().poll(context);
                    if std::mem::take(&mut first) {
                        let _ = ready.send(());
                    }
                    state
                });
                if result.await.is_ok() {
                    heard.0.store(true, Ordering::SeqCst);
                }
            });
        });
        if thread.is_ok() {
            // Fails where the thread could not listen, and is over.
            let _ = waiting.recv();
        }
        interrupt
    }

    /// Whether it was pressed.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The signal is this process's own; nobody ends by it from here on.
    #[test]
    fn what_came_is_known_and_ends_nothing() {
        let interrupt = Interrupt::listen();
        assert!(!interrupt.came());
        let own = std::process::id().to_string();
        let kill = std::process::Command::new("kill").args(["-INT", &own]).status();
        assert!(kill.unwrap().success());
        while !interrupt.came() {
            std::thread::yield_now();
        }
    }
}
