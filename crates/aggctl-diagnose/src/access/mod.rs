//! Who may send a request: what the API server decides before its chain of servers is asked.
//!
//! [`Attributes`] are what a request is judged by, [`User`] is whose it is, and [`Authorizer`] is
//! RBAC as a pure function over the roles and bindings of a snapshot.

mod attributes;
mod authorizer;
mod decision;
mod gate;
mod impersonation;
mod index;
mod modes;
mod nearest;
mod powers;
mod refusal;
mod rule;
mod security;
mod user;

pub use attributes::{Attributes, ResourceAttributes};
pub use authorizer::{Authorizer, Lost};
pub use decision::{Decision, Grant};
pub use gate::{
    Caller, Filter, FilterOutcome, FilterStep, RequestFilters, rbac_alone, rbac_decides,
};
pub use nearest::{Aspect, NearMiss};
pub use powers::{Holder, Power, is_account_of};
pub use refusal::AccessRefusal;
pub use rule::Rule;
pub use security::{Redirectable, redirectable};
pub use user::{User, service_account};

/// The group that no authorizer is asked about.
pub const MASTERS: &str = "system:masters";
/// The group of everybody who is known.
pub const AUTHENTICATED: &str = "system:authenticated";
/// The group of everybody else.
pub const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The user that nobody is.
pub const ANONYMOUS: &str = "system:anonymous";
/// The group of kubelets, whom the Node authorizer knows more about.
pub const NODES: &str = "system:nodes";
