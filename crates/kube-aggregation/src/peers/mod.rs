//! Control planes with several API servers: which of them handles a request.
//!
//! Since 1.36, a server that does not know a resource proxies the request to a peer that does, and
//! merges the discovery of its peers into its own. The proxy is the innermost filter. It runs after
//! authorization and before kube-aggregator, so before any APIService matters. This module models
//! it as a step before [`Router`](crate::routing::Router), with one registry per server.
//!
//! A server caches what it knows about its peers. It only asks a peer when the peer's identity
//! Lease appears, disappears or changes its holder, so a snapshot does not show the age of the
//! cache. The server's own merged document shows its content.

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
