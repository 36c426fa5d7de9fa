//! Values by their names, and values that completions offer while the command takes any and
//! refuses with a better answer.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use aggctl_diagnose::knowledge;
use aggctl_lint::{Category, rules};

/// Takes these values, by their names.
pub(super) fn one_of<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |text: String| all.iter().copied().find(|one| name(*one) == text);
    PossibleValuesParser::new(all.iter().map(|one| name(*one)))
        .try_map(move |text| named(text).ok_or("no such value"))
}

/// Takes any text, and offers these names.
#[derive(Debug, Clone)]
pub(super) struct Offered(fn() -> Vec<&'static str>);

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

/// Lint rules and their categories.
pub(super) fn rules_and_categories() -> Offered {
    Offered(|| {
        let categories = Category::ALL.iter().map(|category| category.as_str());
        categories.chain(rules::ALL.iter().map(|rule| rule.name)).collect()
    })
}

/// What `explain` has an entry for: codes and lint rules.
pub(super) fn codes() -> Offered {
    Offered(|| {
        let entries = knowledge::entries().iter().map(|entry| entry.id);
        entries.chain(rules::ALL.iter().map(|rule| rule.name)).collect()
    })
}
