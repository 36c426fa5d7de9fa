//! Decides who may send a request, as the API server does before its server chain sees the request.
//!
//! [`Authorizer`] implements RBAC as a pure function over the roles and bindings of a snapshot. It
//! decides what a [`User`] may do by the [`Attributes`] of a request. [`RequestFilters`] adds the
//! other authorizers, anonymous requests and impersonation.

mod attributes;
mod authorizer;
mod decision;
mod filters;
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
pub use authorizer::{Authorizer, LostRole};
pub use decision::{AccessDecision, Grant};
pub use filters::{
    Caller, Filter, FilterOutcome, FilterStep, RequestFilters, rbac_alone, rbac_decides,
};
pub use nearest::NearMiss;
pub use powers::{Holder, MatchedAccounts, Power, matched_accounts};
pub use refusal::AccessRefusal;
pub use rule::{Aspect, Rule};
pub use security::{Redirectable, redirectable};
pub use user::{ANONYMOUS, AUTHENTICATED, MASTERS, NODES, UNAUTHENTICATED, User, service_account};
