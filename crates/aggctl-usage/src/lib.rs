//! Who uses what: the requests of audit logs, sent through the routing model and counted. Pure.
//!
//! Bytes of a log become [`Event`]s, whatever is around them (`wrapped`); a [`Counter`] routes each
//! and counts it in a [`Tally`], where the events of one request are joined. Tallies of parts of a
//! log add up to that of the whole. A [`UsageReport`] is what is shown of one.

mod client;
mod cloud_logging;
mod counter;
mod coverage;
mod distinct;
mod event;
mod histogram;
mod join;
mod labels;
mod layout;
mod metrics;
mod numbers;
mod partial;
mod question;
mod report;
pub mod routes;
mod row;
mod scan;
mod tally;
mod time;
mod timeline;
mod way;
mod wrapped;

pub use counter::Counter;
pub use coverage::Coverage;
pub use distinct::Distinct;
pub use event::{Event, Stage};
pub use histogram::Histogram;
pub use metrics::{Metrics, Unavailable, is_metrics};
pub use partial::{Mismatch, Partial, PartialError};
pub use question::{Dimension, UsageQuestion};
pub use report::{ReportRow, UsageReport, services};
pub use row::Row;
pub use scan::{Raw, is_one_value};
pub use tally::Tally;
pub use time::{micros, rfc3339};
pub use timeline::Timeline;
pub use way::{UNKNOWN, handler};
pub use wrapped::events;
