//! Rendering: every answer in every format, from values to bytes. Reads no source and decides
//! nothing.

mod access;
mod answer;
mod api_services;
mod ascii;
mod chain;
mod client;
mod command;
mod conflicts;
mod csv;
mod diff;
mod discovery;
mod doctor;
mod explain;
mod flags;
mod fleet;
mod format;
mod go_template;
mod health;
mod history;
mod input_schema;
mod json;
mod jsonpath;
mod junit;
mod kyaml;
mod layout;
pub mod lint;
mod markdown;
mod openapi;
mod order;
mod paint;
mod route;
mod routes;
mod sanitize;
mod schema;
mod site;
mod table;
mod text_builder;
mod text_options;
mod upgrade;
mod usage;
mod verdicts;
mod verify;
mod version;
mod versions;
mod yaml;

pub use access::{AccessAnswer, AccessTo, SecurityAnswer};
pub use answer::Answer;
pub use api_services::{ApiServicesAnswer, has_issue};
pub use ascii::ascii;
pub use chain::ChainAnswer;
pub use client::{CacheVerdicts, ClientAnswer, KubectlVersion, skipped_file};
pub use command::SourceFlags;
pub use conflicts::ConflictsAnswer;
pub use diff::{DiffAnswer, FleetDiffAnswer, FleetDiffMember, diff_summary};
pub use discovery::DiscoveryAnswer;
pub use doctor::{CacheNote, DoctorAnswer, plane_text, standing_line};
pub use explain::{ExplanationAnswer, NamespacePage, RuleAnswer};
pub use flags::FlagsAnswer;
pub use fleet::{ContextMember, ContextState, ContextsAnswer, FleetAnswer, FleetMember};
pub use format::{COMMON_FORMATS, Format};
pub use go_template::GoTemplate;
pub use health::{CheckAnswer, HealthAnswer};
pub use history::HistoryAnswer;
pub use input_schema::{INPUT_SCHEMAS, input_schema};
pub use json::{
    API_VERSION, Items, JsonEnvelope, ResponseMeta, ServedDocument, SourceJson, document, line,
    pretty,
};
pub use jsonpath::{CustomColumns, JsonPath};
pub use kyaml::to_kyaml;
pub use layout::{counted, enumerate, hang, indented, paragraph, wrapped_lines};
pub use openapi::{DefinitionAnswer, Forms, OpenApiAnswer, openapi_document};
pub use order::{OrderAnswer, group_order, version_order};
pub use paint::Paint;
pub use route::{
    PeerHop, Routed, RoutedNow, RoutesAnswer, StreamedRoute, Suggestion, parse_target,
};
pub use routes::RouteTableAnswer;
pub use sanitize::{escaped_yaml, sanitize, without_commands};
pub use schema::{schema, schema_kinds};
pub use site::{ErrorJson, ManifestJson, PlaceJson, PlaceOrderJson, ServersJson, SiteJson};
pub use text_options::TextOptions;
pub use upgrade::{RollingAnswer, UpgradeAnswer};
pub use usage::UsageAnswer;
pub use verdicts::{JudgedFile, VerdictsAnswer};
pub use verify::{Verification, VerificationAnswer};
pub use version::VersionAnswer;
pub use versions::VersionsAnswer;
pub use yaml::to_yaml;

use layout::{as_sentence, joined};
use table::{Table, Tone};
use text_builder::TextBuilder;
