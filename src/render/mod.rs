//! From values to bytes. Knows colour and columns; knows no source and decides nothing.

mod apiservices;
mod chain;
mod discovery;
mod doctor;
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

pub use apiservices::{api_services_json, api_services_table};
pub use chain::{chain_dot, chain_json, chain_mermaid, chain_text};
pub use discovery::{discovery_json, discovery_table};
pub use doctor::{DoctorView, diagnoses_json, diagnosis_json, doctor_text, standing_line};
pub use json::{API_VERSION, SourceJson, pretty};
pub use order::{order_json, order_table};
pub use paint::Paint;
pub(crate) use route::handler_name;
pub use route::{RouteJson, route_row, route_text, routes_table};
pub use sanitise::sanitise;
pub use table::{Table, Tone};
pub use versions::{version_words, versions_json, versions_table};
pub use wrap::wrap;
pub use yaml::to_yaml;
