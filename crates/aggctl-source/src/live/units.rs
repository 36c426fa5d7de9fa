//! Formats time and size limits for messages.

use std::time::Duration;

/// Formats a time limit, such as `20 s` or `400 ms`.
pub(super) fn seconds(limit: Duration) -> String {
    if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    }
}

/// Formats a size limit, such as `64 MiB`.
pub(super) fn size(bytes: usize) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}
