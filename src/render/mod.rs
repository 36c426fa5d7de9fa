//! From values to bytes. Knows colour and columns; knows no source and decides nothing.

mod answer;
mod api_services;
mod chain;
mod command;
mod conflicts;
mod diff;
mod discovery;
mod doctor;
mod explain;
mod json;
mod junit;
mod layout;
pub mod lint;
mod order;
mod paint;
mod route;
mod sanitise;
mod schema;
mod table;
mod verdicts;
mod version;
mod versions;
mod yaml;

pub use answer::{Answer, Page};
pub use api_services::ApiServicesAnswer;
pub use chain::{ChainAnswer, chain_dot, chain_mermaid};
pub use command::SameSource;
pub use conflicts::ConflictsAnswer;
pub use diff::{DiffAnswer, diff_markdown};
pub use discovery::DiscoveryAnswer;
pub use doctor::{DoctorAnswer, standing_line};
pub use explain::{ExplanationAnswer, NamespacePage, RuleAnswer};
pub use json::{API_VERSION, Basis, Envelope, Items, Served, SourceJson, line, pretty};
pub use layout::{counted, enumerate, hang, indented, paragraph, wrap};
pub use order::OrderAnswer;
pub use paint::Paint;
pub use route::{RouteJson, RoutesAnswer, Suggestion, route_row};
pub use sanitise::{sanitise, without_commands};
pub use schema::{schema, schema_kinds};
pub use table::{Table, Tone};
pub use verdicts::{Judged, VerdictsAnswer, verdicts_junit};
pub use version::VersionAnswer;
pub use versions::VersionsAnswer;

pub use yaml::to_yaml;
