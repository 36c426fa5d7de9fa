//! The filters before the chain: what each makes of a request.

use std::fmt;

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::{Decision, Grant};
use super::modes::Modes;
use super::nearest::NearMiss;
use super::user::User;
use super::{ANONYMOUS, NODES};
use crate::flags::sends_uid;
use crate::model::{Gap, Snapshot};
use crate::registry::{Assumption, Instead, Question};
use crate::routing::{Outcome, Target};

/// Who sends a request, as far as the server can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Somebody with credentials of its own, or with none.
    Authenticated(User),
    /// Somebody else, in the name of this user.
    Impersonated(User),
}

impl Caller {
    /// Whose request it is from impersonation on.
    pub fn user(&self) -> &User {
        match self {
            Self::Authenticated(user) | Self::Impersonated(user) => user,
        }
    }
}

/// The filters of a server, for the requests of one caller.
#[derive(Debug)]
pub struct Gate<'s> {
    authorizer: Authorizer<'s>,
    modes: Modes<'s>,
    caller: Caller,
    snapshot: &'s Snapshot,
}

/// One request's way through the filters.
#[derive(Debug, Clone)]
pub struct Passage<'a, 's> {
    /// Whose request it is.
    pub caller: &'a Caller,
    /// What it is judged by.
    pub request: Attributes<'a>,
    /// What the authorizers say.
    pub decision: Decision<'s>,
    /// What else allows it: the server may have named one of these.
    pub also: Vec<Grant<'s>>,
    /// Of a request that is denied: the rule that almost allows it.
    pub nearest: Option<NearMiss<'s>>,
    modes: &'a Modes<'s>,
    snapshot: &'s Snapshot,
}

/// One of the filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the server's")]
pub enum Filter {
    RequestInfo,
    Authentication,
    Impersonation,
    Authorization,
}

impl Filter {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequestInfo => "request info",
            Self::Authentication => "authentication",
            Self::Impersonation => "impersonation",
            Self::Authorization => "authorization",
        }
    }

    /// The word of the JSON contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::RequestInfo => "request-info",
            other => other.as_str(),
        }
    }
}

impl<'s> Gate<'s> {
    /// The filters of the server that a snapshot is of.
    pub fn new(snapshot: &'s Snapshot, caller: Caller) -> Self {
        let authorizer = Authorizer::new(&snapshot.rbac);
        Self { authorizer, modes: Modes::of(snapshot), caller, snapshot }
    }

    /// What the authorizers say of a request of the caller.
    pub fn decide(&self, request: &Attributes<'_>) -> Decision<'s> {
        self.modes.decide(&self.authorizer, self.caller.user(), request)
    }

    /// The rule of the caller that comes nearest to allowing a request.
    pub fn nearest(&self, request: &Attributes<'_>) -> Option<NearMiss<'s>> {
        self.authorizer.nearest(self.caller.user(), request)
    }

    /// What becomes of a request; none where the server cannot tell what it is about.
    pub fn pass<'a>(&'a self, target: &'a Target<'_>) -> Option<Passage<'a, 's>> {
        let request = Attributes::of(target.info().ok()?, &target.path);
        let user = self.caller.user();
        let decision = self.decide(&request);
        let also = match decision {
            Decision::Allowed(_) => self.authorizer.grants(user, &request).skip(1).collect(),
            _ => vec![],
        };
        let nearest = match decision {
            Decision::Denied(_) => self.nearest(&request),
            _ => None,
        };
        let (caller, modes, snapshot) = (&self.caller, &self.modes, self.snapshot);
        Some(Passage { caller, request, decision, also, nearest, modes, snapshot })
    }
}

/// What an answer about who may rests on beside roles and bindings.
pub fn rbac_alone(snapshot: &Snapshot) -> Option<Assumption> {
    Modes::of(snapshot).assumption()
}

/// Whether roles and bindings decide, as far as is known.
pub fn rbac_decides(snapshot: &Snapshot) -> bool {
    Modes::of(snapshot).asks_rbac()
}

impl Passage<'_, '_> {
    /// Whether it comes without credentials.
    fn is_anonymous(&self) -> bool {
        matches!(self.caller, Caller::Authenticated(user) if user.name == ANONYMOUS)
    }

    /// Whether authentication refuses: nobody is anonymous on this server. Where everybody may
    /// everything, the server sees to that by itself.
    fn is_unknown_caller(&self) -> bool {
        let switched_off = self.snapshot.flag("anonymous-auth") == Some(Some("false"));
        self.is_anonymous() && (switched_off || self.modes.has("AlwaysAllow"))
    }

