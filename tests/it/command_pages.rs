//! Tests the pages of docs/commands: one per command, with examples by hand and a reference that is
//! generated from the definition of the command line. `AGGCTL_BLESS=1` writes the references.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Arg, Command};

use crate::{assert_none, command_line, repository, run};

/// What follows this line is generated.
const MARKER: &str =
    "<!-- Generated from the command line's definition by AGGCTL_BLESS=1 cargo test. -->";

/// Headings of options that most commands share. The page about options describes them.
const SHARED: [&str; 4] = ["Output", "Source", "What if", "Cluster"];

/// Returns a command that has all shared options.
fn typical(cli: &Command) -> &Command {
    cli.find_subcommand("apiservices").unwrap()
}

fn is_shared(cli: &Command, arg: &Arg) -> bool {
    let shared = arg.get_help_heading().is_some_and(|heading| SHARED.contains(&heading));
    shared && typical(cli).get_arguments().any(|one| one.get_id() == arg.get_id())
}

fn visible(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help")
}

/// Writes one argument as an item of a list.
fn item(arg: &Arg, text: &mut String) {
    let values: Vec<&str> =
        arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let values = if arg.get_action().takes_values() { values.join(" ") } else { String::new() };
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long} {values}"),
        (None, Some(long)) => format!("--{long} {values}"),
        _ => values,
    };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.replace('<', "&lt;").split("\n\n").collect::<Vec<_>>().join(". ");
    let _ =
        write!(text, "- `{}`: {}", name.trim_end(), help.replace('\n', " ").trim_end_matches('.'));
    text.push('.');
    let possible: Vec<_> =
        arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect();
    if arg.get_action().takes_values() && !arg.is_hide_possible_values_set() && !possible.is_empty()
    {
        let one = |value: &clap::builder::PossibleValue| match value.get_help() {
            Some(help) => format!("`{}` ({help})", value.get_name()),
            None => format!("`{}`", value.get_name()),
        };
        let _ =
            write!(text, " Values: {}.", possible.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    let default: Vec<_> =
        arg.get_default_values().iter().map(|one| one.to_string_lossy()).collect();
    if arg.get_action().takes_values() && !arg.is_hide_default_value_set() && !default.is_empty() {
        let _ = write!(text, " Default: `{}`.", default.join(", "));
    }
    text.push('\n');
}

/// Returns the reference of a command.
fn reference(cli: &Command, command: &Command) -> String {
    let mut text = String::from("\n## Reference\n\n");
    let about = command.get_long_about().or(command.get_about()).unwrap().to_string();
    let _ = writeln!(text, "{}.\n", about.trim_end_matches('.').replace("\n\n", ".\n\n"));
    let usage = command.clone().render_usage().to_string();
    let _ = writeln!(text, "```text\n{}\n```", usage.trim_start_matches("Usage: "));
    let own: Vec<&Arg> = visible(command).filter(|arg| !is_shared(cli, arg)).collect();
    let mut headings = vec![];
    for arg in own.iter().filter(|arg| !arg.is_global_set()) {
        let heading = match arg.is_positional() {
            true => "Arguments",
            false => arg.get_help_heading().unwrap_or("Options"),
        };
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        let _ = writeln!(text, "\n### {heading}\n");
        for arg in own.iter().filter(|arg| !arg.is_global_set()) {
            let is_here = match arg.is_positional() {
                true => heading == "Arguments",
                false => arg.get_help_heading().unwrap_or("Options") == heading,
            };
            if is_here {
                item(arg, &mut text);
            }
        }
    }
    let shared: BTreeSet<&str> = visible(command)
        .filter(|arg| is_shared(cli, arg))
        .filter_map(|arg| arg.get_help_heading())
        .collect();
    let links: Vec<String> = SHARED
        .iter()
        .filter(|heading| shared.contains(*heading))
        .map(|heading| {
            format!("[{heading}](options.md#{})", heading.to_lowercase().replace(' ', "-"))
        })
        .collect();
    if !links.is_empty() {
        let _ = writeln!(text, "\nShared options: {}.", links.join(", "));
    }
    text
}

/// Returns the reference of the options that most commands share.
fn shared_options(cli: &Command) -> String {
    let mut text = String::new();
    for heading in SHARED {
        let _ = writeln!(text, "\n## {heading}\n");
        let here = |arg: &&Arg| arg.get_help_heading() == Some(heading);
        visible(typical(cli)).filter(here).for_each(|arg| item(arg, &mut text));
    }
    text
}

/// Returns the list of commands, in the groups of the help.
fn index() -> String {
    let help = run(&["--help"]).out;
    let mut text = String::new();
    let lines = help.lines().skip_while(|line| *line != "Understand:");
    for line in lines.take_while(|line| *line != "Options:") {
        match line.strip_prefix("  ").and_then(|line| line.split_once(' ')) {
            Some((name, summary)) => {
                let _ = writeln!(text, "| [`{name}`]({name}.md) | {} |", summary.trim());
            }
            None if line.is_empty() => {}
            None => {
                let _ = writeln!(
                    text,
                    "\n## {}\n\n| command | |\n|---|---|",
                    line.trim_end_matches(':')
                );
            }
        }
    }
    text
}

/// Compares the generated part of a page, or writes it.
fn check(name: &str, title: &str, generated: &str, stale: &mut Vec<String>) {
    let path = repository("docs/commands").join(format!("{name}.md"));
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|_| format!("# {title}\n\n{MARKER}\n"));
    let Some((written, old)) = text.split_once(MARKER) else {
        return stale.push(format!("{}: has no line {MARKER}", path.display()));
    };
    if old == format!("\n{generated}") {
        return;
    }
    if std::env::var_os("AGGCTL_BLESS").is_some() {
        std::fs::write(&path, format!("{written}{MARKER}\n{generated}")).unwrap();
    } else {
        stale.push(format!("{} is stale: run the tests with AGGCTL_BLESS=1", path.display()));
    }
}

#[test]
fn every_command_has_its_page() {
    let cli = command_line();
    let mut stale = vec![];
    let mut names = vec!["README".to_owned(), "options".to_owned()];
    check("README", "Commands", &index(), &mut stale);
    check("options", "Shared options", &shared_options(&cli), &mut stale);
    for command in cli.get_subcommands().filter(|one| !one.is_hide_set()) {
        let name = command.get_name();
        if name != "help" {
            check(name, &format!("aggctl {name}"), &reference(&cli, command), &mut stale);
            names.push(name.to_owned());
        }
    }
    for entry in std::fs::read_dir(repository("docs/commands")).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        if !names.iter().any(|name| file == format!("{name}.md")) {
            stale.push(format!("docs/commands/{file}: there is no such command"));
        }
    }
    assert_none(&stale);
}
