//! The filters before the chain: what each makes of a request.

use std::borrow::Cow;
use std::fmt;

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::{Decision, Grant};
use super::impersonation::{self, Impersonation};
use super::modes::Modes;
use super::nearest::NearMiss;
use super::user::User;
use super::{ANONYMOUS, NODES};
use kube_aggregation::flags::sends_uid;
use kube_aggregation::model::{Gap, Snapshot, words};
use kube_aggregation::registry::{Assumption, Fallback, OpenQuestion};
use kube_aggregation::routing::{Outcome, Target};

/// Who sends a request, as far as the server can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// Somebody with credentials of its own, or with none.
    Authenticated(User),
    /// Somebody in the name of another user.
    Impersonated {
        /// Who, where that is known.
        sender: Option<User>,
        /// In whose name.
        user: User,
    },
}

impl Caller {
    /// Whose request it is from impersonation on.
    pub fn user(&self) -> &User {
        match self {
            Self::Authenticated(user) | Self::Impersonated { user, .. } => user,
        }
    }

    /// Who sends it, where that is known.
    pub fn sender(&self) -> Option<&User> {
        match self {
            Self::Authenticated(user) => Some(user),
            Self::Impersonated { sender, .. } => sender.as_ref(),
        }
    }
}

/// The filters of a server, for the requests of one caller.
#[derive(Debug)]
pub struct RequestFilters<'s> {
    authorizer: Authorizer<'s>,
    modes: Modes<'s>,
    caller: Caller,
    snapshot: &'s Snapshot,
}

/// One request's way through the filters.
#[derive(Debug, Clone)]
pub struct FilterOutcome<'a, 's> {
    /// Whose request it is.
    pub caller: &'a Caller,
    /// What it is judged by.
    pub request: Attributes<'a>,
    /// What the authorizers say: of the impersonation, where that ends it.
    pub decision: Decision<'s>,
    /// What else allows it: the server may have named one of these.
    pub also: Vec<Grant<'s>>,
    /// Of a request that is denied: the rule that almost allows it.
    pub nearest: Option<NearMiss<'s>>,
    user: Cow<'a, User>,
    impersonation: Option<Impersonation<'s>>,
    modes: &'a Modes<'s>,
    snapshot: &'s Snapshot,
}

/// What a filter makes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterStep {
    /// Which.
    pub filter: Filter,
    /// What it finds, in words.
    pub says: String,
    /// Whether the request ends here.
    pub stops: bool,
}

words! {
    /// One of the filters.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names are the server's")]
    pub enum Filter {
        RequestInfo = "request-info",
        Authentication = "authentication",
        Impersonation = "impersonation",
        Authorization = "authorization",
    }
}

impl<'s> RequestFilters<'s> {
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

