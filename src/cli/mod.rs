//! The command line: one file or folder per command, and the driver that runs them.
//!
//! A command defines its arguments, says what it needs from a source, and answers with a value of
//! `render` (`driver`, `output`). Only this module knows clap; it does not compute answers.

#![expect(
    clippy::disallowed_methods,
    reason = "commands read standard input and the environment, and write the files they are asked for"
)]

mod access;
mod api_service_names;
mod api_versions;
mod apiservices;
mod audit_logs;
mod caller;
mod chain;
mod client;
mod client_cache;
mod cluster;
mod complete;
mod completions;
mod conflicts;
mod diff;
mod discovery;
mod doctor;
mod driver;
mod dump;
mod explain;
mod fail_on;
mod flags;
mod groups;
mod health;
mod hints;
mod lint;
mod man;
mod mcp;
mod openapi;
mod order;
mod output;
mod pager;
mod progress;
mod rbac;
mod report;
mod request;
mod route;
mod routes;
mod rules;
mod schema;
mod serve;
mod serve_answers;
mod sort_versions;
mod source;
mod stream;
mod templates;
mod terminal;
mod test;
mod typed_line;
mod upgrade;
mod usage;
mod value_parsers;
mod verify;
mod version;
mod watch;
mod what_if;

use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use kube_aggregation::nearest::nearest;

pub use completions::shells;
use driver::run;
pub use hints::advise;
pub use output::Format;
pub use pager::Paged;
pub use stream::{Messages, Out};
pub use terminal::{ColorChoice, Status, Terminal, print_parsed};

/// Show which server answers a Kubernetes API request, and why
///
/// Every request passes through a chain of servers: kube-aggregator, kube-apiserver,
/// apiextensions-apiserver, 404. An APIService can send it to an extension API server on the way.
/// aggctl reads a live cluster, a dump, or built-in Kubernetes data. It only sends GET requests.
#[derive(Debug, Parser)]
#[command(
    name = "aggctl",
    version,
    help_template = groups::TEMPLATE,
    before_help = groups::most_used(),
    before_long_help = groups::all(),
    after_help = EXAMPLES,
    max_term_width = 80,
)]
pub struct Cli {
    /// When to use color
    #[arg(long, value_enum, default_value_t = ColorChoice::Auto, global = true, hide_short_help = true, display_order = 900, value_name = "WHEN", help_heading = output::HEADING)]
    pub color: ColorChoice,

    /// Print tables without their headers
    #[arg(long, global = true, hide_short_help = true, help_heading = output::HEADING, display_order = 899)]
    pub no_headers: bool,

    /// Show data sources and full detail
    #[arg(short, long, global = true, help_heading = output::HEADING, display_order = 901)]
    pub verbose: bool,

    /// The command to run
    #[command(subcommand)]
    pub command: AnyCommand,
}

const EXAMPLES: &str = "\
Examples:
  aggctl route /apis/apps/v1/deployments    which server answers, and why
  aggctl doctor                             what is broken, and how to fix it
  kubectl top nodes 2>&1 | aggctl explain -
  aggctl lint deploy/                       check manifests before applying them
  aggctl doctor --dump examples/cluster     the same, without a cluster

Exit codes:
  0 answered   1 findings or a failed check   2 usage   3 unreadable source";

