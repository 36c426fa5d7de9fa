//! Commands for the user to copy, completed with the arguments that name the same source.

/// The arguments that name a source again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFlags {
    /// Arguments of aggctl.
    pub aggctl: Vec<String>,
    /// Arguments of kubectl, if it has equivalents.
    pub kubectl: Vec<String>,
}

impl SourceFlags {
    /// Adds the arguments to a command of aggctl or kubectl.
    pub fn complete(&self, command: &str) -> String {
        if let Some(rest) = command.strip_prefix("kubectl ").filter(|_| !self.kubectl.is_empty()) {
            return format!("kubectl {} {rest}", self.kubectl.join(" "));
        }
        let is_aggctl = command == "aggctl" || command.starts_with("aggctl ");
        if self.aggctl.is_empty() || !is_aggctl || !takes_a_source(command) {
            return command.to_owned();
        }
        let (command, rest) = match command.find(" | ") {
            Some(pipe) => command.split_at(pipe),
            None => (command, ""),
        };
        format!("{command} {}{rest}", self.aggctl.join(" "))
    }
}

/// Returns whether a command takes a source and does not name one yet.
fn takes_a_source(command: &str) -> bool {
    let mut words = command.split_whitespace().skip(1);
    let subcommand = words.next().unwrap_or_default();
    !matches!(
        subcommand,
        "rules"
            | "versions"
            | "api-versions"
            | "sort-versions"
            | "schema"
            | "man"
            | "completions"
            | "lint"
    ) && !words.any(|word| word.starts_with("builtin:") || word == "--dump")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_source_again() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let same = SourceFlags { aggctl: words("--dump ./dump"), kubectl: vec![] };
        for (command, want) in [
            ("aggctl doctor v1.x", "aggctl doctor v1.x --dump ./dump"),
            ("aggctl doctor", "aggctl doctor --dump ./dump"),
            ("aggctl route /api | head", "aggctl route /api --dump ./dump | head"),
            ("aggctl rules", "aggctl rules"),
            ("aggctl lint deploy/", "aggctl lint deploy/"),
            ("aggctl diff builtin:1.25 builtin:1.36", "aggctl diff builtin:1.25 builtin:1.36"),
            ("kubectl get x", "kubectl get x"),
            ("", ""),
        ] {
            assert_eq!(same.complete(command), want);
        }
        let live = SourceFlags { aggctl: words("--context a"), kubectl: words("--context a") };
        assert_eq!(
            live.complete("kubectl -n x get y | base64 -d"),
            "kubectl --context a -n x get y | base64 -d"
        );
        assert_eq!(
            live.complete("aggctl doctor v1.x --direct"),
            "aggctl doctor v1.x --direct --context a"
        );
        assert_eq!(SourceFlags::default().complete("aggctl doctor"), "aggctl doctor");
    }
}