    /// Whether the sender may act in the user's name; none where there is nothing to judge.
    fn impersonation(&self, request: &Attributes<'_>) -> Option<Impersonation<'s>> {
        let Caller::Impersonated { sender: Some(sender), user } = &self.caller else { return None };
        impersonation::judge(self.snapshot, (sender, user), request, |check| {
            self.judge(sender, check)
        })
    }

    /// What the authorizers say of a user's request; where that is denied, the rule that almost
    /// allows it.
    fn judge(&self, user: &User, request: &Attributes<'_>) -> (Decision<'s>, Option<NearMiss<'s>>) {
        let decision = self.modes.decide(&self.authorizer, user, request);
        let nearest = match decision {
            Decision::Denied(_) => self.authorizer.nearest(user, request),
            _ => None,
        };
        (decision, nearest)
    }

    /// What becomes of a request; none where the server cannot tell what it is about.
    pub fn pass<'a>(&'a self, target: &'a Target<'_>) -> Option<FilterOutcome<'a, 's>> {
        let request = Attributes::of(target.info().ok()?, &target.path);
        let impersonation = self.impersonation(&request);
        let user = match impersonation.as_ref().and_then(|one| one.groups.as_ref()) {
            Some(groups) => Cow::Owned(User::new(&*self.caller.user().name, groups)),
            None => Cow::Borrowed(self.caller.user()),
        };
        let (caller, modes, snapshot) = (&self.caller, &self.modes, self.snapshot);
        let (decision, nearest) = match &impersonation {
            Some(one) if !one.decision.is_allowed() => (one.decision.clone(), one.nearest.clone()),
            _ => self.judge(&user, &request),
        };
        let also = match decision {
            Decision::Allowed(_) => self.authorizer.grants(&user, &request).skip(1).collect(),
            _ => vec![],
        };
        Some(FilterOutcome {
            caller,
            request,
            decision,
            also,
            nearest,
            user,
            impersonation,
            modes,
            snapshot,
        })
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

impl FilterOutcome<'_, '_> {
    /// Whether it comes without credentials.
    fn is_anonymous(&self) -> bool {
        self.caller.sender().is_some_and(|sender| sender.name == ANONYMOUS)
    }

    /// Whether authentication refuses: nobody is anonymous on this server. Where everybody may
    /// everything, the server sees to that by itself.
    fn is_unknown_caller(&self) -> bool {
        let switched_off = self.snapshot.flag("anonymous-auth") == Some(Some("false"));
        self.is_anonymous() && (switched_off || self.modes.has("AlwaysAllow"))
    }

    /// Whether the sender may not act in the user's name, or nobody knows.
    fn is_stopped_impersonation(&self) -> bool {
        self.impersonation.as_ref().is_some_and(|one| !one.decision.is_allowed())
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

    /// The filters that the request comes to, in their order, with what each does.
    pub fn steps(&self) -> Vec<FilterStep> {
        let step = |filter, says| FilterStep { filter, says, stops: false };
        let mut steps = vec![
            step(Filter::RequestInfo, self.request.to_string()),
            step(Filter::Authentication, self.authentication()),
        ];
        if !self.is_unknown_caller() {
            steps.push(step(Filter::Impersonation, self.impersonating()));
            if !self.is_stopped_impersonation() {
                steps.push(step(Filter::Authorization, self.to_string()));
            }
        }
        if let (Some(last), true) = (steps.last_mut(), self.end().is_some()) {
            last.stops = true;
        }
        steps
    }

    /// What would be enough for an impersonation that is refused, whatever the server says first.
    pub fn enough(&self) -> Option<String> {
        let denied = matches!(self.decision, Decision::Denied(_));
        (denied && self.is_stopped_impersonation()).then(|| impersonation::rights(&self.user))
    }

    fn authentication(&self) -> String {
        let member = self.caller.sender().map(member);
        match member {
            _ if self.is_unknown_caller() => match self.modes.has("AlwaysAllow") {
                true => "no credentials, which the mode AlwaysAllow does not take: 401".to_owned(),
                false => "no credentials, and --anonymous-auth=false: 401".to_owned(),
            },
            Some(member) if self.is_anonymous() => format!("no credentials: {member}"),
            Some(member) => member,
            None => "whoever sends it".to_owned(),
        }
    }

    fn impersonating(&self) -> String {
        if let Caller::Authenticated(_) = self.caller {
            return "none".to_owned();
        }
        let says = format!("as {}", member(&self.user));
        let Some(one) = &self.impersonation else {
            let may = impersonation::rights(&self.user);
            return format!("{says}; whether the sender may {may} is not judged");
        };
        match (&one.decision, one.decision.reason()) {
            (Decision::Masters, _) => format!("{says}: system:masters may do everything"),
            (Decision::Denied(_), _) => one.message.clone(),
            (Decision::Unknown(_), _) => {
                format!("{says}; not known whether the sender may {}", one.right)
            }
            (_, Some(reason)) => format!("{says}; {reason}"),
            (_, None) => says,
        }
    }

    /// The headers that tell an extension server whose request it is.
    pub fn identity(&self) -> Vec<(&'static str, &str)> {
        let user = &self.user;
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
            |gap: &Gap| Assumption::Missing(gap.clone(), Fallback::Untold(OpenQuestion::WhoMay));
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
        Some(match &self.impersonation {
            Some(one) if self.is_stopped_impersonation() => one.message.clone(),
            _ => self.request.body(&self.user.name, self.decision.reason()),
        })
    }
}

fn member(user: &User) -> String {
    format!("{} in {}", user.name, user.groups.join(", "))
}

/// What the authorizers say, in words.
impl fmt::Display for FilterOutcome<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.decision, self.decision.reason()) {
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
