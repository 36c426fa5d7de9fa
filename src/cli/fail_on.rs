//! `--fail-on`: which results make the exit code 1.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// One value that `--fail-on` of a command takes.
pub(super) struct FailCondition<T> {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    /// Whether a result makes the exit code 1.
    pub(super) fails: fn(&T) -> bool,
}

const NEVER: &str = "never";

impl<T> FailCondition<T> {
    /// Returns the value with which nothing fails.
    pub(super) const fn never(help: &'static str) -> Self {
        Self { name: NEVER, help, fails: |_| false }
    }
}

/// The value of `--fail-on` that the user chose.
pub(super) struct FailOn<T: 'static>(&'static FailCondition<T>);

impl<T> FailOn<T> {
    /// Returns the value of that name.
    pub(super) fn named(all: &'static [FailCondition<T>], name: &str) -> Option<Self> {
        all.iter().find(|one| one.name == name).map(Self)
    }

    /// Returns whether a result makes the exit code 1.
    pub(super) fn fails(&self, result: &T) -> bool {
        (self.0.fails)(result)
    }

    /// Returns [`FailOn::fails`] by itself.
    pub(super) fn condition(&self) -> fn(&T) -> bool {
        self.0.fails
    }

    /// Returns whether nothing fails.
    pub(super) fn is_never(&self) -> bool {
        self.0.name == NEVER
    }
}

// Derived implementations would require the same of `T`.
impl<T> Clone for FailOn<T> {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

impl<T> std::fmt::Debug for FailOn<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FailOn").field(&self.0.name).finish()
    }
}

/// Parses one of these conditions by its name.
pub(super) fn fail_on<T>(
    all: &'static [FailCondition<T>],
) -> impl TypedValueParser<Value = FailOn<T>> + use<T> {
    let values = all.iter().map(|one| PossibleValue::new(one.name).help(one.help));
    PossibleValuesParser::new(values.collect::<Vec<_>>())
        .try_map(|name| FailOn::named(all, &name).ok_or("no such condition"))
}
