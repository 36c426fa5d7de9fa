//! Value parsers: values by name, and text for which completion offers names.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

use aggctl_diagnose::knowledge;
use aggctl_lint::{Category, rules};

/// Parses one of these values by its name.
pub(super) fn one_of<T: Copy + Send + Sync>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |text: String| all.iter().copied().find(|one| name(*one) == text);
    PossibleValuesParser::new(all.iter().map(|one| name(*one)))
        .try_map(move |text| named(text).ok_or("no such value"))
}

/// Parses any text and offers names for completion. The command itself refuses others, with a
/// better error than clap.
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

/// Offers lint rules and their categories.
pub(super) fn rules_and_categories() -> Offered {
    Offered(|| {
        let categories = Category::ALL.iter().map(|category| category.as_str());
        categories.chain(rules::all().map(|rule| rule.name)).collect()
    })
}

/// Offers what `explain` knows: codes and lint rules.
pub(super) fn codes() -> Offered {
    Offered(|| {
        let entries = knowledge::entries().iter().map(|entry| entry.id);
        entries.chain(rules::all().map(|rule| rule.name)).collect()
    })
}
