//! The commands in groups, as the top-level help lists them.
//!
//! clap has one heading for all subcommands, so the list is written here. A test compares it with
//! the commands and their summaries.

use std::fmt::Write as _;

/// The layout of the top-level help. The list of commands is its `before-help`.
pub(super) const TEMPLATE: &str = concat!(
    "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}",
    "\x1b[1m\x1b[4mOptions:\x1b[0m\n{options}{after-help}"
);

/// One command of the list.
struct Listed {
    name: &'static str,
    /// The first line of its help.
    summary: &'static str,
    /// Whether `-h` lists it. `--help` lists every command.
    short: bool,
}

const fn short(name: &'static str, summary: &'static str) -> Listed {
    Listed { name, summary, short: true }
}

const fn long(name: &'static str, summary: &'static str) -> Listed {
    Listed { name, summary, short: false }
}

/// Every command, in the order of the help. To add one, add its line; `-h` may list twenty.
const GROUPS: &[(&str, &[Listed])] = &[
    (
        "Understand",
        &[
            short("route", "Show which server answers a request"),
            short("chain", "Show the server chain and what each server serves"),
            short("apiservices", "List APIServices, their backends and their issues"),
            short("discovery", "Show discovery documents, as served or merged"),
            short("order", "Show the priority order of groups and versions"),
            long("openapi", "Show which server publishes which OpenAPI document"),
            short("access", "Show who can send a request or control an APIService"),
        ],
    ),
    (
        "Diagnose",
        &[
            short("doctor", "Diagnose broken APIServices"),
            short("explain", "Explain an error message, alert, condition or lint rule"),
            short("health", "Explain /livez, /readyz and /healthz"),
            short("conflicts", "Find conflicting group versions and names"),
        ],
    ),
    (
        "Change safely",
        &[
            short("lint", "Check APIService manifests"),
            short("test", "Check that requests are routed as expected"),
            short("diff", "Compare two sources, or one with manifests applied to it"),
            short("upgrade", "Show what a Kubernetes upgrade would break"),
            short("usage", "Show who calls which APIs"),
        ],
    ),
    (
        "Share",
        &[
            short("serve", "Browse a cluster or dump in the browser or with kubectl"),
            short("report", "Write a self-contained HTML report"),
            short("dump", "Save a cluster's API data for offline use"),
        ],
    ),
    (
        "Reference",
        &[
            long("api-versions", "Show which Kubernetes versions serve which APIs"),
            long("sort-versions", "Sort version strings as the API server does"),
            long("schema", "Print the JSON Schema of an output document"),
            long("completions", "Print a shell completion script"),
            long("man", "Print manual pages"),
            long("version", "Show the versions of aggctl, its built-in data and the server"),
        ],
    ),
];

/// Returns the list for `-h`: the most used commands.
pub(super) fn most_used() -> String {
    listed(|command| command.short) + "\nUse --help for all commands."
}

/// Returns the list for `--help`: all commands.
pub(super) fn all() -> String {
    listed(|_| true).trim_end().to_owned()
}

fn listed(wanted: fn(&Listed) -> bool) -> String {
    let width = GROUPS.iter().flat_map(|(_, all)| *all).map(|one| one.name.len()).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (title, commands) in GROUPS {
        let mut commands = commands.iter().filter(|one| wanted(one)).peekable();
        if commands.peek().is_none() {
            continue;
        }
        let _ = writeln!(text, "\x1b[1m\x1b[4m{title}:\x1b[0m");
        for Listed { name, summary, .. } in commands {
            let _ = writeln!(text, "  \x1b[1m{name:width$}\x1b[0m  {summary}");
        }
        text.push('\n');
    }
    text.pop();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list has every visible command once, with the summary of its own help.
    #[test]
    fn the_list_matches_the_commands() {
        let mut cli = super::super::described(false);
        cli.build();
        let visible = cli.get_subcommands().filter(|one| !one.is_hide_set());
        let mut commands: Vec<(String, String)> = visible
            .map(|one| (one.get_name().to_owned(), one.get_about().unwrap().to_string()))
            .filter(|(name, _)| name != "help")
            .collect();
        let all = GROUPS.iter().flat_map(|(_, all)| *all);
        let mut listed: Vec<(String, String)> =
            all.map(|one| (one.name.to_owned(), one.summary.to_owned())).collect();
        commands.sort();
        listed.sort();
        assert_eq!(listed, commands);
        let short = GROUPS.iter().flat_map(|(_, all)| *all).filter(|one| one.short).count();
        assert!(short <= 20, "-h lists {short} commands");
    }
}
