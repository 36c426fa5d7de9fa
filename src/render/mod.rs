//! From values to bytes. Knows colour and columns; knows no source and decides nothing.

mod apiservices;
mod chain;
mod command;
mod conflict;
mod diff;
mod discovery;
mod doctor;
mod expectation;
mod explain;
mod json;
pub mod lint;
mod order;
mod paint;
mod route;
mod sanitise;
mod table;
mod versions;
mod wrap;
mod yaml;

pub use apiservices::{api_service_json, api_services_table};
pub use chain::{chain_dot, chain_json, chain_mermaid, chain_text};
pub use command::SameSource;
pub use conflict::{conflict_lines, conflicts_json, conflicts_text};
pub use diff::{diff_json, diff_markdown, diff_text, difference_lines};
pub use discovery::{discovery_json, discovery_lines, discovery_table};
pub use doctor::{DoctorView, diagnoses_json, diagnosis_json, doctor_text, standing_line};
pub use expectation::{verdict_lines, verdicts_json, verdicts_junit, verdicts_text};
pub use explain::{
    ExplainView, entry_alone, entry_json, explanation_json, explanation_text, matches_json,
    namespace_json, namespace_text,
};
pub use json::{API_VERSION, Answer, Basis, Items, SourceJson, lines, pretty};
pub use order::{order_json, order_table, ordered_groups_json};
pub use paint::Paint;
pub use route::{RouteJson, route_row, route_text, routes_comparison, routes_table};
pub use sanitise::sanitise;
pub use table::{Table, Tone};
pub use versions::{version_words, versions_json, versions_table};
pub use wrap::{counted, enumerate, hang, wrap};
pub use yaml::to_yaml;
