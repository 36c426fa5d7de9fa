//! Files that a user or a kubeconfig names, read without trusting that they end, or ever begin.
//!
//! A path may lead to a device that never ends, or to a pipe that nobody writes to. A pipe that
//! somebody does write to, as a shell's `<(…)`, is a file like others.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use super::exec::seconds;

/// Why a file cannot be read, as a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The system says no.
    Refused(io::ErrorKind),
    /// It has more bytes than this.
    TooLarge(usize),
    /// It is a pipe or a device, and did not end in this time.
    Late(Duration),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(io::ErrorKind::NotFound) => f.write_str("no such file"),
            Self::Refused(io::ErrorKind::PermissionDenied) => f.write_str("permission denied"),
            Self::Refused(io::ErrorKind::IsADirectory) => f.write_str("it is a directory"),
            Self::Refused(kind) => kind.fmt(f),
            Self::TooLarge(most) => write!(f, "it is larger than {} MiB", most >> 20),
            Self::Late(limit) => {
                let limit = seconds(*limit);
                write!(f, "it is not a regular file, and did not end within {limit} (--timeout)")
            }
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Refused(error.kind())
    }
}

/// What came out of a pipe, or that nothing did.
type Piped = Arc<OnceLock<Result<Vec<u8>, Unreadable>>>;

/// It comes only once, and may be asked for again.
static PIPED: Mutex<BTreeMap<PathBuf, Piped>> = Mutex::new(BTreeMap::new());

/// Reads a file of at most so many bytes; what is no plain file has so much time.
pub(super) fn read(path: &Path, most: usize, limit: Duration) -> Result<Vec<u8>, Unreadable> {
    let kind = std::fs::metadata(path)?;
    if kind.is_file() {
        return whole(path, most);
    }
    if kind.is_dir() {
        return Err(Unreadable::Refused(io::ErrorKind::IsADirectory));
    }
    // Whoever else wants this one waits, and takes what came.
    let mut all = PIPED.lock().unwrap_or_else(PoisonError::into_inner);
    let piped = all.entry(path.to_owned()).or_default().clone();
    drop(all);
    let read = || {
        // Opening a pipe may wait for ever, so that is left to a thread that nobody waits for.
        let (sender, receiver) = mpsc::channel();
        let pipe = path.to_owned();
        std::thread::spawn(move || sender.send(whole(&pipe, most)));
        receiver.recv_timeout(limit).unwrap_or(Err(Unreadable::Late(limit)))
    };
    piped.get_or_init(read).clone()
}

fn whole(path: &Path, most: usize) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = vec![];
    File::open(path)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(Unreadable::TooLarge(most)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1 << 20;
    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn only_so_much_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        for (size, fits) in [(0, true), (MOST, true), (MOST + 1, false)] {
            std::fs::write(&path, vec![b'a'; size]).unwrap();
            let want = if fits { Ok(size) } else { Err(Unreadable::TooLarge(MOST)) };
            assert_eq!(read(&path, MOST, LIMIT).map(|bytes| bytes.len()), want);
        }
        let want = "it is a directory";
        assert_eq!(read(directory.path(), MOST, LIMIT).unwrap_err().to_string(), want);
        let gone = read(&directory.path().join("gone"), MOST, LIMIT);
        assert_eq!(gone.unwrap_err().to_string(), "no such file");
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_end() {
        let want = "it is larger than 1 MiB";
        assert_eq!(read(Path::new("/dev/zero"), MOST, LIMIT).unwrap_err().to_string(), want);
        let directory = tempfile::tempdir().unwrap();
        let pipe = |name: &str| {
            let path = directory.path().join(name);
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
            path
        };
        let soon = Duration::from_millis(10);
        assert_eq!(read(&pipe("silent"), MOST, soon), Err(Unreadable::Late(soon)));
        let path = pipe("written");
        let writer = path.clone();
        let writing = std::thread::spawn(move || std::fs::write(writer, "hello"));
        assert_eq!(read(&path, MOST, LIMIT), Ok(b"hello".to_vec()));
        writing.join().unwrap().unwrap();
        assert_eq!(read(&path, MOST, LIMIT), Ok(b"hello".to_vec()), "once is enough");
    }
}
