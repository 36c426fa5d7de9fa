use std::time::Instant;
use kube_aggregation::ingest::SnapshotBuilder;
use kube_aggregation::registry::Registry;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        for _ in 0..3 {
            let start = Instant::now();
            let mut b = SnapshotBuilder::default();
            b.add_json("x.json", &text).unwrap();
            let added = start.elapsed();
            let (s, _) = b.build("x");
            let built = start.elapsed();
            let r = Registry::new(&s);
            let reg = start.elapsed();
            let n = r.api_services.len();
            drop(r); drop(s);
            eprintln!("{path} add {:?} ({:.0} MB/s) build {:?} registry {:?} drop {:?} n={n}", added, text.len() as f64/1e6/added.as_secs_f64(), built, reg, start.elapsed());
        }
    }
}
