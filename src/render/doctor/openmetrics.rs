//! Diagnoses as OpenMetrics. Every metric is a gauge without a timestamp, so that Prometheus' older
//! text format, the textfile collector and the Pushgateway accept it too.

use std::fmt::Write;

use jiff::Timestamp;

use super::DoctorAnswer;
use crate::render::sanitize;
use aggctl_diagnose::doctor::{Diagnosis, DoctorCheck, DoctorVerdict};

/// One gauge. Its name ends with the unit, if it has one.
struct Family {
    name: &'static str,
    help: &'static str,
    samples: Vec<Sample>,
}

/// Labels and a value.
type Sample = (Vec<(&'static str, String)>, i64);

/// Writes all diagnoses as one exposition.
pub(super) fn openmetrics(answer: &DoctorAnswer<'_, '_>, now: Timestamp) -> String {
    let mut text = String::new();
    for family in families(answer, now).iter().filter(|family| !family.samples.is_empty()) {
        // Writing into memory cannot fail.
        let _ = family.write(&mut text);
    }
    text + "# EOF\n"
}

fn families(answer: &DoctorAnswer<'_, '_>, now: Timestamp) -> Vec<Family> {
    let each = |of: &dyn Fn(&Diagnosis<'_>) -> Vec<Sample>| {
        let samples = |d: &Diagnosis<'_>| {
            let name = ("apiservice", d.service.name.clone());
            of(d).into_iter().map(move |(mut labels, value)| {
                labels.insert(0, name.clone());
                (labels, value)
            })
        };
        answer.diagnoses.iter().flat_map(samples).collect()
    };
    let one = |value: Option<i64>| value.map(|value| (vec![], value)).into_iter().collect();
    let version = answer.snapshot.version.loaded().map(|v| v.git_version.clone());
    vec![
        Family {
            name: "aggctl_apiservice_status",
            help: "The verdict of aggctl doctor: 1 for the current one, 0 for the others",
            samples: each(&|d| {
                let sample = |v: DoctorVerdict| {
                    (vec![("verdict", v.as_str().to_owned())], i64::from(v == d.verdict))
                };
                DoctorVerdict::ALL.map(sample).into()
            }),
        },
        Family {
            name: "aggctl_apiservice_available",
            help: "Whether the condition Available lets requests through",
            samples: each(&|d| {
                one((!d.service.is_not_checked()).then(|| d.service.is_available().into()))
            }),
        },
        Family {
            name: "aggctl_apiservice_broken_link",
            help: "The first check that fails",
            samples: each(&|d| {
                let sample =
                    |check: &DoctorCheck<'_>| (vec![("link", check.step.as_str().to_owned())], 1);
                d.broken_check().map(sample).into_iter().collect()
            }),
        },
        Family {
            name: "aggctl_apiservice_finding",
            help: "Other issues; aggctl explain CODE describes each",
            samples: each(&|d| {
                let labels = d.findings.iter().map(|f| {
                    let severity = ("severity", f.severity.as_str().to_owned());
                    vec![("code", f.code.as_str().to_owned()), severity]
                });
                let mut labels: Vec<_> = labels.collect();
                labels.sort();
                labels.dedup();
                labels.into_iter().map(|labels| (labels, 1)).collect()
            }),
        },
        Family {
            name: "aggctl_apiservice_ca_expiry_timestamp_seconds",
            help: "When the last certificate of spec.caBundle expires",
            samples: each(&|d| one(d.ca_expiry())),
        },
        Family {
            name: "aggctl_apiservice_certificate_expiry_timestamp_seconds",
            help: "When the served certificate expires (with --direct)",
            samples: each(&|d| one(d.certificate_expiry())),
        },
        Family {
            name: "aggctl_doctor_assumptions",
            help: "How many inputs of the diagnosis could not be read",
            samples: one(i64::try_from(answer.meta.assumptions().len()).ok()),
        },
        Family {
            name: "aggctl_doctor_kubernetes",
            help: "The version of the API server",
            samples: version.map(|v| (vec![("version", v)], 1)).into_iter().collect(),
        },
        Family {
            name: "aggctl_doctor_timestamp_seconds",
            help: "When aggctl doctor ran",
            samples: one(Some(now.as_second())),
        },
    ]
}

impl Family {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        let name = self.name;
        writeln!(text, "# TYPE {name} gauge")?;
        if name.ends_with("_seconds") {
            writeln!(text, "# UNIT {name} seconds")?;
        }
        writeln!(text, "# HELP {name} {}", self.help)?;
        for (labels, value) in &self.samples {
            let label = |(key, value): &(&str, String)| format!("{key}=\"{}\"", quoted(value));
            let labels: Vec<String> = labels.iter().map(label).collect();
            let labels = match labels.as_slice() {
                [] => String::new(),
                labels => format!("{{{}}}", labels.join(",")),
            };
            writeln!(text, "{name}{labels} {value}")?;
        }
        Ok(())
    }
}

/// Escapes the value of a label. `sanitize` has replaced line breaks.
fn quoted(value: &str) -> String {
    sanitize(value).replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_one_line_and_end_where_they_should() {
        let family = Family {
            name: "a_seconds",
            help: "H",
            samples: vec![(vec![("x", "q\"b\\n\nc\u{1b}".to_owned()), ("y", String::new())], -1)],
        };
        let mut text = String::new();
        family.write(&mut text).unwrap();
        let sample = "a_seconds{x=\"q\\\"b\\\\n c\u{fffd}\",y=\"\"} -1";
        let comments = "# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n# HELP a_seconds H";
        assert_eq!(text, format!("{comments}\n{sample}\n"));
    }
}
