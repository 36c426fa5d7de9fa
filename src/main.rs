//! The only place where the process ends.

use aggctl::cli::{Command, Status, Terminal};
use aggctl::error::{Error, Failure};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let mut err = std::io::stderr().lock();
    let mut term = Terminal { out: &mut out, err: &mut err, color: false, width: 80 };
    match Command::parse().run(&mut term) {
        Ok(Status::Ok) => ExitCode::SUCCESS,
        Ok(Status::Findings) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(term.err, "error: {error}");
            match error.downcast_ref::<Error>().map(Error::failure) {
                Some(Failure::Usage) => ExitCode::from(2),
                _ => ExitCode::from(3),
            }
        }
    }
}
