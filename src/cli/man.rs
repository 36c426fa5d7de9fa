//! `aggctl man`: manual pages.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::process::{self, Stdio};

use clap::{Args, Command, ValueHint};
use clap_complete::ArgValueCandidates;
use clap_mangen::Man;

use super::complete;
use super::output::OutputFileArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::counted;
use aggctl_source::files;
use kube_aggregation::nearest::did_you_mean;

/// Print manual pages
///
/// On a terminal, shows the page. In a pipe or to a file, prints its roff source.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl man
  aggctl man route
  aggctl man route > aggctl-route.1
  aggctl man --dir /usr/local/share/man/man1")]
pub struct ManArgs {
    /// Command whose page to print [default: aggctl itself]
    #[arg(value_name = "COMMAND", conflicts_with = "dir", add = ArgValueCandidates::new(complete::commands))]
    command: Option<String>,

    /// Write aggctl.1 and one page per command to this directory, which is created if needed
    #[arg(long, value_name = "DIR", conflicts_with = "output_file", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFileArgs,
}

impl ManArgs {
    pub(super) fn run(
        self,
        command: Command,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        // `help` has no page, so no other page may refer to it.
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let of = |sub: &Command| {
            let name = format!("aggctl-{}", sub.get_name());
            (name.clone(), sub.clone().display_name(name))
        };
        let Some(dir) = self.dir else {
            let (name, command) = match &self.command {
                None => ("aggctl".to_owned(), command),
                Some(name) => of(named(&command, name)?),
            };
            let roff = page(&name, command.clone())?;
            let text = match self.output.path() {
                None if io::stdout().is_terminal() => shown(&roff, command, terminal.width),
                _ => roff,
            };
            self.output.write(&text, terminal)?;
            return Ok(Status::Ok);
        };
        std::fs::create_dir_all(&dir)
            .map_err(|error| Error::cannot_write(dir.display(), &error))?;
        let mut pages = vec![("aggctl".to_owned(), command.clone())];
        pages.extend(command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(of));
        let written = counted(pages.len(), "page");
        for (name, command) in pages {
            let file = dir.join(format!("{name}.1"));
            files::put(&file, &page(&name, command)?)
                .map_err(|error| Error::cannot_write(file.display(), &error))?;
        }
        terminal.wrote(&format!("{written} to {}", dir.display()))?;
        Ok(Status::Ok)
    }
}

/// Returns the text of a page as the `man` of this system shows it, or the help if there is none.
fn shown(roff: &[u8], mut command: Command, width: usize) -> Vec<u8> {
    formatted(roff, width).unwrap_or_else(|| command.render_long_help().to_string().into_bytes())
}

fn formatted(roff: &[u8], width: usize) -> Option<Vec<u8>> {
    let mut man = process::Command::new("man");
    man.args(["-l", "-"]).env("MANWIDTH", width.to_string());
    man.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = man.spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    // `man` may print before it has read everything, and nothing reads that meanwhile.
    let output = std::thread::scope(|scope| {
        let writes = std::thread::Builder::new().spawn_scoped(scope, move || stdin.write_all(roff));
        // Without a thread, `man` gets nothing and ends.
        let output = child.wait_with_output();
        writes.and(output)
    });
    let output = output.ok().filter(|output| output.status.success())?;
    (!output.stdout.is_empty()).then_some(output.stdout)
}

/// Returns the command of that name.
fn named<'c>(command: &'c Command, name: &str) -> Result<&'c Command, Error> {
    command.find_subcommand(name).ok_or_else(|| {
        let names = command.get_subcommands().map(Command::get_name);
        let hint = did_you_mean(name, names);
        let hint = hint.unwrap_or_else(|| "`aggctl --help` lists the commands".to_owned());
        Error::usage(format!("unknown command {name:?}")).with_hint(hint)
    })
}

/// Examples of 78 columns fit into a terminal of 80 only with less than the usual indent of 7.
const VERBATIM: &str = ".nf\n.in 2n\n";
const END_VERBATIM: &str = ".in\n.fi\n";

/// Hyphens and stretched lines make names that cannot be searched or copied.
const WHOLE_NAMES: &[u8] = b".nh\n.ad l\n";

