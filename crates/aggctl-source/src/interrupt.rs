//! Catches Ctrl-C, for work that must not stop halfway.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

/// A listener for Ctrl-C. While it exists, Ctrl-C no longer ends the process.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening. If that fails, Ctrl-C still ends the process.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let (heard, (ready, waiting)) = (interrupt.clone(), channel());
        let thread = std::thread::Builder::new().spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                let mut pressed = pin!(tokio::signal::ctrl_c());
                // The first poll installs the handler.
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
            // Fails if the thread ended because it could not listen.
            let _ = waiting.recv();
        }
        interrupt
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_seen_and_does_not_end_the_process() {
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
