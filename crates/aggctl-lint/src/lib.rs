//! The linter of APIService manifests.
//!
//! [`run`] takes the bytes of files, what is known of a cluster, and the setup,
//! and returns a [`Report`]. It reads nothing else: the time is part of the
//! setup. Each rule is a file in `rules/`; what the API server itself refuses is
//! worked out in `server/` and reported by the rules of that category.

mod api_service;
mod config;
mod engine;
mod finding;
mod fix;
mod groups;
mod kustomize;
mod objects;
mod options;
mod rbac;
mod repair;
mod report;
mod rule;
pub mod rules;
mod scope;
pub mod server;
mod suppress;
mod template;
mod together;

pub use api_service::{ApiService, Object};
pub use config::{Allow, Config, FILE_NAME as CONFIG_FILE};
pub use engine::{Input, Role, run};
pub use finding::{Confidence, Finding, Located, Place, Severity, Suppressed};
pub use fix::{Fix, Intent};
pub use options::Options;
pub use rbac::Workload;
pub use repair::{Edit, apply, edit_of, edits};
pub use report::Report;
pub use rule::{Category, Check, Docs, Rule};
pub use scope::{Lookup, Scope};
