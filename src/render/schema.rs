//! JSON Schemas of what the commands print, from the types that print it.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::diff::ComparedJson;
use super::{
    API_VERSION, Envelope, Items, Served, access, api_services, chain, conflicts, diff, discovery,
    doctor, explain, flags, health, history, lint, openapi, order, page, route, routes, upgrade,
    usage, verdicts, version, versions,
};

/// A kind of document, and how its schema is made.
type Kind = (&'static str, fn() -> Schema);

/// Every kind, sorted by name.
const KINDS: &[Kind] = &[
    ("APIGroup", of::<Served<'static, discovery::GroupJson<'static>>>),
    ("APIGroupDiscovery", of::<Served<'static, discovery::AggregatedGroupJson<'static>>>),
    ("APIGroupDiscoveryList", of::<Served<'static, discovery::AggregatedJson<'static>>>),
    ("APIGroupList", of::<Served<'static, discovery::GroupsJson<'static>>>),
    ("APIResourceList", of::<Served<'static, discovery::ResourcesJson<'static>>>),
    ("APIService", of::<Envelope<'static, api_services::ApiServiceJson<'static>>>),
    ("APIServiceList", of::<Envelope<'static, Items<api_services::ApiServiceJson<'static>>>>),
    ("APIVersions", of::<Served<'static, discovery::VersionsJson<'static>>>),
    ("Access", of::<Envelope<'static, access::AccessJson<'static>>>),
    ("AccessList", of::<Envelope<'static, Items<access::AccessJson<'static>>>>),
    ("Chain", of::<Envelope<'static, chain::ChainJson<'static>>>),
    ("Conflict", of::<Envelope<'static, conflicts::ConflictJson<'static>>>),
    ("ConflictList", of::<Envelope<'static, conflicts::ConflictsJson<'static>>>),
    ("Diagnosis", of::<Envelope<'static, doctor::DiagnosisJson<'static>>>),
    ("DiagnosisList", of::<Envelope<'static, doctor::DiagnosesJson<'static>>>),
    ("Diff", of::<ComparedJson<'static, diff::DiffJson<'static>>>),
    ("DiffSummary", of::<ComparedJson<'static, diff::SummaryJson>>),
    ("Difference", of::<ComparedJson<'static, diff::LineJson<'static>>>),
    ("Error", of::<Envelope<'static, page::ErrorJson<'static>>>),
    ("Explanation", of::<Envelope<'static, explain::ExplanationJson<'static>>>),
    ("Finding", of::<Envelope<'static, lint::FindingJson<'static>>>),
    ("Flag", of::<Envelope<'static, flags::FlagJson<'static>>>),
    ("Flags", of::<Envelope<'static, flags::FlagsJson<'static>>>),
    ("Health", of::<Envelope<'static, health::HealthJson<'static>>>),
    ("HealthCheck", of::<Envelope<'static, health::CheckJson<'static>>>),
    ("HealthCheckInfo", of::<Envelope<'static, health::KnownJson>>),
    ("LintReport", of::<Envelope<'static, lint::ReportJson<'static>>>),
    ("Manifests", of::<Envelope<'static, Items<page::ManifestJson>>>),
    ("Match", of::<Envelope<'static, explain::MatchJson<'static>>>),
    ("NameConflict", of::<Envelope<'static, conflicts::NameJson<'static>>>),
    ("NamespaceExplanation", of::<Envelope<'static, explain::NamespaceJson<'static>>>),
    ("OpenAPI", of::<Envelope<'static, openapi::OpenApiJson<'static>>>),
    ("OpenAPIDefinition", of::<Envelope<'static, openapi::DefinitionJson<'static>>>),
    ("OpenAPIGroupVersion", of::<Envelope<'static, openapi::ItemJson<'static>>>),
    ("Order", of::<Envelope<'static, order::OrderJson<'static>>>),
    ("OrderDifference", of::<ComparedJson<'static, diff::LineJson<'static>>>),
    ("OrderedGroup", of::<Envelope<'static, order::PlacedJson<'static>>>),
    ("Paths", of::<Envelope<'static, Items<String>>>),
    ("Place", of::<Envelope<'static, page::PlaceJson<'static>>>),
    ("RollingUpgrade", of::<Envelope<'static, upgrade::RollingJson<'static>>>),
    ("RollingUpgradeStep", of::<Envelope<'static, upgrade::StepJson<'static>>>),
    ("Route", of::<route::RouteJson<'static>>),
    ("RouteList", of::<Envelope<'static, Items<route::RouteJson<'static>>>>),
    ("RouteTable", of::<Envelope<'static, Items<routes::EntryJson<'static>>>>),
    ("RouteTableRow", of::<Envelope<'static, routes::EntryJson<'static>>>),
    ("RouteTest", of::<Envelope<'static, verdicts::ReportJson<'static>>>),
    ("RouteTestResult", of::<Envelope<'static, verdicts::ItemJson<'static>>>),
    ("Rule", of::<Envelope<'static, lint::RuleJson>>),
    ("RuleList", of::<Envelope<'static, lint::RulesJson>>),
    ("SecurityFinding", of::<Envelope<'static, access::FindingJson<'static>>>),
    ("SecurityFindingList", of::<Envelope<'static, Items<access::FindingJson<'static>>>>),
    ("ServedVersion", of::<Envelope<'static, history::RowJson<'static>>>),
    ("Server", of::<Envelope<'static, chain::ServerJson<'static>>>),
    ("Site", of::<Envelope<'static, page::SiteJson<'static>>>),
    ("Upgrade", of::<Envelope<'static, upgrade::UpgradeJson<'static>>>),
    ("UpgradeFinding", of::<Envelope<'static, upgrade::FindingJson<'static>>>),
    ("Usage", of::<Envelope<'static, usage::UsageJson<'static>>>),
    ("UsageRow", of::<Envelope<'static, usage::RowJson<'static>>>),
    ("Version", of::<Envelope<'static, versions::VersionJson<'static>>>),
    ("VersionHistory", of::<Envelope<'static, history::HistoryJson<'static>>>),
    ("VersionInfo", of::<Envelope<'static, version::VersionInfoJson<'static>>>),
    ("VersionOrder", of::<Envelope<'static, versions::VersionOrderJson<'static>>>),
];

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The kinds that have a schema, sorted.
pub fn schema_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(kind, _)| *kind)
}

/// The schema of a kind.
pub fn schema(kind: &str) -> Option<Value> {
    let (kind, make) = KINDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind))?;
    let mut schema = make().to_value();
    schema["title"] = json!(kind);
    schema["$id"] = json!(format!("{API_VERSION}/{kind}.schema.json"));
    if let Some(properties) = schema.get_mut("properties") {
        properties["kind"] = json!({"const": kind});
        if let Some(version) = properties.get_mut("apiVersion").filter(|v| v["type"] == "string") {
            *version = json!({"const": API_VERSION});
        }
    }
    Some(schema)
}
