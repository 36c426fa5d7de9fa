//! client-go's cached discovery client, for one run of kubectl.
//!
//! Each document comes from its file if that is young enough and can be decoded. Otherwise the
//! server is asked for all of them, and the answers are written to the files. If a lookup fails and
//! any file of an earlier run was used, all files are discarded and the lookup is repeated.

use std::collections::BTreeMap;
use std::rc::Rc;

use jiff::Timestamp;

use crate::cache::{CacheFile, DiscoveryCache};
use crate::documents::{DiscoveredGroup, ResourceList};
use crate::kubectl::Kubectl;
use crate::server::{ListAnswer, ServerDiscovery};

/// Where a document came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A file of an earlier run.
    Cache,
    /// The server.
    Server,
}

/// The documents that a lookup works with.
#[derive(Debug)]
pub(crate) struct Discovered<'a> {
    pub(crate) groups: &'a [DiscoveredGroup],
    /// The lists, in the order of the groups.
    pub(crate) lists: Vec<&'a ResourceList>,
    /// Where `servergroups.json` came from.
    pub(crate) groups_from: Origin,
    /// Where each list came from, by `group/version`. A list that cannot be had is missing.
    pub(crate) lists_from: BTreeMap<String, Origin>,
}

/// One run of kubectl.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    cache: Option<&'a DiscoveryCache>,
    server: &'a ServerDiscovery,
    pub(crate) kubectl: Kubectl,
    now: Timestamp,
    /// Whether no file of an earlier run was used.
    fresh: bool,
    invalidated: bool,
    /// Whether the server's documents are in memory.
    in_memory: bool,
    /// How often `/api` and `/apis` were requested.
    pub(crate) refreshes: usize,
    discovered: Option<Rc<Discovered<'a>>>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        cache: Option<&'a DiscoveryCache>,
        server: &'a ServerDiscovery,
        kubectl: Kubectl,
        now: Timestamp,
    ) -> Self {
        Self {
            cache,
            server,
            kubectl,
            now,
            fresh: true,
            invalidated: false,
            in_memory: false,
            refreshes: 0,
            discovered: None,
        }
    }

    /// Returns whether a failed lookup is final.
    pub(crate) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Returns whether the files were discarded.
    pub(crate) fn is_invalidated(&self) -> bool {
        self.invalidated
    }

    /// Discards all documents.
    pub(crate) fn invalidate(&mut self) {
        self.fresh = true;
        self.invalidated = true;
        self.in_memory = false;
        self.discovered = None;
    }

    /// Returns all documents.
    pub(crate) fn documents(&mut self) -> Rc<Discovered<'a>> {
        if let Some(known) = &self.discovered {
            return Rc::clone(known);
        }
        let discovered = Rc::new(self.discover());
        self.discovered = Some(Rc::clone(&discovered));
        discovered
    }

    fn discover(&mut self) -> Discovered<'a> {
        let cache = self.cache;
        let groups = cache.and_then(|cache| self.usable(cache.groups.as_ref()?));
        let (groups, groups_from) = match groups {
            Some(groups) => (groups.as_slice(), Origin::Cache),
            None => {
                self.ask();
                (self.server.groups.as_slice(), Origin::Server)
            }
        };
        let mut lists = vec![];
        let mut lists_from = BTreeMap::new();
        for group in groups {
            for version in &group.versions {
                let name = match group.name.as_str() {
                    "" => version.version.clone(),
                    group => format!("{group}/{}", version.version),
                };
                let kept = cache.and_then(|cache| self.usable(cache.lists.get(&name)?));
                let (list, from) = match kept {
                    Some(list) => (list, Origin::Cache),
                    None => {
                        self.ask();
                        match self.server.lists.get(&name) {
                            Some(ListAnswer::List(list)) => (list, Origin::Server),
                            _ => continue,
                        }
                    }
                };
                lists.push(list);
                lists_from.insert(name, from);
            }
        }
        Discovered { groups, lists, groups_from, lists_from }
    }

    /// Returns the content of a file if it is used. A file that can be read counts as used, even if
    /// it cannot be decoded.
    fn usable<'f, T>(&mut self, file: &'f CacheFile<T>) -> Option<&'f T> {
        if self.invalidated || file.is_expired(self.now, self.kubectl) {
            return None;
        }
        self.fresh = false;
        file.content.as_ref()
    }

    fn ask(&mut self) {
        if !std::mem::replace(&mut self.in_memory, true) {
            self.refreshes += 1;
        }
    }
}
