//! Runs a shell in a pseudo terminal.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// One shell, and how to start it.
pub(crate) struct Shell {
    pub(crate) name: &'static str,
    arguments: &'static [&'static str],
    /// The name and content of its startup file in the home directory.
    rc: (&'static str, &'static str),
}

/// The text that appears when a shell is ready.
const PROMPT: &str = "<ready>";

/// The text that the stand-in for aggctl prints when it has run.
const RAN: &str = "<ran>";

/// The maximum time for a shell before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) static SHELLS: [Shell; 3] = [
    Shell {
        name: "bash",
        arguments: &["--noprofile", "--rcfile", "../home/.bashrc", "-i"],
        rc: (".bashrc", "PS1='<''ready>'\nHISTFILE=\nsource <(aggctl completions bash)\n"),
    },
    Shell {
        name: "zsh",
        arguments: &["-i"],
        rc: (
            ".zshrc",
            "PS1='<''ready>'\nfpath=(~/../functions $fpath)\nautoload -U compinit\ncompinit -u -D\n",
        ),
    },
    Shell {
        name: "fish",
        arguments: &["--private", "-i"],
        rc: (
            ".config/fish/config.fish",
            "function fish_prompt; echo -n '<''ready>'; end\naggctl completions fish | source\n",
        ),
    },
];

impl Shell {
    /// Returns the first program that the test needs and that the machine lacks.
    pub(crate) fn missing(&self) -> Option<String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let has = |name: &str| std::env::split_paths(&path).any(|at| at.join(name).is_file());
        ["setsid", self.name].into_iter().find(|name| !has(name)).map(str::to_owned)
    }
}

/// Types a line, TAB and Enter in a new shell below `place`. Returns the arguments that the shell
/// passes to aggctl.
pub(crate) fn complete(shell: &Shell, place: &Path, line: &str) -> Vec<String> {
    let (home, bin) = (place.join("home"), place.join("bin"));
    let rc = home.join(shell.rc.0);
    std::fs::create_dir_all(rc.parent().unwrap()).unwrap();
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::write(rc, shell.rc.1).unwrap();
    stand_in(&bin.join("aggctl"), &place.join("arguments"));
    // Without this folder, a new fish parses every man page of the machine in the background.
    std::fs::create_dir_all(home.join(".local/share/fish/generated_completions")).unwrap();
    if shell.name == "zsh" {
        // Installed like by a package. zsh loads it at the first TAB.
        let functions = place.join("functions");
        std::fs::create_dir(&functions).unwrap();
        let script =
            Command::new(env!("CARGO_BIN_EXE_aggctl")).args(["completions", "zsh"]).output();
        std::fs::write(functions.join("_aggctl"), script.unwrap().stdout).unwrap();
    }
    let held = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&held).unwrap();
    unlockpt(&held).unwrap();
    let name = ptsname(&held, vec![]).unwrap();
    let open = || {
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(true).open(name.to_str().unwrap()).unwrap()
    };
    let path = std::env::join_paths(
        std::iter::once(bin)
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    // fish starts only with its own controlling terminal.
    let mut command = Command::new("setsid");
    command.args(["--ctty", shell.name]).args(shell.arguments);
    command.env_clear().env("PATH", path.unwrap()).env("TERM", "dumb").env("LC_ALL", "C.UTF-8");
    command.env("HOME", &home).env("KUBECONFIG", place.join("config"));
    command.current_dir(place.join("work"));
    command.stdin(Stdio::from(open())).stdout(Stdio::from(open())).stderr(Stdio::from(open()));
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut keyboard = File::from(held);
    let screen = Screen::of(keyboard.try_clone().unwrap());
    screen.wait_for(PROMPT);
    keyboard.write_all(format!("{line}\t\r").as_bytes()).unwrap();
    screen.wait_for(RAN);
    drop(keyboard);
    child.kill().unwrap();
    child.wait().unwrap();
    let arguments = std::fs::read_to_string(place.join("arguments")).unwrap();
    arguments.lines().map(str::to_owned).collect()
}

/// Writes a program that completes like aggctl, and otherwise only records its arguments.
fn stand_in(path: &Path, arguments: &Path) {
    let real = env!("CARGO_BIN_EXE_aggctl");
    let (said, ran) = (arguments.display(), RAN.split_at(1));
    let script = format!(
        "#!/bin/sh\n\
         if [ -n \"$COMPLETE\" ] || [ \"$1\" = completions ]; then exec '{real}' \"$@\"; fi\n\
         printf '%s\\n' \"$@\" >'{said}'\n\
         printf '%s%s\\n' '{}' '{}'\n",
        ran.0, ran.1
    );
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The output of the shell.
struct Screen(Receiver<Vec<u8>>);

impl Screen {
    fn of(mut terminal: File) -> Self {
        let (send, shown) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When the shell exits, reading its terminal fails.
            while let Ok(read @ 1..) = terminal.read(&mut buffer) {
                if send.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self(shown)
    }

    fn wait_for(&self, text: &str) {
        let mut shown = vec![];
        while !String::from_utf8_lossy(&shown).contains(text) {
            match self.0.recv_timeout(PATIENCE) {
                Ok(more) => shown.extend(more),
                Err(error) => {
                    panic!("no {text}: {error}\n{}", String::from_utf8_lossy(&shown))
                }
            }
        }
    }
}
