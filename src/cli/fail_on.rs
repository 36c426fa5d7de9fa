//! Outcomes as arguments.

use clap::ValueEnum;

use crate::routing::Outcome;

/// An outcome, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutcomeArg(pub(super) Outcome);

impl ValueEnum for OutcomeArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [OutcomeArg; Outcome::ALL.len()] = {
            let mut all = [OutcomeArg(Outcome::Served); Outcome::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = OutcomeArg(Outcome::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.as_str()))
    }
}
