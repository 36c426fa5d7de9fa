//! Reduces a plan to the fewest objects that still show a difference.

use crate::cluster::Cluster;
use crate::generate::Plan;

/// How many smaller plans are tried.
const MAX_TRIES: usize = 16;

/// Returns the smallest plan found that shows a difference with this signature.
pub(crate) fn smallest(cluster: &Cluster, plan: &Plan, seed: u64, signature: &str) -> Plan {
    let shows = |plan: &Plan| {
        let result = cluster.round(plan, seed);
        result.is_ok_and(|result| result.signatures().contains(signature))
    };
    reduce(plan, MAX_TRIES, shows)
}

/// Leaves out one object after the other while the rest still `shows` the difference.
fn reduce(plan: &Plan, mut tries: usize, mut shows: impl FnMut(&Plan) -> bool) -> Plan {
    let mut small = plan.clone();
    loop {
        let count = small.setup.len() + small.change.len();
        let smaller = (0..count).find_map(|left_out| {
            let mut candidate = small.clone();
            if left_out < candidate.setup.len() {
                candidate.setup.remove(left_out);
            } else {
                candidate.change.remove(left_out - candidate.setup.len());
            }
            tries = tries.checked_sub(1)?;
            shows(&candidate).then_some(candidate)
        });
        match smaller {
            Some(smaller) => small = smaller,
            None => return small,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::key;

    #[test]
    fn only_what_shows_the_difference_is_left() {
        let plan = (1..).map(Plan::new).find(|plan| plan.setup.len() > 4).unwrap();
        let wanted = key(&plan.setup[2]);
        let small = reduce(&plan, 100, |plan| plan.setup.iter().any(|one| key(one) == wanted));
        assert_eq!((small.setup.len(), small.change.len()), (1, 0));
        assert_eq!(reduce(&plan, 0, |_| true), plan, "without tries, nothing is left out");
    }
}
