//! The answer of `schema`: JSON Schemas, generated from the types that are serialized.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};

use super::diff::ComparedJson;
use super::{
    API_VERSION, Items, JsonEnvelope, ServedDocument, access, api_services, chain, client,
    conflicts, diff, discovery, doctor, explain, flags, fleet, health, history, lint, openapi,
    order, route, routes, site, upgrade, usage, verdicts, verify, version, versions,
};

/// A kind of document, and the function that generates its schema.
type SchemaKind = (&'static str, fn() -> Schema);

/// Every kind, sorted by name.
const KINDS: &[SchemaKind] = &[
    ("APIGroup", of::<ServedDocument<'static, discovery::DiscoveryGroupJson<'static>>>),
    ("APIGroupDiscovery", of::<ServedDocument<'static, discovery::AggregatedGroupJson<'static>>>),
    ("APIGroupDiscoveryList", of::<ServedDocument<'static, discovery::AggregatedJson<'static>>>),
    ("APIGroupList", of::<ServedDocument<'static, discovery::GroupsJson<'static>>>),
    ("APIResourceList", of::<ServedDocument<'static, discovery::ResourcesJson<'static>>>),
    ("APIService", of::<JsonEnvelope<'static, api_services::ApiServiceJson<'static>>>),
    ("APIServiceList", of::<JsonEnvelope<'static, Items<api_services::ApiServiceJson<'static>>>>),
    ("APIVersions", of::<ServedDocument<'static, discovery::VersionsJson<'static>>>),
    ("Access", of::<JsonEnvelope<'static, access::AccessJson<'static>>>),
    ("AccessList", of::<JsonEnvelope<'static, Items<access::AccessJson<'static>>>>),
    ("Chain", of::<JsonEnvelope<'static, chain::ChainJson<'static>>>),
    ("ClientPrediction", of::<JsonEnvelope<'static, client::ClientJson<'static>>>),
    ("Conflict", of::<JsonEnvelope<'static, conflicts::ConflictJson<'static>>>),
    ("ConflictList", of::<JsonEnvelope<'static, conflicts::ConflictsJson<'static>>>),
    ("ContextList", of::<JsonEnvelope<'static, Items<fleet::ContextItemJson<'static>>>>),
    ("Diagnosis", of::<JsonEnvelope<'static, doctor::DiagnosisJson<'static>>>),
    ("DiagnosisList", of::<JsonEnvelope<'static, doctor::DiagnosesJson<'static>>>),
    ("Diff", of::<ComparedJson<'static, diff::DiffJson<'static>>>),
    ("DiffSummary", of::<ComparedJson<'static, diff::DiffSummaryJson>>),
    ("Difference", of::<ComparedJson<'static, diff::DiffLineJson<'static>>>),
    ("Error", of::<JsonEnvelope<'static, site::ErrorJson<'static>>>),
    ("Explanation", of::<JsonEnvelope<'static, explain::ExplanationJson<'static>>>),
    ("Finding", of::<JsonEnvelope<'static, lint::LintFindingJson<'static>>>),
    ("Fleet", of::<JsonEnvelope<'static, Items<fleet::FleetItemJson<'static>>>>),
    ("FleetDiff", of::<JsonEnvelope<'static, Items<diff::FleetDiffItemJson<'static>>>>),
    ("Flag", of::<JsonEnvelope<'static, flags::FlagJson<'static>>>),
    ("Flags", of::<JsonEnvelope<'static, flags::FlagsJson<'static>>>),
    ("Health", of::<JsonEnvelope<'static, health::HealthJson<'static>>>),
    ("HealthCheck", of::<JsonEnvelope<'static, health::CheckJson<'static>>>),
    ("HealthCheckInfo", of::<JsonEnvelope<'static, health::KnownJson>>),
    ("LintReport", of::<JsonEnvelope<'static, lint::LintReportJson<'static>>>),
    ("Manifests", of::<JsonEnvelope<'static, Items<site::ManifestJson>>>),
    ("Match", of::<JsonEnvelope<'static, explain::MatchJson<'static>>>),
    ("NameConflict", of::<JsonEnvelope<'static, conflicts::NameJson<'static>>>),
    ("NamespaceExplanation", of::<JsonEnvelope<'static, explain::NamespaceJson<'static>>>),
    ("OpenAPI", of::<JsonEnvelope<'static, openapi::OpenApiJson<'static>>>),
    ("OpenAPIDefinition", of::<JsonEnvelope<'static, openapi::DefinitionJson<'static>>>),
    ("OpenAPIGroupVersion", of::<JsonEnvelope<'static, openapi::OpenApiItemJson<'static>>>),
    ("Order", of::<JsonEnvelope<'static, order::OrderJson<'static>>>),
    ("OrderDifference", of::<ComparedJson<'static, diff::DiffLineJson<'static>>>),
    ("OrderedGroup", of::<JsonEnvelope<'static, order::PlacedJson<'static>>>),
    ("Paths", of::<JsonEnvelope<'static, Items<String>>>),
    ("Place", of::<JsonEnvelope<'static, site::PlaceJson<'static>>>),
    ("RollingUpgrade", of::<JsonEnvelope<'static, upgrade::RollingJson<'static>>>),
    ("RollingUpgradeStep", of::<JsonEnvelope<'static, upgrade::StepJson<'static>>>),
    ("Route", of::<route::RouteJson<'static>>),
    ("RouteList", of::<JsonEnvelope<'static, Items<route::RouteJson<'static>>>>),
    ("RouteTable", of::<JsonEnvelope<'static, Items<routes::EntryJson<'static>>>>),
    ("RouteTableRow", of::<JsonEnvelope<'static, routes::EntryJson<'static>>>),
    ("RouteTest", of::<JsonEnvelope<'static, verdicts::RouteTestJson<'static>>>),
    ("RouteTestResult", of::<JsonEnvelope<'static, verdicts::RouteTestResultJson<'static>>>),
    ("Rule", of::<JsonEnvelope<'static, lint::RuleJson>>),
    ("RuleList", of::<JsonEnvelope<'static, lint::RulesJson>>),
    ("SecurityFinding", of::<JsonEnvelope<'static, access::SecurityFindingJson<'static>>>),
    (
        "SecurityFindingList",
        of::<JsonEnvelope<'static, Items<access::SecurityFindingJson<'static>>>>,
    ),
    ("ServedVersion", of::<JsonEnvelope<'static, history::HistoryRowJson<'static>>>),
    ("Server", of::<JsonEnvelope<'static, chain::ServerJson<'static>>>),
    ("Site", of::<JsonEnvelope<'static, site::SiteJson<'static>>>),
    ("Upgrade", of::<JsonEnvelope<'static, upgrade::UpgradeJson<'static>>>),
    ("UpgradeFinding", of::<JsonEnvelope<'static, upgrade::UpgradeFindingJson<'static>>>),
    ("Usage", of::<JsonEnvelope<'static, usage::UsageJson<'static>>>),
    ("UsageRow", of::<JsonEnvelope<'static, usage::UsageRowJson<'static>>>),
    ("Verification", of::<JsonEnvelope<'static, verify::VerificationJson<'static>>>),
    ("Version", of::<JsonEnvelope<'static, versions::SortedVersionJson<'static>>>),
    ("VersionHistory", of::<JsonEnvelope<'static, history::HistoryJson<'static>>>),
    ("VersionInfo", of::<JsonEnvelope<'static, version::VersionInfoJson<'static>>>),
    ("VersionOrder", of::<JsonEnvelope<'static, versions::VersionOrderJson<'static>>>),
];

/// The documents of commands that are named differently.
const COMMANDS: [(&str, &str); 11] = [
    ("api-versions", "VersionHistory"),
    ("apiservices", "APIServiceList"),
    ("client", "ClientPrediction"),
    ("conflicts", "ConflictList"),
    ("discovery", "APIGroupDiscoveryList"),
    ("doctor", "DiagnosisList"),
    ("explain", "Explanation"),
    ("lint", "LintReport"),
    ("sort-versions", "VersionOrder"),
    ("test", "RouteTest"),
    ("verify", "Verification"),
];

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// Returns the kinds that have a schema, sorted.
pub fn schema_kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|(kind, _)| *kind)
}

/// Returns the schema of a kind, or of the document that a command prints.
pub fn schema(kind: &str) -> Option<Value> {
    let command = COMMANDS.iter().find(|(command, _)| *command == kind);
    let kind = command.map_or(kind, |(_, printed)| printed);
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
