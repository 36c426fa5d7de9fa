//! Catches signals, for work that must not stop halfway. Needs neither a thread nor a file
//! descriptor, of which a container may allow few.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::*;
use signal_hook::flag;

/// The signals that end a process, and that it can catch, except for crashes. `abort` ends the
/// process even if it catches SIGABRT, which others may send.
#[cfg(unix)]
const TERMINATION: &[i32] = &[
    SIGINT, SIGTERM, SIGQUIT, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
    SIGSYS, SIGTRAP,
];
#[cfg(not(unix))]
const TERMINATION: &[i32] = &[SIGINT, SIGTERM];

/// Signals whose default effect is not restored. `nohup` may have asked to ignore SIGHUP. If
/// SIGXFSZ is caught, a write beyond the file size limit fails and can be reported.
#[cfg(unix)]
const HARMLESS: &[i32] = &[SIGHUP, SIGXFSZ];
#[cfg(not(unix))]
const HARMLESS: &[i32] = &[];

/// More signals that end a process on Linux. Other systems ignore SIGIO.
#[cfg(target_os = "linux")]
const OF_LINUX: &[i32] = &[SIGIO, SIGSTKFLT, SIGPWR];
#[cfg(not(target_os = "linux"))]
const OF_LINUX: &[i32] = &[];

/// Not on MIPS and SPARC, for which there is no aggctl.
#[cfg(target_os = "linux")]
const SIGSTKFLT: i32 = 16;
#[cfg(target_os = "linux")]
const SIGPWR: i32 = 30;

/// The real-time signals, of which C libraries reserve the first ones.
const REAL_TIME: RangeInclusive<i32> = 34..=64;

/// Returns the signals that end this process unless it catches them. The system may refuse some
/// real-time signals.
pub fn termination() -> impl Iterator<Item = i32> {
    let real_time = REAL_TIME.filter(|_| cfg!(target_os = "linux"));
    [TERMINATION, HARMLESS, OF_LINUX].into_iter().flatten().copied().chain(real_time)
}

/// A listener for Ctrl-C.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening: the first Ctrl-C no longer ends the process, the second one does. If that
    /// fails, every Ctrl-C does.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        // In this order: the first one must not find the flag set.
        let _ = flag::register_conditional_default(SIGINT, Arc::clone(&interrupt.0));
        let _ = flag::register(SIGINT, Arc::clone(&interrupt.0));
        interrupt
    }

    /// Returns whether Ctrl-C was pressed.
    pub fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Defers the signals that end the process, so that temporary files can be removed. Ends with the
/// last such value.
#[derive(Debug)]
pub struct Deferred(&'static Handlers);

#[derive(Debug)]
struct Handlers {
    /// How many values defer signals.
    deferring: AtomicUsize,
    /// Whether signals have their default effect.
    idle: Arc<AtomicBool>,
    came: Arc<AtomicBool>,
}

impl Deferred {
    /// Starts to defer signals.
    pub fn start() -> Self {
        static HANDLERS: OnceLock<Handlers> = OnceLock::new();
        let handlers = HANDLERS.get_or_init(|| {
            let (idle, came) = (Arc::default(), Arc::default());
            // signal-hook cannot restore the default effect of other signals, so they keep it.
            for &signal in TERMINATION {
                if flag::register_conditional_default(signal, Arc::clone(&idle)).is_ok() {
                    let _ = flag::register(signal, Arc::clone(&came));
                }
            }
            for &signal in HARMLESS {
                let _ = flag::register(signal, Arc::clone(&came));
            }
            Handlers { deferring: AtomicUsize::new(0), idle, came }
        });
        handlers.deferring.fetch_add(1, Ordering::SeqCst);
        handlers.idle.store(false, Ordering::SeqCst);
        Self(handlers)
    }

    /// Returns whether a signal has arrived.
    pub fn came(&self) -> bool {
        self.0.came.load(Ordering::SeqCst)
    }
}

impl Drop for Deferred {
    fn drop(&mut self) {
        if self.0.deferring.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.0.idle.store(true, Ordering::SeqCst);
        }
    }
}
