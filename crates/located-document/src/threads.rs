//! Starts the threads that parse documents, even on systems that allow only a few.

use std::num::NonZero;
use std::sync::Once;
use std::sync::mpsc::channel;
use std::thread;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts the threads that parse documents. Later calls do nothing. If the system limits processes
/// (`ulimit -u`, a Pod's limit), starts fewer threads, or lets the calling thread do all the work.
/// Without this call, rayon panics on such a system.
pub fn prepare_threads() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        let wanted = thread::available_parallelism().map_or(1, NonZero::get);
        // If a pool already exists, it is used instead.
        let _ = start(wanted, |name, work| thread::Builder::new().name(name).spawn(work).is_ok());
    });
}

/// Starts the global pool with as many of the `wanted` threads as `spawn` can start.
///
/// The threads are started before the pool is built. Building it cannot be retried, and a pool
/// waits forever for a thread that does not start.
pub(super) fn start(
    wanted: usize,
    mut spawn: impl FnMut(String, Box<dyn FnOnce() + Send>) -> bool,
) -> Result<(), rayon::ThreadPoolBuildError> {
    let mut started = vec![];
    for _ in 0..wanted {
        let (send, worker) = channel::<ThreadBuilder>();
        let work = move || worker.recv().into_iter().for_each(ThreadBuilder::run);
        if !spawn("parser".to_owned(), Box::new(work)) {
            break;
        }
        started.push(send);
    }
    if started.is_empty() {
        return ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
    let pool = ThreadPoolBuilder::new().num_threads(started.len());
    let handler = |worker: ThreadBuilder| {
        // Each started thread waits for its worker, so sending does not fail.
        started.get(worker.index()).map(|thread| thread.send(worker));
        Ok(())
    };
    pool.spawn_handler(handler).build_global()
}
