//! Generated files are what the code generates now.

use assert_cmd::Command;

use crate::{aggctl, finish, repository, run};

/// `AGGCTL_BLESS=1 cargo test --test it generated` writes them anew.
#[test]
fn completions_are_current() {
    for (shell, file) in [
        ("bash", "aggctl.bash"),
        ("zsh", "_aggctl"),
        ("fish", "aggctl.fish"),
        ("powershell", "_aggctl.ps1"),
        ("elvish", "aggctl.elv"),
    ] {
        let script = run(&["completions", shell]).out;
        let file = repository("completions").join(file);
        if std::env::var_os("AGGCTL_BLESS").is_some() {
            std::fs::write(&file, &script).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(committed == script, "{} is stale: see this test's comment", file.display());
    }
}

/// What the shell offers at the end of a line.
fn offered(words: &[&str]) -> Vec<String> {
    let mut command = aggctl(&["--", "aggctl"]);
    command.args(words).env("COMPLETE", "fish");
    finish(&mut command).out.lines().map(|l| l.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn completions_know_the_source() {
    let dump = crate::dump("v1.36-mixed");
    let dump = dump.to_str().unwrap();
    let names = offered(&["doctor", "--dump", dump, "v1.met"]);
    assert_eq!(names, ["v1.metrics.k8s.io"]);
    assert_eq!(offered(&["apiservices", "--dump", dump, "metrics.k"]), ["metrics.k8s.io"]);
    let paths = offered(&["route", "--dump", dump, "/apis/apps/v1/dep"]);
    assert!(paths.contains(&"/apis/apps/v1/deployments".to_owned()), "{paths:?}");
    assert!(offered(&["rou"]).contains(&"route".to_owned()));
    let file = tempfile::NamedTempFile::new().unwrap();
    let config = "contexts: [{name: one, context: {cluster: c}}, {name: two, context: {cluster: c}}]\n\
                  clusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\n";
    std::fs::write(file.path(), config).unwrap();
    let file = file.path().to_str().unwrap();
    let contexts = offered(&["doctor", "--kubeconfig", file, "--context", ""]);
    assert_eq!(contexts, ["one", "two"]);
    // A cluster that does not answer offers nothing, and says nothing.
    assert_eq!(offered(&["doctor", "--kubeconfig", file, "--context", "one", "v1.met"]), [""; 0]);
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = tempfile::tempdir().unwrap();
    let run = run(&["man", "--dir", dir.path().to_str().unwrap()]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut pages: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    for page in ["aggctl.1", "aggctl-route.1", "aggctl-sort-versions.1", "aggctl-apiservices.1"] {
        assert!(pages.contains(&page.to_owned()), "{page} not in {pages:?}");
    }
    let route = std::fs::read_to_string(dir.path().join("aggctl-route.1")).unwrap();
    assert!(route.contains("which server answers a request"), "{route}");
    assert!(route.contains(".SH \"EXAMPLES\"\n.nf\n"), "{route}");
    for page in pages {
        let text = std::fs::read_to_string(dir.path().join(&page)).unwrap();
        assert!(!text.contains("EXTRA"), "{page}");
        // Behind the name of an option or argument comes its description.
        let lines: Vec<&str> = text.lines().collect();
        for at in lines.iter().enumerate().filter(|(_, line)| **line == ".TP").map(|(at, _)| at) {
            let [name, description] = lines[at + 1..=at + 2] else { panic!("{page}") };
            let said = !description.is_empty() && !description.starts_with('.');
            assert!(said, "{page}: {name} has no description");
            let other = name.strip_suffix("(1)").map(|other| other.replace("\\-", "-") + ".1");
            assert!(other.is_none_or(|other| dir.path().join(other).exists()), "{page}: {name}");
        }
    }
}

/// The binary under the name that kubectl looks for, and the folder that has it.
#[cfg(unix)]
fn plugin() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let plugin = folder.path().join("kubectl-aggctl");
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin("aggctl"), &plugin).unwrap();
    (folder, plugin)
}

/// kubectl wants a candidate a line, and last what to do with them.
#[cfg(unix)]
#[test]
fn kubectl_completes_its_plugin() {
    let (folder, _) = plugin();
    let check = |words: &[&str], want: &str| {
        let mut command = Command::new(repository("completions/kubectl_complete-aggctl"));
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        assert_eq!(finish(command.args(words).env("PATH", path)).out, want, "{words:?}");
    };
    let dump = crate::dump("v1.36-mixed");
    let dump = dump.to_str().unwrap();
    check(&["doctor", "--dump", dump, "v1.met"], "v1.metrics.k8s.io\n:4\n");
    check(&["doctor", "--dump", "nowhere"], ":0\n");
    check(
        &["apis"],
        "apiservices\tShow every APIService: where it leads, and what is odd about it\n:4\n",
    );
}

/// All commands, from the program's own help.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).out;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| line.starts_with("  ")).filter_map(|line| {
        line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split(' ').next()
    });
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_fits_a_terminal() {
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for command in commands {
        for (option, most_lines) in [("-h", 50), ("--help", usize::MAX)] {
            let help = run(&[&command, option]);
            assert_eq!((help.code, help.err.as_str()), (0, ""), "{command} {option}");
            for line in help.out.lines() {
                assert!(line.chars().count() <= 80, "{command} {option}: {line}");
            }
            let lines = help.out.lines().count();
            assert!(lines <= most_lines, "{command} {option}: {lines} lines\n{}", help.out);
        }
    }
}

/// What kubectl runs speaks as it is typed.
#[cfg(unix)]
#[test]
fn a_plugin_calls_itself_as_it_was_called() {
    let (_folder, plugin) = plugin();
    let run = |arguments: &[&str]| {
        let run = finish(Command::new(&plugin).args(arguments));
        run.out + &run.err
    };
    assert!(run(&["route", "--help"]).contains("Usage: kubectl aggctl route "));
    let help = run(&["route", "--help"]);
    assert!(help.contains("\n  kubectl aggctl route /apis/apps/v1/deployments\n"), "{help}");
    assert!(!run(&["--help"]).contains("  aggctl "));
    assert!(run(&["lint", "--nope"]).contains("Usage: kubectl aggctl lint "));
    let next = run(&["route", "/apis/apps/v1", "--dump", "nowhere"]);
    assert!(!next.contains("hint: aggctl"), "{next}");
    let hint = run(&["discovery", ""]);
    assert!(hint.ends_with("kubectl aggctl discovery /apis\n"), "{hint}");
}
