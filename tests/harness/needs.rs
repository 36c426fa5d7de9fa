//! Tests that need a program or data that a machine may lack.
//!
//! The test runner of Rust cannot decide at run time that a test is ignored. `libtest-mimic` can,
//! so a test that cannot run is reported as ignored, by name and with the reason. It never passes.

use libtest_mimic::{Completion, Trial};

/// Something outside this repository.
pub(crate) struct Need {
    /// What is needed.
    pub(crate) name: &'static str,
    /// How to get it.
    pub(crate) hint: &'static str,
    /// The environment variable that turns "ignored" into "failed".
    pub(crate) required_by: &'static str,
    pub(crate) is_met: fn() -> bool,
}

/// Set by CI, which has all programs.
pub(crate) const REQUIRE: &str = "AGGCTL_REQUIRE";

impl Need {
    /// Returns tests that run if the need is met. Otherwise they are ignored, or fail if the
    /// environment requires them.
    pub(crate) fn of(&self, tests: &[(&str, fn())]) -> Vec<Trial> {
        let reason = (!(self.is_met)()).then(|| format!("needs {}: {}", self.name, self.hint));
        let required = std::env::var_os(self.required_by).is_some_and(|value| !value.is_empty());
        let trial = |&(name, test): &(&str, fn())| {
            let reason = reason.clone();
            Trial::ignorable_test(name, move || match reason {
                None => {
                    test();
                    Ok(Completion::Completed)
                }
                Some(reason) if required => Err(reason.into()),
                Some(reason) => Ok(Completion::ignored_with(reason)),
            })
        };
        tests.iter().map(trial).collect()
    }
}

/// Returns whether a program can be run.
pub(crate) fn runs(program: &str, arguments: &[&str]) -> bool {
    let output = std::process::Command::new(program).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// Lists test functions with their names.
macro_rules! tests {
    ($($test:path),* $(,)?) => {
        &[$((stringify!($test), $test as fn())),*]
    };
}
pub(crate) use tests;
