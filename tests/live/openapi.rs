//! `aggctl openapi` on a server: what does not come is told, with its status.

use serde_json::Value;

use crate::server::{Breakage, Seen};
use crate::world::{World, recording};

#[test]
fn what_does_not_come_is_told() {
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
    // The index is asked for as often as somebody wants.
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
