//! Several clusters at once, answered for in their order.
//!
//! Each is read by a thread of its own, so that none waits for another: a cluster that hangs takes
//! its own time and nobody else's. Who stops listening leaves the threads to end by themselves.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::{Connection, Needs, Progress, Watch};
use crate::Loaded;
use crate::error::Error;

/// How many clusters are read at a time.
const AT_ONCE: usize = 8;

/// Clusters that are being read.
#[derive(Debug)]
pub struct ParallelLoader {
    news: Receiver<News>,
    /// What came before its turn.
    early: BTreeMap<usize, Result<Loaded, Error>>,
    progress: Vec<Progress>,
    next: usize,
}

#[derive(Debug)]
enum News {
    Progress(usize, Progress),
    Done(usize, Box<Result<Loaded, Error>>),
}

impl ParallelLoader {
    /// Begins to read what is needed from clusters.
    pub fn start(connections: Vec<Connection>, needs: &Needs) -> Self {
        let needs = needs.clone();
        Self::with(connections.len(), move |index, watch| {
            super::load(&connections[index], &needs, watch)
        })
    }

    /// Reads so many clusters, each by its number.
    fn with<L>(clusters: usize, load: L) -> Self
    where
        L: Fn(usize, Watch<'_>) -> Result<Loaded, Error> + Send + Sync + 'static,
    {
        let (sender, news) = channel();
        let next = AtomicUsize::new(0);
        // One cluster after the other until none is left, or nobody listens.
        let work = Arc::new(move |sender: &Sender<News>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= clusters {
                    return;
                }
                let mut tell = |progress| drop(sender.send(News::Progress(index, progress)));
                let result = load(index, &mut tell);
                if sender.send(News::Done(index, Box::new(result))).is_err() {
                    return;
                }
            }
        });
        let spawned = (0..clusters.min(AT_ONCE)).filter(|_| {
            let (work, sender) = (work.clone(), sender.clone());
            std::thread::Builder::new().spawn(move || work(&sender)).is_ok()
        });
        if spawned.count() == 0 {
            work(&sender);
        }
        let progress = vec![Progress { done: 0, all: 0 }; clusters];
        Self { news, early: BTreeMap::new(), progress, next: 0 }
    }

    /// The next cluster's facts, when they are there; how far all are is told meanwhile.
    ///
    /// # Errors
    /// Where that cluster could not be read.
    pub fn next(&mut self, watch: Watch<'_>) -> Result<Loaded, Error> {
        let wanted = self.next;
        self.next += 1;
        loop {
            if let Some(result) = self.early.remove(&wanted) {
                return result;
            }
            match self.news.recv() {
                Ok(News::Done(index, result)) => {
                    self.early.insert(index, *result);
                }
                Ok(News::Progress(index, progress)) => {
                    if let Some(known) = self.progress.get_mut(index) {
                        *known = progress;
                    }
                    let sum = |of: fn(&Progress) -> usize| self.progress.iter().map(of).sum();
                    watch(Progress { done: sum(|p| p.done), all: sum(|p| p.all) });
                }
                Err(_) => return Err(Error::source("a cluster was lost while it was read")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::{Origin, Snapshot, SourceKind};
    use std::sync::Barrier;

    fn loaded(name: &str) -> Loaded {
        let origin = Origin { kind: SourceKind::Live, name: name.to_owned() };
        Loaded { snapshot: Snapshot::empty(origin), notes: vec![] }
    }

    /// As many as are read at once meet; none would get past the barrier alone.
    #[test]
    fn they_are_read_at_the_same_time_and_answered_in_order() {
        let barrier = Barrier::new(AT_ONCE);
        let mut several = ParallelLoader::with(3 * AT_ONCE, move |index, watch| {
            watch(Progress { done: 1, all: 2 });
            barrier.wait();
            if index % 5 == 0 { Err(Error::source("no")) } else { Ok(loaded(&index.to_string())) }
        });
        let mut last = Progress { done: 0, all: 0 };
        for index in 0..3 * AT_ONCE {
            match several.next(&mut |progress| last = progress) {
                Ok(loaded) => assert_eq!(loaded.snapshot.origin.name, index.to_string()),
                Err(error) => assert_eq!((index % 5, error.to_string().as_str()), (0, "no")),
            }
        }
        assert_eq!((last.done, last.all), (3 * AT_ONCE, 6 * AT_ONCE));
        assert!(several.next(&mut |_| {}).is_err());
    }
}
