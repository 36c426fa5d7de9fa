//! The entry point: parses the arguments, runs the command, and maps errors to exit codes.

use std::cell::Cell;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use aggctl::cli::{
    Cli, Messages, Out, Paged, Status, Terminal, advise, described, join_version, only_good_tips,
    print_parsed, shells,
};
use aggctl::error::{Error, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use clap_complete::CompleteEnv;

fn main() -> ExitCode {
    // A shell requests the completions of a word.
    let completing = CompleteEnv::with_factory(Cli::command).shells(shells());
    if let Ok(true) = completing.try_complete(std::env::args_os(), None) {
        return ExitCode::SUCCESS;
    }
    let plugin = is_plugin();
    let cli = match parse(plugin) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version also arrive as errors of clap; they go to standard output.
            let printed = print_parsed(&error);
            return ExitCode::from(match printed {
                _ if error.use_stderr() => 2,
                Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
                    // If standard error is also closed, only the exit code remains.
                    let failure = Error::cannot_write("the help", &failure);
                    let _ = writeln!(io::stderr(), "error: {failure}");
                    3
                }
                _ => 0,
            });
        }
    };
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let (closed, paging) = (Cell::new(false), Cell::new(false));
    let buffered = BufWriter::with_capacity(64 * 1024, stdout.lock());
    let mut out = Out::new(Paged::new(buffered, &paging), &closed);
    let mut err = Messages::new(stderr.lock(), &paging);
    let code = run(cli, plugin, (&mut out, &mut err), &closed);
    // Everything was flushed; only the pager may still run.
    let _ = out.into_inner().finish();
    let _ = err.flush();
    code
}

/// Runs the command, and returns the exit code.
fn run(
    cli: Cli,
    plugin: bool,
    (out, err): (&mut dyn Write, &mut dyn Write),
    closed: &Cell<bool>,
) -> ExitCode {
    let mut terminal = Terminal::new(out, err, cli.color, cli.verbose);
    terminal.closed = Some(closed);
    terminal.headers = !cli.no_headers;
    terminal.plugin = plugin;
    let result = cli.command.run(&mut terminal).and_then(|status| {
        terminal.out.flush()?;
        Ok(status)
    });
    match result {
        Ok(Status::Ok) => ExitCode::SUCCESS,
        Ok(Status::Findings) => ExitCode::from(1),
        Err(error) => {
            // Write what was found before the error.
            let _ = terminal.out.flush();
            let error = named(error);
            let _ = terminal.complain(&error);
            ExitCode::from(match advise(&error) {
                Some((ErrorKind::Usage, _)) => 2,
                Some((ErrorKind::Source, _)) | None => 3,
            })
        }
    }
}

/// Returns whether this process runs as `kubectl aggctl`.
fn is_plugin() -> bool {
    let program = std::env::args_os().next().map(PathBuf::from);
    program.is_some_and(|path| path.file_stem().is_some_and(|name| name == "kubectl-aggctl"))
}

fn parse(plugin: bool) -> Result<Cli, clap::Error> {
    let arguments = join_version(std::env::args_os());
    let matches = described(plugin).try_get_matches_from(arguments.clone());
    let mut matches = matches.map_err(|error| only_good_tips(error, &arguments, plugin))?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut described(plugin)))
}

/// Adds context to a bare I/O error, which only writing the answer can cause.
fn named(error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<io::Error>() {
        Ok(io) => Error::cannot_write("the answer", &io).into(),
        Err(other) => other,
    }
}