    /// How the request ends here, where it does not simply go on.
    pub fn end(&self) -> Option<(Outcome, &'static [u16])> {
        if self.is_unknown_caller() {
            return Some((Outcome::Unauthorized, &[401]));
        }
        match self.decision {
            Decision::Masters | Decision::Allowed(_) | Decision::AlwaysAllowed => None,
            Decision::Denied(_) => Some((Outcome::Forbidden, &[403])),
            Decision::Unknown(_) => Some((Outcome::Unknown, &[200, 403])),
        }
    }

    /// The filters, in their order, with what each does.
    pub fn filters(&self) -> [(Filter, String); 4] {
        let user = self.caller.user();
        let member = format!("{} in {}", user.name, user.groups.join(", "));
        let (authentication, impersonation) = match self.caller {
            _ if self.is_unknown_caller() => {
                let why = match self.modes.has("AlwaysAllow") {
                    true => "no credentials, which the mode AlwaysAllow does not take: 401",
                    false => "no credentials, and --anonymous-auth=false: 401",
                };
                (why.to_owned(), "not reached".to_owned())
            }
            _ if self.is_anonymous() => (format!("no credentials: {member}"), "none".to_owned()),
            Caller::Authenticated(_) => (member, "none".to_owned()),
            Caller::Impersonated(user) => {
                let may = user.impersonation();
                let says = format!("as {member}; whether the sender may {may} is not judged");
                ("whoever sends it".to_owned(), says)
            }
        };
        [
            (Filter::RequestInfo, self.request.to_string()),
            (Filter::Authentication, authentication),
            (Filter::Impersonation, impersonation),
            (Filter::Authorization, self.to_string()),
        ]
    }

    /// The headers that tell an extension server whose request it is.
    pub fn identity(&self) -> Vec<(&'static str, &str)> {
        let user = self.caller.user();
        let mut headers = vec![("X-Remote-User", user.name.as_str())];
        let gates = self.snapshot.flag("feature-gates").flatten().unwrap_or_default();
        let sends_uid = sends_uid(gates, self.snapshot.minor());
        if let Some(uid) = user.uid.as_deref().filter(|_| sends_uid) {
            headers.push(("X-Remote-Uid", uid));
        }
        headers.extend(user.groups.iter().map(|group| ("X-Remote-Group", group.as_str())));
        headers
    }

    /// What the decision rests on that is not there.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let untold =
            |gap: &Gap| Assumption::Missing(gap.clone(), Instead::Untold(Question::WhoMay));
        let file = self.snapshot.flag("authentication-config").flatten().unwrap_or_default();
        let mut found: Vec<Assumption> = match &self.decision {
            Decision::Masters | Decision::AlwaysAllowed => vec![],
            Decision::Unknown(gaps) => gaps.iter().map(untold).collect(),
            Decision::Allowed(_) | Decision::Denied(_) => {
                self.modes.assumption().into_iter().collect()
            }
        };
        if self.is_anonymous() && !file.is_empty() {
            found.push(Assumption::AnonymousTaken);
        }
        found
    }

    /// The body of the answer to a request that is denied, in the server's words.
    pub fn forbidden(&self) -> Option<String> {
        let Decision::Denied(_) = &self.decision else { return None };
        let message = self.request.forbidden(&self.caller.user().name);
        Some(match self.decision.reason() {
            Some(reason) => format!("{message}: {reason}"),
            None => message,
        })
    }
}

/// What the authorizers say, in words.
impl fmt::Display for Passage<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.decision, self.decision.reason()) {
            _ if self.is_unknown_caller() => f.write_str("not asked"),
            (Decision::Masters, _) => f.write_str("allowed: system:masters may do everything"),
            (Decision::AlwaysAllowed, _) => {
                f.write_str("allowed: the server's mode is AlwaysAllow")
            }
            (Decision::Denied(_), Some(reason)) => write!(f, "no rule allows it; {reason}"),
            (Decision::Denied(_), None) => f.write_str("no rule allows it"),
            (_, Some(reason)) => f.write_str(&reason),
            (Decision::Unknown(gaps), _) if gaps.is_empty() => match self.modes.untold() {
                Some(mode) => write!(f, "not known: the authorizer {mode} is asked too"),
                None => write!(
                    f,
                    "no rule allows it, but the Node authorizer may: {NODES} is its group"
                ),
            },
            (Decision::Unknown(_), _) | (Decision::Allowed(_), None) => {
                f.write_str("not known: no rule of the source allows it, but not all are there")
            }
        }
    }
}

/// Why a rule does not allow the request: `misses by the verb: get pods of the core group, by …`.
impl fmt::Display for NearMiss<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by: Vec<&str> = self.by.iter().map(|aspect| aspect.as_str()).collect();
        let (rule, grant) = (self.grant.rule(), &self.grant);
        write!(f, "misses by the {}: {rule}, by {grant}", by.join(" and the "))
    }
}
