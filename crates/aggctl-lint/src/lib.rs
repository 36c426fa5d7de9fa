//! The linter of APIService manifests.
//!
//! [`run`] takes the bytes of files, what is known of a cluster, and the setup,
//! and returns a [`LintReport`]. It reads nothing else: the time is part of the
//! setup. Each rule is a file in `rules/`; what the API server itself refuses is
//! worked out in `server/` and reported by the rules of that category.

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

pub use accounts::Workload;
pub use api_service::{ApiService, ManifestObject};
pub use config::{Allow, Config, ConfigError, FILE_NAME as CONFIG_FILE};
pub use engine::run;
pub use finding::{Finding, Located, Place, Severity, Suppressed};
pub use fix::{Fix, Intent};
pub use input::{LintInput, Role};
pub use options::LintOptions;
pub use repair::{Edit, UnsafeFix, apply, edit_of, edits};
pub use report::LintReport;
pub use rule::{Category, Confidence, Docs, Rule};
pub use scope::{LintContext, ServiceFinding};
