//! Tests every command on the sample cluster at 80 and 120 columns: the whole output, and that it
//! fits.

use crate::{aggctl, finish};

/// The commands, on the sample cluster unless they name another source. `NOW` is a fixed time.
const COMMANDS: [&str; 48] = [
    "route /apis/metrics.k8s.io/v1beta1/nodes",
    "route /apis/inventory.shop.example/v1/items",
    "route create carts.shop.example -n shop",
    "route pods -A",
    "route --all shop.example",
    "route /apis/nope.example/v1/things",
    "chain",
    "apiservices NOW",
    "apiservices --issues NOW",
    "apiservices --all NOW",
    "discovery",
    "discovery apps",
    "discovery shop.example/v1",
    "order",
    "order metrics.k8s.io",
    "order --explain apps batch",
    "openapi",
    "access v1beta1.metrics.k8s.io",
    "access get nodes.metrics.k8s.io",
    "client pods",
    "doctor NOW",
    "doctor v1.inventory.shop.example NOW",
    "doctor v1beta1.metrics.k8s.io NOW",
    "doctor --flags",
    "doctor --flags --all",
    "doctor --security",
    "doctor --builtin NOW",
    "explain ServiceNotFound",
    "explain ghost",
    "explain v1beta1.metrics.k8s.io",
    "health",
    "health --explain etcd",
    "conflicts",
    "lint examples/manifests",
    "lint --rules",
    "lint --rules ghost ca-bundle-expired",
    "test examples/routes.yaml",
    "diff --without v1beta1.metrics.k8s.io",
    "diff builtin:1.33 builtin:1.37",
    "upgrade 1.37",
    "usage examples/audit.log",
    "usage examples/audit.log --by client,resource",
    "usage examples/audit.log --without v1.catalog.shop.example",
    "api-versions Ingress",
    "api-versions flowcontrol.apiserver.k8s.io",
    "sort-versions v1 v2 v1beta1 v10",
    "schema",
    "version",
];

/// Commands that take no source.
const WITHOUT_SOURCE: [&str; 7] = [
    "api-versions",
    "sort-versions",
    "schema",
    "lint",
    "explain ghost",
    "health --explain",
    "diff builtin",
];

/// Returns whether a line may be wider: it is a command to copy, or has a name that alone takes half
/// of it.
fn may_be_wide(line: &str, width: usize) -> bool {
    let copied = ["--dump ", "kubectl ", "aggctl "].iter().any(|word| line.contains(word));
    copied || line.split(' ').any(|word| word.chars().count() > width / 2)
}

fn shown(width: usize) -> String {
    let mut text = String::new();
    for command in COMMANDS {
        let line = command.replace("NOW", "--now 2026-11-20T12:00:00Z");
        let mut arguments: Vec<&str> = line.split(' ').collect();
        let has_source = line.contains("--builtin")
            || WITHOUT_SOURCE.iter().any(|start| command.starts_with(start));
        if !has_source {
            arguments.extend(["--dump", "examples/cluster"]);
        }
        let run = finish(aggctl(&arguments).env("COLUMNS", width.to_string()));
        assert!(run.code <= 1, "{command}: {run}");
        let long =
            run.out.lines().find(|line| line.chars().count() > width && !may_be_wide(line, width));
        assert_eq!(long, None, "{command} at {width}");
        text += &format!("$ aggctl {command}\n{run}\n");
    }
    text
}

#[test]
fn every_command_fits_80_columns() {
    insta::assert_snapshot!("every_command_at_80_columns", shown(80));
}

#[test]
fn every_command_fits_120_columns() {
    insta::assert_snapshot!("every_command_at_120_columns", shown(120));
}
