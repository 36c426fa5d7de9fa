//! The threads that parse documents, on systems that allow few.

use std::num::NonZero;
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
        let wanted = thread::available_parallelism().map_or(1, NonZero::get);
        // A pool that was started already is as good.
        let _ = start(wanted, |name, work| thread::Builder::new().name(name).spawn(work).is_ok());
    });
}

/// Starts the global pool with as many of the `wanted` threads as `spawn` can start.
///
/// They are started before the pool. Building it cannot be tried twice, and a pool that counts on a
/// missing thread waits for it forever.
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
        // A thread that was started waits for its worker, so sending does not fail.
        started.get(worker.index()).map(|thread| thread.send(worker));
        Ok(())
    };
    pool.spawn_handler(handler).build_global()
}
