//! Counts the connections of each client, so that one client cannot use all of them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

/// The maximum number of connections per address. On loopback, all programs of this machine share
/// one.
const MAX: usize = 64;
const MAX_ON_LOOPBACK: usize = 192;

/// The connections of all clients.
#[derive(Debug, Clone, Default)]
pub(super) struct Clients(Arc<Mutex<HashMap<IpAddr, Used>>>);

#[derive(Debug, Default)]
struct Used {
    connections: usize,
    watches: usize,
}

/// A connection that is counted until this value is dropped.
#[derive(Debug)]
pub(super) struct Place {
    clients: Clients,
    client: IpAddr,
}

/// A watch that is counted until this value is dropped.
#[derive(Debug)]
pub(super) struct WatchPlace(Arc<Place>);

impl Clients {
    /// Counts a connection; `None` if the client has enough.
    pub(super) fn enter(&self, address: IpAddr) -> Option<Place> {
        let client = client(address);
        self.with(client, |used| {
            let free = used.connections < most(client);
            used.connections += usize::from(free);
            free
        })
        .then(|| Place { clients: self.clone(), client })
    }

    fn with<T>(&self, client: IpAddr, change: impl FnOnce(&mut Used) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let used = all.entry(client).or_default();
        let result = change(used);
        if used.connections == 0 {
            all.remove(&client);
        }
        result
    }
}

impl Place {
    /// Counts a watch; `None` if the client already uses half of its connections for watches. A
    /// watch lasts half an hour, and an idle one looks the same as one that the client does not
    /// read.
    pub(super) fn watch(self: &Arc<Self>) -> Option<WatchPlace> {
        let free = self.clients.with(self.client, |used| {
            let free = used.watches < most(self.client) / 2;
            used.watches += usize::from(free);
            free
        });
        free.then(|| WatchPlace(Arc::clone(self)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.clients.with(self.client, |used| used.connections -= 1);
    }
}

impl Drop for WatchPlace {
    fn drop(&mut self) {
        self.0.clients.with(self.0.client, |used| used.watches -= 1);
    }
}

fn most(client: IpAddr) -> usize {
    if client.is_loopback() { MAX_ON_LOOPBACK } else { MAX }
}

/// Returns the address that identifies a client: an IPv4 address, or an IPv6 network of 64 bits,
/// because one machine may have all addresses of such a network.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            let network = address.to_bits() & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_take_all() {
        let clients = Clients::default();
        let enter = |address: &str| clients.enter(address.parse().unwrap());
        for (address, same, other, most) in [
            ("192.0.2.1", "::ffff:192.0.2.1", "192.0.2.2", MAX),
            ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", MAX),
            ("127.0.0.1", "127.0.0.1", "127.0.0.2", MAX_ON_LOOPBACK),
            ("::1", "::1", "127.0.0.1", MAX_ON_LOOPBACK),
        ] {
            let mut all: Vec<_> = (0..most).map(|_| enter(address).unwrap()).collect();
            assert!(enter(same).is_none(), "{same}");
            assert!(enter(other).is_some(), "{other}");
            all.pop();
            let last = Arc::new(enter(same).unwrap());
            let watches: Vec<_> = (0..most / 2).map(|_| last.watch().unwrap()).collect();
            assert!(last.watch().is_none());
            drop(watches);
            assert!(last.watch().is_some());
        }
        assert!(clients.0.lock().unwrap().is_empty());
    }
}
