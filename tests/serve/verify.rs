//! `aggctl verify` on `aggctl serve`: the two agree about every answer.

use std::process::Command;

use crate::Served;
use crate::harness::{json, recording};

#[test]
fn every_answer_of_a_served_dump_agrees() {
    let dump = recording("v1.36-mixed").join("dump");
    let served = Served::start(&["--dump", dump.to_str().unwrap()]);
    for seed in ["1", "2", "3", "4"] {
        let mut verify = Command::new(env!("CARGO_BIN_EXE_aggctl"));
        verify.args(["verify", "--samples", "20", "--seed", seed, "-o", "json"]);
        let output = verify.args(["--kubeconfig", &served.kubeconfig]).output().unwrap();
        let found = json(&String::from_utf8(output.stdout).unwrap());
        assert_eq!((output.status.code(), &found["differ"]), (Some(0), &0.into()), "{found:#}");
        assert!(found["agree"].as_u64() > Some(14), "{found:#}");
    }
}
