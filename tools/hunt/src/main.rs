//! The hunter: looks for differences between the model and a throwaway API server. For
//! maintainers; it is not part of aggctl.
//!
//! ```console
//! $ cargo run --release -p hunt -- --kubeconfig throwaway --kubectl kubectl --minutes 30
//! ```
//!
//! A round begins with a cluster without the hunter's objects. It applies a random setup and then a
//! random change (`generate`), waits until the server has settled (`cluster`), and compares every
//! document and hundreds of requests with the model (`compare`): with the state after, and with
//! what-if on the state before. A difference is reduced to the fewest objects that show it
//! (`shrink`), and written to a file. It **writes to the cluster**, so it only accepts servers on
//! loopback.

#![expect(clippy::print_stdout, reason = "the log of a run goes to standard output")]
#![expect(clippy::disallowed_methods, reason = "the hunter runs kubectl and writes files")]

mod cluster;
mod compare;
mod generate;
mod random;
mod shrink;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;

use cluster::Cluster;
use generate::Plan;

/// Look for differences between the model and a throwaway API server. Writes to the cluster.
#[derive(Debug, Parser)]
struct Args {
    /// The kubeconfig of a throwaway API server on loopback
    #[arg(long)]
    kubeconfig: PathBuf,

    /// The kubectl that applies manifests
    #[arg(long, default_value = "kubectl")]
    kubectl: PathBuf,

    /// The seed of the first round; each round has the next
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How long to run
    #[arg(long, default_value_t = 10)]
    minutes: u64,

    /// The number of requests to compare per round
    #[arg(long, default_value_t = 300)]
    requests: usize,

    /// The folder for differences that were found
    #[arg(long, default_value = "hunted")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let cluster = Cluster::new(&args.kubeconfig, &args.kubectl, args.requests)?;
    std::fs::create_dir_all(&args.out).context("cannot create the folder for differences")?;
    let until = Instant::now() + Duration::from_secs(args.minutes * 60);
    let (mut seed, mut rounds, mut requests) = (args.seed, 0, 0);
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    while Instant::now() < until {
        let plan = Plan::new(seed);
        match cluster.round(&plan, seed) {
            Err(error) => println!("seed {seed}: no result: {error:#}"),
            Ok(result) => {
                rounds += 1;
                requests += result.requests;
                println!(
                    "seed {seed}: {} objects, {} changes, {} requests, {} differences",
                    plan.setup.len(),
                    plan.change.len(),
                    result.requests,
                    result.differences.len()
                );
                for difference in &result.differences {
                    println!("  {difference}");
                }
                for signature in result.signatures() {
                    let seeds = found.entry(signature.clone()).or_default();
                    seeds.push(seed);
                    if seeds.len() == 1 {
                        let small = shrink::smallest(&cluster, &plan, seed, &signature);
                        let file = args.out.join(format!("{seed}-{}.json", file_name(&signature)));
                        std::fs::write(&file, small.describe(&signature)?)
                            .with_context(|| format!("cannot write {}", file.display()))?;
                        println!("  reduced to {}", file.display());
                    }
                }
            }
        }
        seed += 1;
    }
    println!("{rounds} rounds, {requests} requests, seeds {} to {}", args.seed, seed - 1);
    for (signature, seeds) in &found {
        println!("  {signature}: {} rounds, first with seed {}", seeds.len(), seeds[0]);
    }
    cluster.clean();
    Ok(())
}

fn file_name(signature: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    signature.chars().take(80).map(safe).collect()
}
