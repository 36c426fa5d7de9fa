//! Finds the rule that comes nearest to allowing a denied request.

use std::fmt;

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::Grant;
use super::rule::{Aspect, misses};
use super::user::User;

/// A rule of the user that almost allows a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss<'s> {
    /// The rule, and the binding that grants it.
    pub grant: Grant<'s>,
    /// The aspects in which the rule does not match the request.
    pub by: Vec<Aspect>,
}

/// A rule with this number of mismatches is too far off to report.
const FAR: usize = 3;

impl<'s> Authorizer<'s> {
    /// Finds the rule with the fewest mismatches; on a tie, the one with the least severe ones. A
    /// rule for resources is never near a path.
    pub fn nearest(&self, user: &User, request: &Attributes<'_>) -> Option<NearMiss<'s>> {
        let mut spaces: Vec<&str> = self.index().all().map(|b| b.namespace.as_str()).collect();
        spaces.dedup();
        let mut best: Option<NearMiss<'s>> = None;
        let about = spaces.into_iter().flat_map(|space| self.index().matching(user, space));
        for (binding, subject) in about {
            let elsewhere =
                !binding.namespace.is_empty() && binding.namespace != request.namespace();
            for rule in self.rules(binding).unwrap_or_default() {
                let mut by = misses(rule, request);
                if elsewhere {
                    by.push(Aspect::Namespace);
                }
                by.sort_unstable();
                let comparable = match request {
                    Attributes::Url { .. } => !rule.urls.is_empty() && by.len() == 1,
                    // A rule that matches neither the resource nor the group is unrelated.
                    Attributes::Resource(_) => {
                        let other =
                            [Aspect::Resource, Aspect::Group].iter().all(|a| by.contains(a));
                        !rule.resources.is_empty() && !other && (1..FAR).contains(&by.len())
                    }
                };
                let nearer =
                    best.as_ref().is_none_or(|best| (by.len(), &by) < (best.by.len(), &best.by));
                if comparable && nearer {
                    best = Some(NearMiss { grant: Grant { binding, subject, rule }, by });
                }
            }
        }
        best
    }
}

/// Formats as `differs in the verb: get pods of the core group, by …`.
impl fmt::Display for NearMiss<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by: Vec<&str> = self.by.iter().map(|aspect| aspect.as_str()).collect();
        let (rule, grant) = (self.grant.rule(), &self.grant);
        write!(f, "differs in the {}: {rule}, by {grant}", by.join(" and the "))
    }
}
