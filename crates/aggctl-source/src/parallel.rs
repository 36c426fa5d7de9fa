//! Reads several sources concurrently, and returns them in order.
//!
//! Each source is read on its own thread, so that a cluster that hangs does not delay the others.
//! Threads end on their own when the loader is dropped.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::error::SourceError;
use crate::loaded::LoadedSource;
use crate::progress::{Progress, Watch};
use crate::resolved::ResolvedSource;

/// The maximum number of sources that are read concurrently.
const MAX_CONCURRENT: usize = 8;

/// Sources that are being read.
#[derive(Debug)]
pub struct ParallelLoader {
    messages: Receiver<Message>,
    /// Results that arrived before their turn.
    early: BTreeMap<usize, Result<LoadedSource, SourceError>>,
    progress: Vec<Progress>,
    next: usize,
}

#[derive(Debug)]
enum Message {
    Progress(usize, Progress),
    Done(usize, Box<Result<LoadedSource, SourceError>>),
}

impl ParallelLoader {
    /// Starts reading sources.
    pub fn start(sources: impl IntoIterator<Item = ResolvedSource>) -> Self {
        let sources: Vec<ResolvedSource> = sources.into_iter().collect();
        Self::with(sources.len(), move |index, watch| sources[index].load(watch))
    }

    /// Starts reading `all` sources, each by its index.
    fn with<L>(all: usize, load: L) -> Self
    where
        L: Fn(usize, Watch<'_>) -> Result<LoadedSource, SourceError> + Send + Sync + 'static,
    {
        let (sender, messages) = channel();
        let next = AtomicUsize::new(0);
        let work = Arc::new(move |sender: &Sender<Message>| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= all {
                    return;
                }
                let mut report = |progress| drop(sender.send(Message::Progress(index, progress)));
                let result = load(index, &mut report);
                // Fails once the loader is dropped.
                if sender.send(Message::Done(index, Box::new(result))).is_err() {
                    return;
                }
            }
        });
        let spawned = (0..all.min(MAX_CONCURRENT)).filter(|_| {
            let (work, sender) = (work.clone(), sender.clone());
            std::thread::Builder::new().spawn(move || work(&sender)).is_ok()
        });
        if spawned.count() == 0 {
            work(&sender);
        }
        let progress = vec![Progress { done: 0, all: 0 }; all];
        Self { messages, early: BTreeMap::new(), progress, next: 0 }
    }

    /// Waits for the next source, and reports the progress of all meanwhile.
    ///
    /// # Errors
    /// If that source could not be read.
    pub fn next(&mut self, watch: Watch<'_>) -> Result<LoadedSource, SourceError> {
        let wanted = self.next;
        self.next += 1;
        loop {
            if let Some(result) = self.early.remove(&wanted) {
                return result;
            }
            match self.messages.recv() {
                Ok(Message::Done(index, result)) => {
                    self.early.insert(index, *result);
                }
                Ok(Message::Progress(index, progress)) => {
                    if let Some(known) = self.progress.get_mut(index) {
                        *known = progress;
                    }
                    let sum = |of: fn(&Progress) -> usize| self.progress.iter().map(of).sum();
                    watch(Progress { done: sum(|p| p.done), all: sum(|p| p.all) });
                }
                Err(_) => return Err(SourceError::Lost),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::model::{Origin, Snapshot, SourceKind};
    use std::sync::Barrier;

    fn loaded(name: &str) -> LoadedSource {
        let origin = Origin { kind: SourceKind::Live, name: name.to_owned() };
        LoadedSource::new(Snapshot::empty(origin), vec![])
    }

    /// The barrier only opens if the threads run concurrently.
    #[test]
    fn sources_are_read_at_the_same_time_and_returned_in_order() {
        let barrier = Barrier::new(MAX_CONCURRENT);
        let mut loader = ParallelLoader::with(3 * MAX_CONCURRENT, move |index, watch| {
            watch(Progress { done: 1, all: 2 });
            barrier.wait();
            match index % 5 {
                0 => Err(SourceError::NoCluster),
                _ => Ok(loaded(&index.to_string())),
            }
        });
        let mut last = Progress { done: 0, all: 0 };
        for index in 0..3 * MAX_CONCURRENT {
            match loader.next(&mut |progress| last = progress) {
                Ok(loaded) => assert_eq!(loaded.snapshot.origin.name, index.to_string()),
                Err(error) => assert!(index % 5 == 0 && matches!(error, SourceError::NoCluster)),
            }
        }
        assert_eq!((last.done, last.all), (3 * MAX_CONCURRENT, 6 * MAX_CONCURRENT));
        assert!(matches!(loader.next(&mut |_| {}), Err(SourceError::Lost)));
    }
}
