//! Measures merging `/openapi/v2` from documents of 10 MB: parsing, merging, writing, and the ETag.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "benchmarks fail loudly, read the clock and tell of memory"
)]

use std::fmt::Write;
use std::hint::black_box;

use aggctl_openapi::{Base, MergePart, Published, etag, merge};
use divan::Bencher;
use divan::counter::BytesCount;

const SIZE: usize = 10 << 20;

fn main() {
    let (base, part) = (document("a.example.com", "one"), document("b.example.com", "two"));
    let started = std::time::Instant::now();
    black_box(merged(&base, &part));
    let took = started.elapsed().as_millis();
    println!("two documents of 10 MB: {took} ms, at most {} of memory", peak());
    divan::main();
}

/// Returns the peak memory of this process, including both texts.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("an unknown amount", str::trim).to_owned()
}

/// Returns a document with paths of one group. One in three definitions has a name that other
/// documents use too, and half of those differ in content.
fn document(group: &str, words: &str) -> String {
    let (mut paths, mut definitions) = (String::new(), String::new());
    let mut index = 0;
    while paths.len() + definitions.len() < SIZE {
        let name = if index % 3 == 0 {
            format!("shared.v1.Type{index:06}")
        } else {
            format!("{group}.v1.Type{index:06}")
        };
        let text = if index % 2 == 0 { "the same" } else { words };
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(
            paths,
            r##"{comma}"/apis/{group}/v1/type{index:06}":{{"get":{{"description":"list","operationId":"list{index}","parameters":[{{"type":"boolean","description":"watch","name":"watch","in":"query"}}],"responses":{{"200":{{"description":"OK","schema":{{"$ref":"#/definitions/{name}"}}}}}}}}}}"##
        );
        let _ = write!(
            definitions,
            r##"{comma}"{name}":{{"description":"{text}","type":"object","required":["spec"],"properties":{{"spec":{{"type":"object","additionalProperties":{{"type":"string"}}}},"items":{{"type":"array","items":{{"type":"integer","format":"int32"}}}},"next":{{"$ref":"#/definitions/{name}"}}}},"x-kubernetes-group-version-kind":[{{"group":"{group}","kind":"Type{index}","version":"v1"}}]}}"##
        );
        index += 1;
    }
    format!(
        r#"{{"swagger":"2.0","info":{{"title":"{group}","version":"v1"}},"paths":{{{paths}}},"definitions":{{{definitions}}}}}"#
    )
}

fn merged(base: &str, part: &str) -> String {
    let part = MergePart {
        name: "v1.b.example.com",
        prefix: "/apis/b.example.com/v1/".to_owned(),
        document: Published::read(part).unwrap(),
    };
    let merged = merge(&Base::read(base).unwrap(), vec![part]);
    assert!(!merged.parts[0].renamed.is_empty() && !merged.parts[0].kinds.is_empty());
    etag(&merged.write())
}

#[divan::bench(sample_count = 10)]
fn two_documents_of_10_mb(bencher: Bencher<'_, '_>) {
    let (base, part) = (document("a.example.com", "one"), document("b.example.com", "two"));
    bencher.counter(BytesCount::new(base.len() + part.len())).bench_local(|| merged(&base, &part));
}
