//! A partial result of usage, stored as a file. Partial results add up to the result of a single
//! run over all logs.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::coverage::Coverage;
use super::join::{Join, Open};
use super::labels::Labels;
use super::question::Dimension;
use super::row::{Key, Row};
use super::tally::Tally;
use kube_aggregation::model::{Origin, SourceKind};

/// A tally with everything else that a report needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial {
    /// The source that was used for routing.
    pub origin: Origin,
    /// What that source lacked.
    pub assumptions: Vec<String>,
    /// The question, in words.
    pub question: Vec<String>,
    /// The dimensions of a row.
    pub by: Vec<Dimension>,
    /// The Services of APIServices, by APIService name.
    pub services: BTreeMap<String, String>,
    /// Whether reading was interrupted.
    pub interrupted: bool,
    /// The counts.
    pub tally: Tally,
}

/// Why partial results cannot be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// They count different things. Contains the questions of the new and of the first partial
    /// result.
    Question(String, String),
}

/// Why a text is not a partial result.
#[derive(Debug)]
#[non_exhaustive]
pub enum PartialError {
    /// It is not JSON, or lacks a field.
    Json(serde_json::Error),
    /// It has another kind or API version.
    OtherKind(String, String),
    /// Another version of aggctl wrote it.
    OtherVersion,
}

impl fmt::Display for PartialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::OtherKind(kind, version) => {
                write!(f, "it is a {kind} of {version}, not a {KIND}")
            }
            Self::OtherVersion => f.write_str("it was written by another aggctl"),
        }
    }
}

impl Error for PartialError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Json(error) => error.source(),
            Self::OtherKind(..) | Self::OtherVersion => None,
        }
    }
}

/// The JSON representation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    api_version: String,
    kind: String,
    source: LogSource,
    assumptions: Vec<String>,
    question: Vec<String>,
    by: Vec<String>,
    services: BTreeMap<String, String>,
    interrupted: bool,
    coverage: Coverage,
    same: u64,
    labels: Vec<Vec<String>>,
    rows: Vec<(Key, Row)>,
    open: Vec<(u64, Open)>,
    ended: Vec<u64>,
    receives: bool,
    forgotten: u64,
    repeated: u64,
    #[serde(default)]
    rerouted: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct LogSource {
    kind: String,
    name: String,
}

const KIND: &str = "UsagePartial";
const API_VERSION: &str = "aggctl/v1";
const KINDS: [SourceKind; 3] = [SourceKind::Dump, SourceKind::Builtin, SourceKind::Live];

impl Partial {
    /// Serializes to one line of JSON.
    ///
    /// # Errors
    /// Only if memory runs out.
    pub fn to_line(&self) -> serde_json::Result<String> {
        let tally = &self.tally.counted();
        let mut rows: Vec<(Key, Row)> = tally.rows.iter().map(|(k, r)| (*k, r.clone())).collect();
        rows.sort_by_key(|(key, _)| *key);
        let mut open: Vec<(u64, Open)> = tally.join.open.iter().map(|(id, o)| (*id, *o)).collect();
        open.sort_by_key(|(id, _)| *id);
        let mut ended: Vec<u64> = tally.join.ended.keys().copied().collect();
        ended.sort_unstable();
        let file = File {
            api_version: API_VERSION.to_owned(),
            kind: KIND.to_owned(),
            source: LogSource {
                kind: self.origin.kind.as_str().to_owned(),
                name: self.origin.name.clone(),
            },
            assumptions: self.assumptions.clone(),
            question: self.question.clone(),
            by: self.by.iter().map(|one| one.as_str().to_owned()).collect(),
            services: self.services.clone(),
            interrupted: self.interrupted,
            coverage: tally.coverage.clone(),
            same: tally.same,
            labels: (tally.labels.iter())
                .map(|labels| labels.names().map(str::to_owned).collect())
                .collect(),
            rows,
            open,
            ended,
            receives: tally.join.receives,
            forgotten: tally.join.forgotten,
            repeated: tally.join.repeated,
            rerouted: tally.join.rerouted,
        };
        serde_json::to_string(&file)
    }