/// Sections that every page has.
const ENVIRONMENT: &str = "\
Environment:
  KUBECONFIG       the kubeconfig files, as for kubectl
  AGGCTL_PAGER     the pager for long output on a terminal, before PAGER and
                   less; empty or cat for none
  COLUMNS          the width of tables and text
  NO_COLOR         no color; CLICOLOR_FORCE=1 for color in a pipe
  LC_ALL, LC_CTYPE, LANG
                   marks are ASCII if the locale is not UTF-8
  HTTPS_PROXY, NO_PROXY
                   the proxy for live clusters, as for kubectl

Files:
  ~/.kube/config   the kubeconfig, unless KUBECONFIG or --kubeconfig names
                   another
  aggctl.toml      the configuration of aggctl lint, in the working directory or
                   above it
";

/// Returns one page.
///
/// It has the sections of `clap_mangen`. The text after the options becomes sections that keep
/// their lines, and every option has its description.
fn page(title: &str, command: Command) -> io::Result<Vec<u8>> {
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    let versioned = command.get_version().is_some();
    let (commands, arguments) = (command.has_subcommands(), command.get_arguments().count() > 0);
    // `clap_mangen` omits descriptions of options that only the long help shows.
    let command = command.mut_args(|arg| arg.hide_short_help(false));
    let man = Man::new(command).title(title).source(concat!("aggctl ", env!("CARGO_PKG_VERSION")));
    let mut bytes = vec![];
    man.render_title(&mut bytes)?;
    bytes.extend_from_slice(WHOLE_NAMES);
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    if arguments {
        man.render_options_section(&mut bytes)?;
    }
    if commands {
        man.render_subcommands_section(&mut bytes)?;
    }
    bytes.extend_from_slice(sections(&after).as_bytes());
    bytes.extend_from_slice(sections(ENVIRONMENT).as_bytes());
    bytes.extend_from_slice(see_also(title).as_bytes());
    if versioned {
        man.render_version_section(&mut bytes)?;
    }
    Ok(bytes)
}

/// Returns the section that refers to other pages.
fn see_also(title: &str) -> String {
    let mut pages = vec!["kubectl"];
    if title != "aggctl" {
        pages.insert(0, "aggctl");
    }
    let pages: Vec<String> = pages.iter().map(|page| format!("\\fB{page}\\fR(1)")).collect();
    format!(".SH \"SEE ALSO\"\n{}\n", pages.join(", "))
}

/// Returns the text after the help as sections. A line at the margin that ends with a colon starts
/// one.
fn sections(text: &str) -> String {
    let mut roff = String::new();
    let mut verbatim = false;
    let mut open = false;
    for line in text.trim_end().lines() {
        let heading = line.strip_suffix(':').filter(|rest| !rest.starts_with(' '));
        // Prose is at the margin; examples, which keep their columns, are indented.
        let keep = line.starts_with(' ');
        if verbatim && !keep && !line.is_empty() {
            roff.push_str(END_VERBATIM);
            verbatim = false;
        }
        if let Some(heading) = heading {
            let heading = match heading {
                "Exit codes" => "EXIT STATUS".to_owned(),
                other => other.to_uppercase(),
            };
            let _ = writeln!(roff, ".SH \"{heading}\"");
            open = true;
            continue;
        }
        if !open {
            roff.push_str(".SH NOTES\n");
            open = true;
        }
        if line.is_empty() {
            roff.push_str(if verbatim { "\n" } else { ".PP\n" });
            continue;
        }
        if keep && !verbatim {
            roff.push_str(VERBATIM);
            verbatim = true;
        }
        let line = if keep { line.strip_prefix("  ").unwrap_or(line) } else { line };
        let _ = writeln!(roff, "{}", escaped(line));
    }
    if verbatim {
        roff.push_str(END_VERBATIM);
    }
    roff
}

/// Escapes a line for roff, with quotes and dashes that can be copied.
fn escaped(line: &str) -> String {
    let mut text = line.replace('\\', "\\e").replace('-', "\\-");
    text = text.replace('\'', "\\(aq").replace('`', "\\(ga").replace('^', "\\(ha");
    text = text.replace('~', "\\(ti");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
