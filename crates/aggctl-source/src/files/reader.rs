//! Reads the files of one run and unpacks archives.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::budget::{self, Budget};
use super::content::{self, Content, Entry};
use super::error::FileError;
use super::open::open;
use super::unpack;

/// Reads files within one budget.
#[derive(Debug, Default)]
pub struct Reader {
    budget: Budget,
}

/// An opened file: its bytes, or a stream.
enum Opened {
    Whole(Vec<u8>),
    Source(Box<dyn io::Read>),
}

/// The size of the first read. Most files are smaller and take a single system call.
const CHUNK: usize = 16 << 10;

impl Reader {
    /// Reads one file, or each file packed into it. `take` gets one at a time, so that only what it
    /// keeps needs memory.
    pub fn each(&self, entry: &Entry, take: &mut dyn FnMut(Content)) {
        let opened = match entry.regular {
            true => self.start(entry),
            false => open(&entry.path).map(Opened::Source),
        };
        match opened {
            Ok(Opened::Whole(bytes)) => unpack::bytes(&self.budget, entry, bytes, take),
            Ok(Opened::Source(source)) => unpack::file(&self.budget, entry, source, take),
            Err(error) => take(entry.content(Err(error.into()))),
        }
    }

    /// Reads a regular file, or returns a stream if it is large and packed.
    fn start(&self, entry: &Entry) -> io::Result<Opened> {
        let mut file = File::open(&entry.path)?;
        let mut buffer = [0; CHUNK];
        let read = file.read(&mut buffer)?;
        let start = buffer.get(..read).unwrap_or_default().to_vec();
        // A short read of a regular file means its end.
        Ok(if read < CHUNK {
            Opened::Whole(start)
        } else if unpack::is_packed(entry, &start) {
            Opened::Source(Box::new(Cursor::new(start).chain(file)))
        } else {
            Opened::Whole(budget::rest(start, file)?)
        })
    }

    /// Reads bytes as if they were a file with this name.
    pub fn bytes(&self, name: &str, bytes: &[u8], take: &mut dyn FnMut(Content)) {
        unpack::file(&self.budget, &Entry::named(Path::new(name)), Box::new(bytes), take);
    }

    /// Reads one file that is not an archive.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn one(&self, path: &Path) -> Result<Content, FileError> {
        let mut all = vec![];
        self.each(&Entry::named(path), &mut |content| all.push(content));
        let name = content::name(path);
        match <[Content; 1]>::try_from(all) {
            Ok([Content { bytes: Err(why), .. }]) => Err(FileError { name, why }),
            Ok([content]) if content.name == name => Ok(content),
            _ => Err(FileError::new(name, "it is an archive".to_owned())),
        }
    }
}