    /// Parses the output of [`Partial::to_line`].
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str) -> Result<Self, PartialError> {
        let file: File = serde_json::from_str(text).map_err(PartialError::Json)?;
        if (file.api_version.as_str(), file.kind.as_str()) != (API_VERSION, KIND) {
            return Err(PartialError::OtherKind(file.kind, file.api_version));
        }
        let kind = KINDS.into_iter().find(|kind| kind.as_str() == file.source.kind);
        let by = file.by.iter().map(|name| Dimension::from_word(name));
        let by: Option<Vec<Dimension>> = by.collect();
        let mut labels: [Labels; Dimension::COUNT] = Default::default();
        for (labels, names) in labels.iter_mut().zip(&file.labels) {
            for name in names {
                labels.number(name);
            }
        }
        let sound =
            file.rows.iter().all(|(_, row)| row.timeline.is_sound() && row.latency.is_sound());
        let (Some(kind), Some(by), true) = (kind, by, sound) else {
            return Err(PartialError::OtherVersion);
        };
        let join = Join {
            open: file.open.into_iter().collect(),
            ended: file.ended.into_iter().map(|id| (id, None)).collect(),
            receives: file.receives,
            forgotten: file.forgotten,
            repeated: file.repeated,
            rerouted: file.rerouted,
        };
        let rows = file.rows.into_iter().collect();
        let tally = Tally { labels, rows, join, coverage: file.coverage, same: file.same };
        Ok(Self {
            origin: Origin { kind, name: file.source.name },
            assumptions: file.assumptions,
            question: file.question,
            by,
            services: file.services,
            interrupted: file.interrupted,
            tally,
        })
    }

    /// Adds another part of the same logs.
    ///
    /// # Errors
    /// If it counts something else.
    pub fn merge(&mut self, other: Self) -> Result<(), Mismatch> {
        if (&self.question, &self.by) != (&other.question, &other.by) {
            return Err(Mismatch::Question(other.question.join(", "), self.question.join(", ")));
        }
        self.services.extend(other.services);
        for one in other.assumptions {
            if !self.assumptions.contains(&one) {
                self.assumptions.push(one);
            }
        }
        self.interrupted |= other.interrupted;
        self.tally.merge(other.tally);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Counter, UsageQuestion};
    use super::*;
    use kube_aggregation::baseline;
    use kube_aggregation::registry::Registry;
    use kube_aggregation::routing::Router;
    use proptest::prelude::*;

    fn partial(lines: &[String]) -> Partial {
        let by = vec![Dimension::ApiService, Dimension::Client, Dimension::Status, Dimension::Hour];
        let question = UsageQuestion { by: by.clone(), ..UsageQuestion::default() };
        let registry = Registry::new(baseline::server(baseline::LATEST));
        let mut counter = Counter::new(&question, Router::new(&registry), None);
        counter.lines(lines.join("\n").as_bytes());
        Partial {
            origin: registry.snapshot.origin.clone(),
            assumptions: vec![],
            question: question.words(),
            by,
            services: BTreeMap::new(),
            interrupted: false,
            tally: counter.finish(),
        }
    }

    /// Generates the events of some requests, each with some of its stages, and lines without
    /// events.
    fn log() -> impl Strategy<Value = Vec<String>> {
        let request = (0..3usize, 0..3usize, 0..4usize, 1..8u8, 0..5_000u64, 0..400_000i64);
        proptest::collection::vec(request, 1..40).prop_map(|requests| {
            let mut lines = vec![];
            for (id, (path, user, code, stages, took, at)) in requests.into_iter().enumerate() {
                let (uri, verb) = [("/api/v1/pods", "list"), ("/apis/apps/v1/deployments?watch=1", "watch"), ("/nope", "get")][path];
                let code = [200, 404, 500, 0][code];
                let time = |micros: i64| jiff::Timestamp::from_microsecond(micros).unwrap();
                let received = 1_794_852_086_000_000 + at * 1_000_000;
                for (bit, stage) in ["RequestReceived", "ResponseStarted", "ResponseComplete"].iter().enumerate() {
                    // Only long-running requests have ResponseStarted events.
                    if stages & (1 << bit) != 0 && (bit != 1 || path == 1) {
                        let stamp = time(received + took as i64 * bit as i64);
                        lines.push(format!(r#"{{"stage":"{stage}","auditID":"{id}-x","requestURI":"{uri}","verb":"{verb}","user":{{"username":"u{user}"}},"responseStatus":{{"code":{code}}},"requestReceivedTimestamp":"{}","stageTimestamp":"{stamp}"}}"#, time(received)));
                    }
                }
                if id % 7 == 0 {
                    lines.push(format!("nothing {id}"));
                }
            }
            lines
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Neither the distribution of lines to parts nor the order of the parts matters.
        #[test]
        fn parts_add_up_to_the_whole(log in log(), parts in proptest::collection::vec(0..4usize, 120)) {
            let by = partial(&[]).by;
            let whole = partial(&log).tally.report(&by, None);
            let mut split: [Vec<String>; 4] = Default::default();
            for (line, part) in log.iter().zip(&parts) {
                split[*part].push(line.clone());
            }
            let read = |lines: &Vec<String>| {
                Partial::parse(&partial(lines).to_line().unwrap()).unwrap()
            };
            let mut merged = read(&split[3]);
            for lines in &split[..3] {
                merged.merge(read(lines)).unwrap();
            }
            let mut other = read(&split[0]);
            let mut pair = read(&split[2]);
            pair.merge(read(&split[1])).unwrap();
            other.merge(pair).unwrap();
            other.merge(read(&split[3])).unwrap();
            let shown = |partial: &Partial| named(&partial.tally.report(&by, None));
            prop_assert_eq!(shown(&merged), named(&whole));
            prop_assert_eq!(shown(&other), named(&whole));
        }
    }

    /// Formats a report without client numbers, which depend on the order of appearance.
    fn named(report: &super::super::UsageReport) -> String {
        let rows = report.rows.iter().map(|one| {
            let mut row = one.row.clone();
            row.clients = Default::default();
            format!("{:?} {} {row:?}\n", one.names, one.row.clients())
        });
        let total = report.total.clients();
        format!("{}{total} {:?} {}", rows.collect::<String>(), report.coverage, report.unsure)
    }

    #[test]
    fn only_like_adds_up_to_like() {
        let whole = partial(&[]);
        let mut other = whole.clone();
        other.question.push("client x".to_owned());
        let words = (other.question.join(", "), whole.question.join(", "));
        assert_eq!(whole.clone().merge(other), Err(Mismatch::Question(words.0, words.1)));
        let line = whole.to_line().unwrap();
        assert_eq!(Partial::parse(&line).unwrap(), whole);
        let kind = Partial::parse(&line.replace("UsagePartial", "Usage")).unwrap_err();
        assert_eq!(kind.to_string(), "it is a Usage of aggctl/v1, not a UsagePartial");
        assert!(Partial::parse("{}").is_err());
    }
}
