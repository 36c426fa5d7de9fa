//! From values to bytes. Knows colour and columns; knows no source and decides nothing.

mod access;
mod answer;
mod api_services;
mod chain;
mod command;
mod conflicts;
mod csv;
mod diff;
mod discovery;
mod doctor;
mod explain;
mod flags;
mod health;
mod history;
mod json;
mod junit;
mod layout;
pub mod lint;
mod markdown;
mod openapi;
mod order;
mod page;
mod paint;
mod route;
mod routes;
mod sanitise;
mod schema;
mod sheet;
mod table;
mod upgrade;
mod usage;
mod verdicts;
mod version;
mod versions;
mod yaml;

pub use access::{AccessAnswer, AccessTo, SecurityAnswer};
pub use answer::{Answer, TextOptions};
pub use api_services::ApiServicesAnswer;
pub use chain::{ChainAnswer, chain_dot, chain_mermaid};
pub use command::SourceFlags;
pub use conflicts::ConflictsAnswer;
pub use diff::{DiffAnswer, diff_markdown, diff_summary};
pub use discovery::DiscoveryAnswer;
pub use doctor::{DoctorAnswer, doctor_openmetrics, plane_text, standing_line};
pub use explain::{ExplanationAnswer, NamespacePage, RuleAnswer};
pub use flags::FlagsAnswer;
pub use health::{CheckAnswer, HealthAnswer};
pub use history::{HistoryAnswer, history_markdown};
pub use json::{
    API_VERSION, Envelope, Items, ResponseMeta, Served, SourceJson, line, pretty, write_line,
};
pub use layout::{counted, enumerate, hang, indented, paragraph};
pub use openapi::{DefinitionAnswer, Forms, OpenApiAnswer, openapi_document};
pub use order::{OrderAnswer, group_order, version_order};
pub use page::{ErrorJson, ManifestJson, PlaceJson, PlaceOrderJson, SiteJson};
pub use paint::Paint;
pub use route::{
    PeerHop, RouteJson, Routed, RoutesAnswer, Suggestion, parse_target, peer_columns, route_row,
};
pub use routes::{RouteTableAnswer, routes_csv, routes_sql};
pub use sanitise::{sanitise, without_commands};
pub use schema::{schema, schema_kinds};
pub use upgrade::{RollingAnswer, UpgradeAnswer, rolling_markdown, upgrade_markdown};
pub use usage::{UsageAnswer, usage_csv, usage_markdown};
pub use verdicts::{Judged, VerdictsAnswer, verdicts_junit};
pub use version::VersionAnswer;
pub use versions::VersionsAnswer;
pub use yaml::to_yaml;

use layout::joined;
use sheet::TextBuilder;
use table::{Table, Tone};
