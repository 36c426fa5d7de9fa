//! Reads files named by a user or a kubeconfig, with time and size limits.
//!
//! A path may name a device that never ends, or a pipe without a writer. A pipe with a writer, such
//! as a shell's `<(…)`, is read like a file.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use super::units::seconds;

/// Why a file cannot be read, as a phrase that follows its name and a colon.
#[derive(Debug, Clone)]
pub enum BoundedReadError {
    /// The operating system reported an error.
    Io(Arc<io::Error>),
    /// It is a directory.
    Directory,
    /// It exceeds this number of bytes.
    TooLarge(usize),
    /// It is a pipe or device that did not end within this time.
    Late(Duration),
}

impl BoundedReadError {
    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for BoundedReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => f.write_str("no such file"),
                io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
                kind => kind.fmt(f),
            },
            Self::Directory => f.write_str("it is a directory"),
            Self::TooLarge(max) => write!(f, "it is larger than {} MiB", max >> 20),
            Self::Late(limit) => {
                let limit = seconds(*limit);
                write!(
                    f,
                    "it is not a regular file, and reading did not finish within {limit} (timeout)"
                )
            }
        }
    }
}

impl Error for BoundedReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Directory | Self::TooLarge(_) | Self::Late(_) => None,
        }
    }
}

impl From<io::Error> for BoundedReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

/// The content of a pipe, once read.
type Piped = Arc<OnceLock<Result<Vec<u8>, BoundedReadError>>>;

/// Pipes by path. A pipe can be read only once, but several clusters may name the same one.
static PIPED: Mutex<BTreeMap<PathBuf, Piped>> = Mutex::new(BTreeMap::new());

/// Reads a file of at most `max` bytes. For anything but a regular file, this takes at most
/// `limit`.
pub(super) fn read(path: &Path, max: usize, limit: Duration) -> Result<Vec<u8>, BoundedReadError> {
    let kind = std::fs::metadata(path)?;
    if kind.is_file() {
        return whole(path, max);
    }
    if kind.is_dir() {
        return Err(BoundedReadError::Directory);
    }
    let mut all = PIPED.lock().unwrap_or_else(PoisonError::into_inner);
    let piped = all.entry(path.to_owned()).or_default().clone();
    drop(all);
    let read = || {
        // Opening a pipe may block forever, so a thread does it. It is abandoned if it is late.
        let (sender, receiver) = mpsc::channel();
        let pipe = path.to_owned();
        std::thread::Builder::new().spawn(move || sender.send(whole(&pipe, max)))?;
        receiver.recv_timeout(limit).unwrap_or(Err(BoundedReadError::Late(limit)))
    };
    piped.get_or_init(read).clone()
}

fn whole(path: &Path, max: usize) -> Result<Vec<u8>, BoundedReadError> {
    let mut bytes = vec![];
    File::open(path)?.take(max as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > max { Err(BoundedReadError::TooLarge(max)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;
    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn the_size_is_limited() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for (size, fits) in [(0, true), (MAX, true), (MAX + 1, false)] {
            std::fs::write(&path, vec![b'a'; size]).unwrap();
            match read(&path, MAX, LIMIT) {
                Ok(bytes) => assert!(fits && bytes.len() == size),
                Err(error) => assert!(!fits && matches!(error, BoundedReadError::TooLarge(MAX))),
            }
        }
        let want = "it is a directory";
        assert_eq!(read(directory.path(), MAX, LIMIT).unwrap_err().to_string(), want);
        let gone = read(&directory.path().join("gone"), MAX, LIMIT);
        assert_eq!(gone.unwrap_err().to_string(), "no such file");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_end() {
        let want = "it is larger than 1 MiB";
        assert_eq!(read(Path::new("/dev/zero"), MAX, LIMIT).unwrap_err().to_string(), want);
        let directory = tempfile::tempdir().unwrap();
        let pipe = |name: &str| {
            let path = directory.path().join(name);
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
            path
        };
        let soon = Duration::from_millis(10);
        let silent = read(&pipe("silent"), MAX, soon);
        assert!(matches!(silent, Err(BoundedReadError::Late(late)) if late == soon));
        let path = pipe("written");
        let writer = path.clone();
        let writing = std::thread::spawn(move || std::fs::write(writer, "hello"));
        assert_eq!(read(&path, MAX, LIMIT).unwrap(), b"hello");
        writing.join().unwrap().unwrap();
        assert_eq!(read(&path, MAX, LIMIT).unwrap(), b"hello", "the content is kept");
    }
}
