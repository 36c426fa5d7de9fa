//! What makes two answers the same but for the request in them.

use super::mux::Match;
use super::outcome::{Decision, Hop, Miss, Route};
use super::request::RequestInfo;

impl Route<'_> {
    /// Writes all that hops, outcome, statuses and remarks follow from. Two routes of one router
    /// that write the same differ in nothing but their requests. `info` is what each is about.
    ///
    /// Facts are told apart by where they are in memory, which is as quick as it is exact: they
    /// stay there as long as the router.
    pub fn kind(&self, info: Option<&RequestInfo<'_>>, into: &mut Vec<u8>) {
        self.hops().for_each(|hop| hop.kind(into));
        into.extend([END, self.outcome as u8]);
        number(place(self.status), into);
        number(self.status.len(), into);
        // Remarks look at the path, but at no name or namespace in it.
        let plain = self.path.starts_with("/api") && !self.path.starts_with("/apis//");
        match info.filter(|info| plain && info.resource_request) {
            Some(info) => {
                for segment in [info.group, info.version, info.resource] {
                    into.extend(segment.as_bytes());
                    into.push(b'/');
                }
            }
            None => {
                into.push(END);
                into.extend(self.path.as_bytes());
            }
        }
    }
}

/// Neither a server nor a byte of a group's name.
const END: u8 = u8::MAX;

impl Hop<'_> {
    fn kind(&self, into: &mut Vec<u8>) {
        let (matched, pattern) = match self.matched {
            Match::WebService(root) => (0, root),
            Match::Exact => (1, ""),
            Match::Prefix(prefix) => (2, prefix),
            Match::None => (3, ""),
        };
        let (decision, about) = match self.decision {
            Decision::PassOn => (0, 0),
            Decision::Delegate(service) => (1, place(service)),
            Decision::Proxy(service) => (2, place(service)),
            Decision::ProxySomewhere(gv) => (3, place(gv)),
            // Why follows from the outcome's status.
            Decision::Refuse(service, _) => (4, place(service)),
            Decision::GroupDocument => (5, 0),
            Decision::NonApi => (6, 0),
            Decision::Redirect => (7, 0),
            Decision::OpenApi(known) => (8, known.map_or(2, usize::from)),
            Decision::Document => (9, 0),
            Decision::BuiltIn(gv) => (10, place(gv)),
            Decision::NoRoute(gv) => (11, gv.map_or(0, place)),
            Decision::WrongMethod(methods) => {
                (12, methods.iter().fold(0, |all, method| all | 1 << method as usize))
            }
            Decision::NotWatchable(gv) => (13, place(gv)),
            Decision::RoutesUnknown => (14, 0),
            Decision::CustomDocument => (15, 0),
            Decision::Custom(crd) => (16, place(crd)),
            Decision::CustomVerb(crd) => (17, place(crd)),
            Decision::CustomUnknown => (18, 0),
            Decision::NoCustom(Miss::NotAResource) => (19, 0),
            Decision::NoCustom(Miss::NoGroup) => (20, 0),
            Decision::NoCustom(Miss::NoGroupVersion) => (21, 0),
            Decision::NoCustom(Miss::NoCrd) => (22, 0),
            Decision::NoCustom(Miss::ClusterScoped(crd)) => (23, place(crd)),
            Decision::NoCustom(Miss::Namespaced(crd)) => (24, place(crd)),
            Decision::NoCustom(Miss::NotServed(crd)) => (25, place(crd)),
            Decision::NoCustom(Miss::NotAccepted(crd)) => (26, place(crd)),
        };
        into.extend([self.server as u8, matched, decision]);
        number(place(pattern), into);
        number(pattern.len(), into);
        number(about, into);
    }
}

fn number(number: usize, into: &mut Vec<u8>) {
    into.extend(number.to_ne_bytes());
}

/// Where a fact is.
fn place<T: ?Sized>(fact: &T) -> usize {
    std::ptr::from_ref(fact).addr()
}
