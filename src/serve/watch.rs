//! The body of a watch, which streams until its timeout.

use std::convert::Infallible;
use std::time::Duration;

use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Bytes, Frame};
use tokio::sync::watch as changes;
use tokio::time::Instant;

use super::clients::WatchPlace;
use super::event::{BoxBody, Shared};
use crate::replay::{Body, Request, Watch};

/// How often to send a bookmark, as the API server does.
const BOOKMARKS: Duration = Duration::from_secs(60);

struct Going {
    /// What to send next; empty if nothing.
    next: Bytes,
    bookmark: Option<Bytes>,
    ends: Instant,
    request: Request,
    changed: changes::Receiver<u64>,
    shared: Shared,
    /// Counted while the watch lasts.
    _place: Option<WatchPlace>,
}

/// Returns the body: the events of a watch, then changes and bookmarks.
pub(super) fn body(
    watch: Watch,
    request: Request,
    shared: Shared,
    place: Option<WatchPlace>,
) -> BoxBody {
    let Watch { events, bookmark, lasts, seen } = watch;
    let changed = shared.changed.clone();
    let ends = Instant::now() + lasts;
    let request = Request { seen: Some(seen), ..request };
    let going = Going { next: events, bookmark, ends, request, changed, shared, _place: place };
    let frames = stream::unfold(going, |mut going| async move {
        let bytes = going.next().await?;
        Some((Ok::<_, Infallible>(Frame::data(bytes)), going))
    });
    StreamBody::new(frames).boxed_unsync()
}

impl Going {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if !self.next.is_empty() {
                return Some(std::mem::take(&mut self.next));
            }
            let bookmark = tokio::time::sleep(BOOKMARKS);
            tokio::select! {
                () = tokio::time::sleep_until(self.ends) => return None,
                () = bookmark => self.next = self.bookmark.clone().unwrap_or_default(),
                changed = self.changed.changed() => {
                    changed.ok()?;
                    // If it is no longer served, the watch ends and the client finds out why.
                    let again = self.shared.ask(self.request.clone()).await?;
                    let Body::Watch(watch) = again.body else { return None };
                    self.next = watch.events;
                    self.bookmark = watch.bookmark;
                    self.request.seen = Some(watch.seen);
                }
            }
        }
    }
}
