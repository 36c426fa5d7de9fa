//! Values into bytes. Knows no source; the only place that knows colour.

pub mod lint;
