//! Tests `aggctl openapi` on a live cluster: documents that fail are reported with their status.

use serde_json::Value;

use crate::server::{Breakage, Seen};
use crate::world::{World, recording};

#[test]
fn documents_that_fail_are_reported() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/openapi/v2", Breakage::Status(503));
    world.server.break_at("/openapi/v3/apis/edge.net/v1", Breakage::Status(503));
    let run = world.live(&["openapi", "-o", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["document"]["status"], 503);
    assert_eq!(answer["document"]["protobufStatus"], 503);
    let warnings = answer["warnings"].as_array().unwrap();
    let about = |code: &str| -> Vec<&Value> {
        let found = warnings.iter().filter(|warning| warning["code"] == code);
        found.map(|warning| &warning["groupVersion"]).collect()
    };
    assert_eq!(about("v3-listed-unreachable"), ["edge.net/v1"]);
    assert!(about("duplicated-path").contains(&&"edge.net/v1".into()), "{warnings:?}");
    let item =
        answer["items"].as_array().unwrap().iter().find(|i| i["groupVersion"] == "edge.net/v1");
    assert_eq!(item.unwrap()["v3"]["status"], 503);
    // `--samples` sets how often the index is requested.
    world.server.seen();
    world.live(&["openapi", "--samples", "3"]);
    let seen = world.server.seen();
    assert_eq!(seen.iter().filter(|request| request.path == "/openapi/v3").count(), 3);
    let accepts = |kind: &str| {
        let of = |request: &&Seen| {
            request.path == "/openapi/v2"
                && request.headers["accept"].to_str().unwrap().contains(kind)
        };
        seen.iter().filter(of).count()
    };
    assert_eq!((accepts("json"), accepts("protobuf")), (1, 1));
}

/// One server that hangs delays all clients. doctor names it, or all that may be the cause.
#[test]
fn doctor_names_servers_that_hang_on_openapi() {
    let world = World::new(&recording("v1.36-mixed"));
    let slow = |path: &str| -> Vec<String> {
        world.server.break_at(path, Breakage::Hang);
        let run = world.live(&["doctor", "-o", "json", "--request-timeout", "1s"]);
        world.server.mend();
        let answer: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.err));
        let has = |item: &&Value| {
            let findings = item["findings"].as_array().unwrap().iter();
            let mut slow = findings.filter(|finding| finding["code"] == "slow-openapi");
            slow.any(|finding| {
                finding["message"].as_str().unwrap().starts_with(&format!("{path} was not"))
            })
        };
        let items = answer["items"].as_array().unwrap().iter().filter(has);
        items.map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(slow("/openapi/v3/apis/edge.net/v1"), ["v1.edge.net"]);
    let all = slow("/openapi/v3");
    assert!(all.len() > 1 && all.contains(&"v1.edge.net".to_owned()), "{all:?}");
}
