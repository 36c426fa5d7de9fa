//! From paths to bytes: the one reader for dumps, manifests, pasted texts and expectations.
//!
//! Directories are walked, `-` is standard input, gzip and tar are unpacked, UTF-16 becomes UTF-8.
//! Only regular files are opened (and pipes that the shell opened already): a named pipe or a
//! device could block or never end. All that one run reads shares one `Budget`.

mod budget;
mod encoding;
mod lines;
mod replace;
mod stamp;
mod unpack;
mod walk;

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, plain};
use budget::Budget;
pub use encoding::text;
pub use lines::{Lines, standard_input_lines};
pub use replace::{put, replace};
pub use stamp::stamp;
pub(crate) use unpack::unread_packing;
pub use walk::{Entry, Walk, walk};

/// What standard input is called in reports.
pub const STDIN: &str = "<stdin>";

/// One file's content.
#[derive(Debug)]
pub struct Content {
    /// As the user can find it: the path, for what is packed the archive's path and its own.
    pub name: String,
    /// Where these very bytes are: nowhere for standard input and what was unpacked or converted.
    pub path: Option<PathBuf>,
    /// Whether it is one of many that nobody named: found in a directory or in an archive.
    pub found: bool,
    /// UTF-8 as far as its first bytes tell, or why there is nothing.
    pub bytes: Result<Vec<u8>, Unreadable>,
}

/// Why a file gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not text: a picture, a database. Not worth a word in a directory.
    Binary,
    /// It should have been readable, or may hold what was looked for.
    Broken(String),
}

impl Unreadable {
    /// Why, as a phrase that follows the file's name and a colon.
    pub fn why(&self) -> &str {
        match self {
            Self::Binary => "it is not text",
            Self::Broken(why) => why,
        }
    }
}

/// Reads the files of one run.
#[derive(Debug, Default)]
pub struct Reader {
    budget: Budget,
    /// What files are read into: most fit, and take a single system call.
    buffer: Mutex<Vec<u8>>,
}

/// A file that is opened: all of its bytes, or where they come from.
enum Opened {
    Whole(Vec<u8>),
    Source(Box<dyn io::Read>),
}

/// As much as is read at once: most files of a dump are smaller.
const CHUNK: usize = 16 << 10;

impl Reader {
    /// Reads one file, or everything that is packed into it, one after the other: what is not
    /// kept takes no memory.
    pub fn each(&self, entry: &Entry, take: &mut dyn FnMut(Content)) {
        let opened = match entry.regular {
            true => self.start(entry),
            false => open(&entry.path).map(Opened::Source),
        };
        match opened {
            Ok(Opened::Whole(bytes)) => unpack::bytes(&self.budget, entry, bytes, take),
            Ok(Opened::Source(source)) => unpack::file(&self.budget, entry, source, take),
            Err(error) => take(entry.content(Err(Unreadable::Broken(describe(&error))))),
        }
    }

    /// Reads a regular file, unless it is a large one that is packed.
    fn start(&self, entry: &Entry) -> io::Result<Opened> {
        let mut file = File::open(&entry.path)?;
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.resize(CHUNK, 0);
        let read = file.read(&mut buffer)?;
        let start = buffer.get(..read).unwrap_or_default().to_vec();
        drop(buffer);
        // A file gives less than was asked for only at its end.
        Ok(if read < CHUNK {
            Opened::Whole(start)
        } else if unpack::is_packed(entry, &start) {
            Opened::Source(Box::new(Cursor::new(start).chain(file)))
        } else {
            Opened::Whole(budget::rest(start, file)?)
        })
    }

    /// Reads bytes as if they were a file of that name.
    pub fn bytes(&self, name: &str, bytes: &[u8], take: &mut dyn FnMut(Content)) {
        unpack::file(&self.budget, &Entry::named(Path::new(name)), Box::new(bytes), take);
    }

    /// Reads one file that is not an archive.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn one(&self, path: &Path) -> Result<Content, Error> {
        let mut all = vec![];
        self.each(&Entry::named(path), &mut |content| all.push(content));
        let name = if is_standard_input(path) { STDIN.into() } else { path.to_string_lossy() };
        let cannot = |why: &str| Error::source(format!("cannot read {name}: {why}"));
        match <[Content; 1]>::try_from(all) {
            Ok([Content { bytes: Err(why), .. }]) => Err(cannot(why.why())),
            Ok([content]) if content.name == name => Ok(content),
            _ => Err(cannot("it is an archive")),
        }
    }
}

/// Whether a path means standard input.
pub fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(super) fn open(path: &Path) -> io::Result<Box<dyn io::Read>> {
    if is_standard_input(path) {
        return Ok(Box::new(io::stdin().lock()));
    }
    refuse_special(path, &std::fs::metadata(path)?.file_type())?;
    Ok(Box::new(File::open(path)?))
}

/// Refuses what may block or never end. What a shell's `<(…)` names is open already, and ends.
fn refuse_special(path: &Path, kind: &std::fs::FileType) -> io::Result<()> {
    let open_already = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];
    if kind.is_file() || open_already.iter().any(|prefix| path.starts_with(prefix)) {
        return Ok(());
    }
    let what = if kind.is_dir() { "a directory" } else { special(kind) };
    Err(io::Error::other(format!("it is {what}, not a file")))
}

#[cfg(unix)]
fn special(kind: &std::fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: &std::fs::FileType) -> &'static str {
    "a device"
}

/// An I/O error without the operating system's number.
pub(super) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::UnexpectedEof => "ends in the middle of its gzip data".to_owned(),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            format!("is not valid gzip ({error})")
        }
        io::ErrorKind::Other | io::ErrorKind::QuotaExceeded => error.to_string(),
        _ => plain(error),
    }
}
