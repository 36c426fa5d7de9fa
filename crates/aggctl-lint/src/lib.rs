//! The linter for APIService manifests.
//!
//! [`run`] takes the bytes of files, a snapshot of a cluster and options, and returns a
//! [`LintReport`]. It reads nothing else: even the time is an option. Each rule is a file in
//! `rules/`. `server/` validates what the API server itself rejects, and the rules of that category
//! report it.

mod accounts;
mod api_service;
mod config;
mod engine;
mod finding;
mod fix;
mod found;
mod groups;
mod input;
mod kustomization;
mod kustomize;
mod objects;
mod options;
pub mod policy;
mod rbac;
mod removed;
mod repair;
mod report;
mod rule;
pub mod rules;
mod scope;
pub mod server;
mod suppress;
mod template;
mod together;

pub use accounts::Workload;
pub use api_service::{ApiService, ManifestObject};
pub use config::{Allow, Config, ConfigError, Exclusions, FILE_NAME as CONFIG_FILE};
pub use engine::run;
pub use finding::{Finding, Located, Place, Severity, Suppressed};
pub use fix::{Fix, Intent};
pub use input::{LintInput, Role};
pub use kustomization::references;
pub use options::LintOptions;
pub use removed::{RemovedObject, removed_objects};
pub use repair::{Edit, UnsafeFix, apply, edit_of, edits};
pub use report::{LintReport, Skipped};
pub use rule::{Category, Confidence, Docs, Rule};
pub use scope::{LintContext, ServiceFinding};
pub use toml::Spanned;
