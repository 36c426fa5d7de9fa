//! The rule that comes nearest to allowing what was denied, and by what it misses.

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::Grant;
use super::rule::misses;
use super::user::User;
use kube_aggregation::model::words;

words! {
    /// What a rule or its binding can miss a request by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[expect(missing_docs, reason = "the names are those of what rules have")]
    pub enum Aspect {
        Name = "name",
        Verb = "verb",
        Subresource = "subresource",
        Namespace = "namespace",
        Url = "URL",
        Resource = "resource",
        Group = "group",
    }
}

/// A rule that the user has and that does not allow the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss<'s> {
    /// The rule, and who gives it.
    pub grant: Grant<'s>,
    /// By what it misses.
    pub by: Vec<Aspect>,
}

/// A rule that misses by more than this is another rule.
const FAR: usize = 3;

impl<'s> Authorizer<'s> {
    /// The rule of the user that comes nearest to allowing a request: it misses by the fewest
    /// aspects, and of those by the lightest. A rule for a resource is never near a path.
    pub fn nearest(&self, user: &User, request: &Attributes<'_>) -> Option<NearMiss<'s>> {
        let mut spaces: Vec<&str> = self.index().all().map(|b| b.namespace.as_str()).collect();
        spaces.dedup();
        let mut best: Option<NearMiss<'s>> = None;
        let about = spaces.into_iter().flat_map(|space| self.index().about(user, space));
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
                    // What is neither about the resource nor the group is another rule.
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