#[derive(Debug, Subcommand)]
#[command(defer = true)]
#[expect(missing_docs, reason = "each command's arguments carry its documentation")]
pub enum AnyCommand {
    Route(route::RouteArgs),
    #[command(hide = true)]
    Routes(routes::RoutesArgs),
    Discovery(discovery::DiscoveryArgs),
    Order(order::OrderArgs),
    #[command(name = "openapi")]
    OpenApi(openapi::OpenApiArgs),
    SortVersions(sort_versions::SortVersionsArgs),
    #[command(name = "apiservices")]
    ApiServices(apiservices::ApiServicesArgs),
    Chain(chain::ChainArgs),
    Client(client::ClientArgs),
    Conflicts(conflicts::ConflictsArgs),
    Access(access::AccessArgs),
    #[command(hide = true)]
    Flags(flags::FlagsArgs),
    Doctor(doctor::DoctorArgs),
    Health(health::HealthArgs),
    Diff(diff::DiffArgs),
    Upgrade(upgrade::UpgradeArgs),
    Usage(usage::UsageArgs),
    Test(test::TestArgs),
    Verify(verify::VerifyArgs),
    Lint(lint::LintArgs),
    #[command(hide = true)]
    Rules(rules::RulesArgs),
    Explain(explain::ExplainArgs),
    Serve(serve::ServeArgs),
    Report(report::ReportArgs),
    Dump(dump::DumpArgs),
    Mcp(mcp::McpArgs),
    Schema(schema::SchemaArgs),
    Version(version::VersionArgs),
    #[command(alias = "versions")]
    ApiVersions(api_versions::ApiVersionsArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl AnyCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// If the command has no answer: an [`Error`](crate::error::Error), or a library error that
    /// [`advise`] knows.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        terminal.needs_cluster = matches!(self, Self::Dump(_) | Self::Verify(_));
        match self {
            Self::Route(args) => run(&args, terminal),
            Self::Routes(args) => run(&args, terminal),
            Self::Discovery(args) => run(&args, terminal),
            Self::Order(args) => run(&args, terminal),
            Self::OpenApi(args) => run(&args, terminal),
            Self::SortVersions(args) => run(&args, terminal),
            Self::ApiServices(args) => run(&args, terminal),
            Self::Chain(args) => run(&args, terminal),
            Self::Client(args) => run(&args, terminal),
            Self::Conflicts(args) => run(&args, terminal),
            Self::Access(args) => run(&args, terminal),
            Self::Flags(args) => run(&args, terminal),
            Self::Doctor(args) => run(&args, terminal),
            Self::Health(args) => run(&args, terminal),
            Self::Diff(args) => run(&args, terminal),
            Self::Upgrade(args) => run(&args, terminal),
            Self::Usage(args) => run(&args, terminal),
            Self::Test(args) => run(&args, terminal),
            Self::Verify(args) => run(&args, terminal),
            Self::Lint(args) => args.run(terminal),
            Self::Rules(args) => run(&args, terminal),
            Self::Explain(args) => run(&args, terminal),
            Self::Serve(args) => args.run(terminal),
            Self::Report(args) => args.run(terminal),
            Self::Dump(args) => args.run(terminal),
            Self::Mcp(args) => args.run(terminal),
            Self::Schema(args) => args.run(terminal),
            Self::Version(args) => run(&args, terminal),
            Self::ApiVersions(args) => run(&args, terminal),
            Self::Completions(args) => args.run(terminal),
            Self::Man(args) => args.run(Cli::command(), terminal),
        }
    }
}

/// Returns the command line for help and errors, with commands as the user types them.
pub fn described(plugin: bool) -> clap::Command {
    fn retyped(command: clap::Command) -> clap::Command {
        let examples = command.get_after_help().map(|text| terminal::as_plugin(&text.to_string()));
        let command = examples.into_iter().fold(command, clap::Command::after_help);
        command.mut_subcommands(retyped)
    }
    if !plugin {
        return Cli::command();
    }
    let mut command = Cli::command().bin_name("kubectl aggctl");
    // Builds all commands, which are deferred otherwise, so that their examples exist.
    command.build();
    retyped(command)
}

/// Keeps only the closest command that clap suggests for a misspelled one. Removes the suggestion
/// for a misspelled option if that is not close, or if the command does not offer it.
pub fn only_good_tips(mut error: clap::Error, arguments: &[OsString], plugin: bool) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    if let Some(wrong) = text(ContextKind::InvalidSubcommand) {
        error.remove(ContextKind::SuggestedSubcommand);
        let command = described(plugin);
        let offered = command.get_subcommands().filter(|one| !one.is_hide_set());
        if let Some(name) = nearest(&wrong, offered.map(clap::Command::get_name)) {
            let tips = ContextValue::Strings(vec![name.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, tips);
        } else {
            // clap prints an empty line for an empty list.
            error.remove(ContextKind::Suggested);
        }
        return error;
    }
    let (Some(wrong), Some(tip)) = (text(ContextKind::InvalidArg), text(ContextKind::SuggestedArg))
    else {
        return error;
    };
    let mut command = described(plugin);
    command.build();
    let subcommands = arguments.iter().skip(1).filter_map(|word| word.to_str());
    let named = subcommands.into_iter().find(|word| command.find_subcommand(word).is_some());
    let command = match named {
        Some(name) => command.find_subcommand_mut(name),
        None => Some(&mut command),
    };
    let Some(command) = command else { return error };
    let option = tip.split('=').next().unwrap_or(&tip).trim_start_matches('-');
    let offered =
        command.get_arguments().any(|arg| arg.get_long() == Some(option) && !arg.is_hide_set());
    if !offered || nearest(&wrong, [&tip]).is_none() {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error
}

/// Returns the time in seconds since 1970.
fn seconds_since_1970() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(now.as_secs()).unwrap_or(i64::MAX)
}

