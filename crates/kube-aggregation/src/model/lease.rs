//! Identity Leases, which the API servers of a control plane use to find each other.

/// The identity Lease of one API server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdentityLease {
    /// The server's identity, which is the name of the Lease: `apiserver-` and a hash of the host
    /// name.
    pub identity: String,
    /// The host name, from a label.
    pub host: String,
    /// The address that peers dial; `None` if the server publishes none.
    pub address: Option<String>,
    /// The holder, which changes with each start of the server.
    pub holder: String,
    /// When the server last renewed it, in seconds since 1970.
    pub renewed: Option<i64>,
}

impl IdentityLease {
    /// The label of identity Leases.
    pub const LABEL: &'static str = "apiserver.kubernetes.io/identity";
    /// The value of that label for kube-apiserver.
    pub const LABEL_VALUE: &'static str = "kube-apiserver";
    /// The label with the host name.
    pub const HOST_LABEL: &'static str = "kubernetes.io/hostname";
    /// The annotation with the address that peers dial.
    pub const ADDRESS_ANNOTATION: &'static str = "kubernetes.io/peer-advertise-address";
}

/// Parses a time such as `2026-11-17T20:06:40.115532Z` to seconds since 1970. Leases are in UTC.
pub(crate) fn seconds(time: &str) -> Option<i64> {
    let (date, clock) = time.split_once('T')?;
    let clock = clock.strip_suffix('Z')?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let whole = clock.split('.').next()?;
    let mut clock = whole.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years begin in March here, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    const BEFORE_1970: i64 = 719_469;
    Some((days - BEFORE_1970) * 86_400 + hour * 3_600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_from_1970() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2000-02-29T12:00:01.5Z"), Some(951_825_601));
        assert_eq!(seconds("2026-11-17T20:06:40.115532Z"), Some(1_794_946_000));
        for other in ["", "2026-11-17", "2026-11-17T20:06Z", "2026-13-17T20:06:40Z", "xTyZ"] {
            assert_eq!(seconds(other), None, "{other}");
        }
    }
}
