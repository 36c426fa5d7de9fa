//! Runs a program, and measures its time and memory.

use std::ffi::OsStr;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Returns the time of a command in seconds and its peak memory in megabytes. `None` if it is not
/// installed or fails: the exit code must be 0, or 1 for findings.
pub(crate) fn run<S: AsRef<OsStr>>(command: &[S]) -> Option<(f64, u64)> {
    let (program, arguments) = command.split_first().unwrap();
    let start = Instant::now();
    let mut process = Command::new(program);
    process.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = process.spawn().ok()?;
    let mut peak = 0;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let took = start.elapsed().as_secs_f64();
            let answered = status.code().is_some_and(|code| code < 2);
            return answered.then_some((took, peak / 1_024));
        }
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let line =
            status.iter().flat_map(|text| text.lines()).find(|line| line.starts_with("VmHWM"));
        let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or_default());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