/// Joins `--builtin 1.33` into `--builtin=1.33`. Without the equals sign, clap would also take a
/// path that follows as the version.
pub fn join_version(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = vec![];
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            joined.push(argument);
            joined.extend(arguments);
            break;
        }
        let is_version = |next: &OsString| {
            let text = next.to_str().unwrap_or_default();
            text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())
        };
        match arguments.next_if(|next| argument == "--builtin" && is_version(next)) {
            Some(version) => {
                let mut whole = argument;
                whole.push("=");
                whole.push(version);
                joined.push(whole);
            }
            None => joined.push(argument),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_definition_is_sound() {
        Cli::command().debug_assert();
    }

    /// The help does not offer what a command refuses.
    #[test]
    fn nothing_is_offered_that_would_be_refused() {
        let mut cli = described(false);
        cli.build();
        for (command, refused) in [
            ("dump", &["dump", "builtin", "filename", "without", "all_contexts"][..]),
            ("test", &["all_contexts"]),
            ("usage", &["all_contexts"]),
            ("lint", &["all_contexts"]),
        ] {
            let command = cli.find_subcommand(command).unwrap();
            let offered = |id: &&str| {
                command.get_arguments().any(|arg| *arg.get_id() == **id && !arg.is_hide_set())
            };
            assert_eq!(refused.iter().find(|id| offered(id)), None, "{}", command.get_name());
            let context = command.get_arguments().find(|arg| arg.get_id() == "context").unwrap();
            let help = context.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.contains("several"), "{help}");
        }
        let version = cli.find_subcommand("version").unwrap();
        let changes = ["filename", "replace", "without"];
        let changes = |arg: &&clap::Arg| changes.contains(&arg.get_id().as_str());
        assert!(version.get_arguments().filter(changes).all(clap::Arg::is_hide_set));
        let several = cli.find_subcommand("conflicts").unwrap();
        assert!(several.get_arguments().any(|a| a.get_id() == "all_contexts" && !a.is_hide_set()));
    }

    #[test]
    fn builtin_takes_only_versions() {
        let check = |input: &[&str], want: &[&str]| {
            let got = join_version(input.iter().map(OsString::from));
            assert_eq!(got, want.iter().map(OsString::from).collect::<Vec<_>>());
        };
        check(&["route", "--builtin", "/api"], &["route", "--builtin", "/api"]);
        check(&["route", "--builtin", "1.30", "/api"], &["route", "--builtin=1.30", "/api"]);
        check(&["route", "--builtin"], &["route", "--builtin"]);
        check(&["x", "--", "--builtin", "1.30"], &["x", "--", "--builtin", "1.30"]);
    }

    /// A context may have the name of a command. A cluster's name is a separate word for every
    /// command but `lint`, where a file follows.
    #[test]
    fn names_are_taken_for_what_they_are() {
        let route = ["aggctl", "route", "--context", "lint", "--cluster", "prod", "/api"];
        let AnyCommand::Route(route) = Cli::try_parse_from(route).unwrap().command else {
            panic!()
        };
        assert!(format!("{route:?}").contains("cluster: Some(\"prod\")"), "{route:?}");
        let lint = ["aggctl", "lint", "--cluster", "a.yaml"];
        let AnyCommand::Lint(lint) = Cli::try_parse_from(lint).unwrap().command else { panic!() };
        assert!(format!("{lint:?}").contains("files: [\"a.yaml\"]"), "{lint:?}");
        assert!(Cli::try_parse_from(["aggctl", "lint", "--cluster=prod", "a.yaml"]).is_ok());
    }
}
