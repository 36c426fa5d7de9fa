//! Threads, where the system allows few.

use std::sync::Once;
use std::sync::mpsc::channel;
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts the threads that parse documents; later calls do nothing. With a limit on processes
/// (`ulimit -u`, a Pod's limit), there are fewer of them, or the calling thread does all the work.
/// Without this, rayon panics.
pub fn prepare_threads() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        // A pool that was started already is as good.
        let _ = start(ThreadPoolBuilder::new(), |name, work| {
            thread::Builder::new().name(name).spawn(work).is_ok()
        });
    });
}

/// Starts the global pool with threads that `spawn` starts, or not.
pub(super) fn start(
    pool: ThreadPoolBuilder,
    mut spawn: impl FnMut(String, Box<dyn FnOnce() + Send>) -> bool,
) -> Result<(), rayon::ThreadPoolBuildError> {
    // A failed attempt to build the pool cannot be repeated, so the first thread comes before.
    let (send, first) = channel::<ThreadBuilder>();
    let work = move || first.recv().into_iter().for_each(ThreadBuilder::run);
    if !spawn("parser".to_owned(), Box::new(work)) {
        return pool.num_threads(1).use_current_thread().build_global();
    }
    let handler = |worker: ThreadBuilder| {
        match worker.index() {
            0 => drop(send.send(worker)),
            // Others do the work of one that is missing.
            _ => drop(spawn("parser".to_owned(), Box::new(|| worker.run()))),
        }
        Ok(())
    };
    pool.spawn_handler(handler).build_global()
}
