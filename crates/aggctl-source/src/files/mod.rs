//! Reads files for dumps, manifests, pasted texts and expectations.
//!
//! Walks directories, reads standard input for `-`, unpacks gzip and tar, and converts UTF-16 to
//! UTF-8. Only regular files are opened, and pipes that the shell has opened: any other named pipe
//! or device could block or never end. All reads of one run share one `Budget`. `replace` writes
//! files.

mod budget;
mod content;
mod encoding;
mod error;
mod lines;
mod open;
mod reader;
mod replace;
mod stamp;
mod unpack;
mod walk;

pub use content::{Content, Entry, STDIN, is_standard_input};
pub use encoding::text;
pub use error::{FileError, Unreadable, plain};
pub use lines::{Lines, standard_input_lines};
pub(crate) use open::open;
pub use reader::Reader;
pub use replace::{IsLink, put, replace};
pub use stamp::stamp;
pub(crate) use unpack::unread_packing;
pub(crate) use walk::is_inside;
pub use walk::{Walk, walk};
