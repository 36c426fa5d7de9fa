//! Routes a path, orders groups and merges discovery from files that kubectl wrote:
//!
//! ```sh
//! kubectl get apiservices -o json > apiservices.json
//! kubectl get crds -o json > crds.json
//! cargo run --example explain_cluster /apis/apps/v1/deployments apiservices.json crds.json
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example reads and prints")]

use kube_aggregation::{Method, Registry, Router, SnapshotBuilder, Target, discovery};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: explain_cluster PATH FILE…")?;
    let mut builder = SnapshotBuilder::default();
    for file in arguments {
        builder.add_json(&file, &std::fs::read_to_string(&file)?)?;
    }
    let (snapshot, _) = builder.build("files");
    let registry = Registry::new(&snapshot);

    let target = Target::parse(Method::Get, &path).map_err(|error| format!("{error:?}"))?;
    let router = Router::new(&registry);
    println!("{path}: {}", router.route(&target).outcome.as_str());
    for group in discovery::legacy(&registry) {
        println!("group {}, preferred version {}", group.name, group.versions[0].version);
    }
    println!("{} groups in aggregated discovery", discovery::aggregated(&registry).groups.len());
    Ok(())
}
