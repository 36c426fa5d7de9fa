//! Looking again and again: `--watch` and `--wait-for`, apart from clocks and clusters.

use crate::error::{Error, ErrorKind};
use aggctl_diagnose::doctor::{HealthSummary, Standings, changes, waited_for};

/// What a loop needs of the world, so that a test can be one.
pub(super) trait Rounds {
    /// Looks once.
    fn look(&mut self) -> Result<Standings, Error>;

    /// Waits for the next round; false where there is no time left for one.
    fn pause(&mut self) -> bool;

    /// Tells of a change; `None` stands for one that is gone.
    fn tell(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()>;

    /// Tells that a look failed.
    fn complain(&mut self, error: &Error) -> anyhow::Result<()>;
}

/// Tells of every change since `last` until there is no time left.
pub(super) fn watch(rounds: &mut dyn Rounds, mut last: Standings) -> anyhow::Result<()> {
    while rounds.pause() {
        match rounds.look() {
            Ok(now) => {
                for (name, standing) in changes(&last, &now) {
                    rounds.tell(name, standing)?;
                }
                last = now;
            }
            Err(error) => rounds.complain(&error)?,
        }
    }
    Ok(())
}

/// Looks until all that are wanted are available; who is not when the time is over.
///
/// What cannot be read now may be readable in a moment: only the last failure counts, and only
/// where there never was an answer.
pub(super) fn wait(rounds: &mut dyn Rounds, wanted: &[String]) -> anyhow::Result<Vec<String>> {
    let mut last: Option<Standings> = None;
    loop {
        let failure = match rounds.look() {
            Ok(now) => {
                let missing = waited_for(wanted, &now);
                if let Some(before) = &last {
                    for (name, standing) in changes(before, &now) {
                        rounds.tell(name, standing)?;
                    }
                }
                last = Some(now);
                if missing.is_empty() {
                    return Ok(missing);
                }
                None
            }
            // That the question is wrong does not change with time.
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
    use aggctl_diagnose::doctor::Verdict;

    /// A world with a fixed story, in which time is the number of rounds.
    struct Story {
        looks: Vec<Result<&'static [(&'static str, bool)], &'static str>>,
        at: usize,
        rounds: usize,
        told: Vec<String>,
    }

    impl Story {
        fn new(
            looks: &[Result<&'static [(&'static str, bool)], &'static str>],
            rounds: usize,
        ) -> Self {
            Self { looks: looks.to_vec(), at: 0, rounds, told: vec![] }
        }
    }

    fn standings(of: &[(&str, bool)]) -> Standings {
        let one = |(name, available): &(&str, bool)| {
            let verdict = if *available { Verdict::Healthy } else { Verdict::Broken };
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

        fn tell(&mut self, name: &str, standing: Option<&HealthSummary>) -> anyhow::Result<()> {
            self.told.push(format!("{name} {:?}", standing.map(|s| s.verdict)));
            Ok(())
        }

        fn complain(&mut self, error: &Error) -> anyhow::Result<()> {
            self.told.push(error.to_string());
            Ok(())
        }
    }

    #[test]
    fn watching_tells_changes_and_survives_failures() {
        let mut story =
            Story::new(&[Ok(&[("a", true)]), Err("no route"), Ok(&[("a", false)]), Ok(&[])], 4);
        watch(&mut story, standings(&[("a", true)])).unwrap();
        assert_eq!(story.told, ["no route", "a Some(Broken)", "a None"]);
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
