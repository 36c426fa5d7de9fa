//! The loops of `--watch` and `--wait-for`, without clocks and clusters.

use crate::error::{Error, ErrorKind};
use aggctl_diagnose::doctor::{HealthSummary, Standings, changes, waited_for};

/// The loop's side effects, so that tests can fake them.
pub(super) trait Rounds {
    /// Looks at the cluster once.
    fn look(&mut self) -> Result<Standings, Error>;

    /// Waits for the next round; false if there is no time left.
    fn pause(&mut self) -> bool;

    /// Prints a change; `None` means that the APIService is gone.
    fn report(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()>;

    /// Prints that a look failed.
    fn complain(&mut self, error: &Error) -> anyhow::Result<()>;
}

/// Prints every change since `last` until there is no time left.
pub(super) fn watch(rounds: &mut dyn Rounds, mut last: Standings) -> anyhow::Result<()> {
    while rounds.pause() {
        match rounds.look() {
            Ok(now) => {
                for (name, standing) in changes(&last, &now) {
                    rounds.report(name, standing)?;
                }
                last = now;
            }
            Err(error) => rounds.complain(&error)?,
        }
    }
    Ok(())
}

/// Looks until all wanted APIServices are available; returns those that are not when the time is over.
///
/// A look that fails is repeated. Only the last failure is returned, and only if no look succeeded.
pub(super) fn wait(rounds: &mut dyn Rounds, wanted: &[String]) -> anyhow::Result<Vec<String>> {
    let mut last: Option<Standings> = None;
    loop {
        let failure = match rounds.look() {
            Ok(now) => {
                let missing = waited_for(wanted, &now);
                if let Some(before) = &last {
                    for (name, standing) in changes(before, &now) {
                        rounds.report(name, standing)?;
                    }
                }
                last = Some(now);
                if missing.is_empty() {
                    return Ok(missing);
                }
                None
            }
            // A usage error does not go away.
            Err(error) if error.kind() == ErrorKind::Usage => return Err(error.into()),
            Err(error) => {
                rounds.complain(&error)?;
                Some(error)
            }
        };
        if !rounds.pause() {
            return match (last, failure) {
                (Some(now), _) => Ok(waited_for(wanted, &now)),
                (None, Some(error)) => Err(error.into()),
                (None, None) => Ok(wanted.to_vec()),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aggctl_diagnose::doctor::DoctorVerdict;

    /// Fake rounds with fixed results, in which time is the number of rounds.
    struct Story {
        looks: Vec<Result<&'static [(&'static str, bool)], &'static str>>,
        at: usize,
        rounds: usize,
        printed: Vec<String>,
    }

    impl Story {
        fn new(
            looks: &[Result<&'static [(&'static str, bool)], &'static str>],
            rounds: usize,
        ) -> Self {
            Self { looks: looks.to_vec(), at: 0, rounds, printed: vec![] }
        }
    }

    fn standings(of: &[(&str, bool)]) -> Standings {
        let one = |(name, available): &(&str, bool)| {
            let verdict = if *available { DoctorVerdict::Healthy } else { DoctorVerdict::Broken };
            (
                (*name).to_owned(),
                HealthSummary { verdict, summary: String::new(), available: *available },
            )
        };
        of.iter().map(one).collect()
    }

    impl Rounds for Story {
        fn look(&mut self) -> Result<Standings, Error> {
            let look = self.looks[self.at.min(self.looks.len() - 1)];
            self.at += 1;
            look.map(standings).map_err(Error::source)
        }

        fn pause(&mut self) -> bool {
            self.at < self.rounds
        }

        fn report(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()> {
            self.printed.push(format!("{name} {:?}", standing.map(|s| s.verdict)));
            Ok(())
        }

        fn complain(&mut self, error: &Error) -> anyhow::Result<()> {
            self.printed.push(error.to_string());
            Ok(())
        }
    }

    #[test]
    fn watching_prints_changes_and_survives_failures() {
        let mut story =
            Story::new(&[Ok(&[("a", true)]), Err("no route"), Ok(&[("a", false)]), Ok(&[])], 4);
        watch(&mut story, standings(&[("a", true)])).unwrap();
        assert_eq!(story.printed, ["no route", "a Some(Broken)", "a None"]);
    }

    #[test]
    fn waiting_ends_when_all_are_available() {
        let check = |looks: &[_], rounds, wanted: &[&str], missing: &[&str], used| {
            let wanted: Vec<String> = wanted.iter().map(|s| (*s).to_owned()).collect();
            let mut story = Story::new(looks, rounds);
            assert_eq!(wait(&mut story, &wanted).unwrap(), missing);
            assert_eq!(story.at, used);
        };
        check(&[Ok(&[("a", true)])], 9, &[], &[], 1);
        check(&[Ok(&[("a", false)]), Ok(&[("a", true)])], 9, &["a"], &[], 2);
        check(&[Ok(&[]), Err("x"), Ok(&[("a", true)])], 9, &["a"], &[], 3);
        check(&[Ok(&[("a", false), ("b", true)])], 3, &["a", "b"], &["a"], 3);
        let mut never = Story::new(&[Err("no route")], 3);
        assert_eq!(wait(&mut never, &[]).unwrap_err().to_string(), "no route");
    }
}
