//! The only place where the process ends.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::SUCCESS
}
