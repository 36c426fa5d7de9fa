//! `--watch`: answers again and again, and prints what changed.

use std::time::Duration;

use clap::Args;

use super::cluster::bounded;
use super::output::{Format, Reply};
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use aggctl_source::clock;

/// Whether and how often to look again.
#[derive(Debug, Args)]
pub(super) struct WatchArgs {
    /// Re-check and print changes
    #[arg(short, long, hide_short_help = true)]
    watch: bool,

    /// Pause between checks
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = bounded, hide_short_help = true)]
    interval: Duration,
}

impl WatchArgs {
    /// Answers once; with `--watch`, also whenever the answer changes.
    ///
    /// # Errors
    /// If there is no first answer, or the source cannot change.
    pub(super) fn answer(
        &self,
        source: &SourceArgs,
        asking: &Asking,
        reply: &mut Reply<'_, '_>,
        mut answer: impl FnMut(&mut Reply<'_, '_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if !self.watch {
            return answer(reply);
        }
        check_watch("--watch", source, reply.format())?;
        require_live("--watch", source.resolve(asking, reply.terminal)?.is_live())?;
        let mut last = reply.captured(&mut answer)?;
        reply.terminal.out.write_all(&last)?;
        reply.terminal.out.flush()?;
        reply.terminal.note("watching for changes; press Ctrl-C to stop")?;
        while !reply.terminal.is_closed() {
            std::thread::sleep(self.interval);
            match reply.quietly(|reply| reply.captured(&mut answer)) {
                Ok(now) if now != last => {
                    let time = clock::now().strftime("%H:%M:%S").to_string();
                    writeln!(reply.terminal.out, "\n{}", reply.terminal.paint.strong(time))?;
                    reply.terminal.out.write_all(&now)?;
                    reply.terminal.out.flush()?;
                    last = now;
                }
                Ok(_) => {}
                Err(error) => reply.terminal.warn(&error.to_string())?,
            }
        }
        Ok(())
    }
}

/// Refuses several clusters, and formats that are one document.
pub(super) fn check_watch(option: &str, source: &SourceArgs, format: Format) -> Result<(), Error> {
    if source.is_several() {
        return Err(Error::usage(format!("{option} supports one cluster at a time")));
    }
    if !format.is_text() {
        let error = format!("{option} prints text, not {}", format.as_str());
        return Err(Error::usage(error).with_hint("use -o table or -o wide"));
    }
    Ok(())
}

/// Refuses a source that cannot change.
pub(super) fn require_live(option: &str, is_live: bool) -> Result<(), Error> {
    match is_live {
        true => Ok(()),
        false => Err(Error::usage(format!("{option} needs a live cluster"))
            .with_hint("a dump and built-in data do not change")),
    }
}
