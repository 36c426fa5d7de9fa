//! Control planes with several API servers: which of them handles a request.
//!
//! Since 1.36 a server that does not know a resource proxies the request to a peer that does, and
//! merges the discovery of its peers into its own. The proxy is the innermost filter: it comes
//! after authorization and before kube-aggregator, so before any APIService is looked at. This
//! module models it as a step before [`Router`](crate::routing::Router), over one registry per server.
//!
//! What a server knows about its peers is a cache. A peer is asked when its identity Lease appears,
//! disappears or changes its holder, and not otherwise, so that a snapshot cannot tell how old the
//! cache is. The server's own merged document shows what was in it.

mod documents;
mod members;
mod order;
mod plane;
mod review;
mod rolling;

pub use members::{MemberProblem, Presence};
pub use plane::{ControlPlane, LocalReason, PeerRoute, PeerStep};
pub use review::PlaneIssue;
pub use rolling::{DifferingResource, Rolling, RollingStep, rolling};

#[cfg(test)]
mod tests;
