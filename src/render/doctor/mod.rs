//! Diagnoses of APIServices: a line each, the broken ones at length, as JSON.

mod details;
mod json;
mod text;

pub use json::{diagnoses_json, diagnosis_json};
pub use text::{DoctorView, doctor_text};

use super::paint::Paint;
use super::sanitise::sanitise;
use crate::doctor::{Standing, State, Verdict};

/// The sign of a verdict, in its colour. Words always stand beside it.
fn verdict_sign(verdict: Verdict, paint: Paint) -> colored::ColoredString {
    match verdict {
        Verdict::Healthy => paint.good("√"),
        Verdict::Warning => paint.odd("‼"),
        Verdict::Broken => paint.bad("×"),
    }
}

/// The sign of a link's state, in its colour.
fn state_sign(state: State, paint: Paint) -> colored::ColoredString {
    match state {
        State::Ok => paint.good("√"),
        State::Odd => paint.odd("‼"),
        State::Broken => paint.bad("×"),
        State::Unknown => paint.odd("?"),
        State::Skipped => paint.faint("-"),
    }
}

/// A change, on a line of its own.
pub fn standing_line(time: &str, name: &str, standing: Option<&Standing>, paint: Paint) -> String {
    let name = sanitise(name);
    match standing {
        Some(s) => {
            format!("{time} {} {name}  {}", verdict_sign(s.verdict, paint), sanitise(&s.summary))
        }
        None => format!("{time} {} {name}  is gone", paint.faint("-")),
    }
}
