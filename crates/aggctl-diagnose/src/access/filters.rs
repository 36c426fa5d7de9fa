//! The request filters that run before the server chain: authentication, impersonation and
//! authorization.

use std::borrow::Cow;
use std::fmt;

use super::attributes::Attributes;
use super::authorizer::Authorizer;
use super::decision::{AccessDecision, Grant};
use super::impersonation::{self, Impersonation};
use super::modes::Modes;
use super::nearest::NearMiss;
use super::user::{ANONYMOUS, NODES, User};
use kube_aggregation::flags::sends_uid;
use kube_aggregation::model::{Gap, Snapshot, words};
use kube_aggregation::registry::{Assumption, Fallback, OpenQuestion};
use kube_aggregation::routing::{Outcome, Target};

/// The sender of a request, and the user it acts as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A user with credentials, or the anonymous user.
    Authenticated(User),
    /// A sender that acts as another user.
    Impersonated {
        /// The sender, if known.
        sender: Option<User>,
        /// The impersonated user.
        user: User,
    },
}

impl Caller {
    /// Returns the user that the request is authorized for.
    pub fn user(&self) -> &User {
        match self {
            Self::Authenticated(user) | Self::Impersonated { user, .. } => user,
        }
    }

    /// Returns the sender, if known.
    pub fn sender(&self) -> Option<&User> {
        match self {
            Self::Authenticated(user) => Some(user),
            Self::Impersonated { sender, .. } => sender.as_ref(),
        }
    }
}

/// The filters of one server, applied to the requests of one caller.
#[derive(Debug)]
pub struct RequestFilters<'s> {
    authorizer: Authorizer<'s>,
    modes: Modes<'s>,
    caller: Caller,
    snapshot: &'s Snapshot,
}

/// The result of applying the filters to one request.
#[derive(Debug, Clone)]
pub struct FilterOutcome<'a, 's> {
    /// The caller of the request.
    pub caller: &'a Caller,
    /// The attributes by which the request is authorized.
    pub request: Attributes<'a>,
    /// The decision of the authorizers. If the impersonation ends the request, it is the decision
    /// about that.
    pub decision: AccessDecision<'s>,
    /// Other grants that allow the request. The server may name one of these instead.
    pub also: Vec<Grant<'s>>,
    /// The rule that almost allows a denied request.
    pub nearest: Option<NearMiss<'s>>,
    user: Cow<'a, User>,
    impersonation: Option<Impersonation<'s>>,
    modes: &'a Modes<'s>,
    snapshot: &'s Snapshot,
}

/// The result of one filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterStep {
    /// The filter.
    pub filter: Filter,
    /// What the filter finds, as a phrase.
    pub says: String,
    /// Whether the request ends here.
    pub stops: bool,
}

words! {
    /// One of the request filters.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Filter {
        RequestInfo = "request-info",
        Authentication = "authentication",
        Impersonation = "impersonation",
        Authorization = "authorization",
    }
}

impl<'s> RequestFilters<'s> {
    /// Creates the filters of the server that a snapshot describes.
    pub fn new(snapshot: &'s Snapshot, caller: Caller) -> Self {
        let authorizer = Authorizer::new(&snapshot.rbac);
        Self { authorizer, modes: Modes::of(snapshot), caller, snapshot }
    }

    /// Decides a request of the caller.
    pub fn decide(&self, request: &Attributes<'_>) -> AccessDecision<'s> {
        self.modes.decide(&self.authorizer, self.caller.user(), request)
    }

    /// Finds the caller's rule that comes nearest to allowing a request.
    pub fn nearest(&self, request: &Attributes<'_>) -> Option<NearMiss<'s>> {
        self.authorizer.nearest(self.caller.user(), request)
    }

    /// Decides whether the sender may act as the user; `None` without a known sender that
    /// impersonates.
    fn impersonation(&self, request: &Attributes<'_>) -> Option<Impersonation<'s>> {
        let Caller::Impersonated { sender: Some(sender), user } = &self.caller else { return None };
        impersonation::decide(self.snapshot, (sender, user), request, |check| {
            self.decide_with_hint(sender, check)
        })
    }

    /// Decides a user's request, and finds the rule that almost allows a denied one.
    fn decide_with_hint(
        &self,
        user: &User,
        request: &Attributes<'_>,
    ) -> (AccessDecision<'s>, Option<NearMiss<'s>>) {
        let decision = self.modes.decide(&self.authorizer, user, request);
        let nearest = match decision {
            AccessDecision::Denied(_) => self.authorizer.nearest(user, request),
            _ => None,
        };
        (decision, nearest)
    }

    /// Applies the filters; `None` if the server cannot parse the request.
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
            _ => self.decide_with_hint(&user, &request),
        };
        let also = match decision {
            AccessDecision::Allowed(_) => self.authorizer.grants(&user, &request).skip(1).collect(),
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

/// Returns what an answer based on RBAC alone assumes.
pub fn rbac_alone(snapshot: &Snapshot) -> Option<Assumption> {
    Modes::of(snapshot).assumption()
}

/// Returns whether RBAC decides, as far as the flags show.
pub fn rbac_decides(snapshot: &Snapshot) -> bool {
    Modes::of(snapshot).asks_rbac()
}

impl FilterOutcome<'_, '_> {
    /// Returns whether the request has no credentials.
    fn is_anonymous(&self) -> bool {
        self.caller.sender().is_some_and(|sender| sender.name == ANONYMOUS)
    }

    /// Returns whether authentication rejects an anonymous request. A server in mode AlwaysAllow
    /// disables anonymous requests.
    fn is_refused_anonymous(&self) -> bool {
        self.is_anonymous() && (self.is_anonymous_auth_off() || self.modes.has("AlwaysAllow"))
    }

    fn is_anonymous_auth_off(&self) -> bool {
        self.snapshot.flag("anonymous-auth") == Some(Some("false"))
    }

    /// Returns whether the impersonation is denied or cannot be decided.
    fn is_stopped_impersonation(&self) -> bool {
        self.impersonation.as_ref().is_some_and(|one| !one.decision.is_allowed())
    }

    /// Returns the outcome and possible statuses of a request that may end here; `None` if it
    /// continues.
    pub fn end(&self) -> Option<(Outcome, &'static [u16])> {
        if self.is_refused_anonymous() {
            return Some((Outcome::Unauthorized, &[401]));
        }
        match self.decision {
            AccessDecision::Masters
            | AccessDecision::Allowed(_)
            | AccessDecision::AlwaysAllowed => None,
            AccessDecision::Denied(_) => Some((Outcome::Forbidden, &[403])),
            AccessDecision::Unknown(_) => Some((Outcome::Unknown, &[200, 403])),
        }
    }

    /// Returns the filters that the request reaches, in order.
    pub fn steps(&self) -> Vec<FilterStep> {
        let step = |filter, says| FilterStep { filter, says, stops: false };
        let mut steps = vec![
            step(Filter::RequestInfo, self.request.to_string()),
            step(Filter::Authentication, self.authentication()),
        ];
        if !self.is_refused_anonymous() {
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

    /// Returns whether authentication rejects the request, so that nothing authorizes it.
    pub fn is_unauthenticated(&self) -> bool {
        matches!(self.end(), Some((Outcome::Unauthorized, _)))
    }

    /// Returns the rights that would allow a denied impersonation. They suffice for every mode of
    /// the server.
    pub fn enough(&self) -> Option<String> {
        let denied = matches!(self.decision, AccessDecision::Denied(_));
        (denied && self.is_stopped_impersonation()).then(|| impersonation::rights(&self.user))
    }

    fn authentication(&self) -> String {
        let member = self.caller.sender().map(member);
        match member {
            _ if self.is_refused_anonymous() => match self.is_anonymous_auth_off() {
                true => {
                    "no credentials, and --anonymous-auth=false rejects them with 401".to_owned()
                }
                false => "no credentials, which the mode AlwaysAllow rejects with 401".to_owned(),
            },
            Some(member) if self.is_anonymous() => format!("no credentials: {member}"),
            Some(member) => member,
            None => "any caller".to_owned(),
        }
    }

    fn impersonating(&self) -> String {
        if let Caller::Authenticated(_) = self.caller {
            return "none".to_owned();
        }
        let says = format!("as {}", member(&self.user));
        let Some(one) = &self.impersonation else {
            let may = impersonation::rights(&self.user);
            return format!("{says}; not checked whether the sender may {may}");
        };
        match (&one.decision, one.decision.reason()) {
            (AccessDecision::Masters, _) => format!("{says}: system:masters may do everything"),
            (AccessDecision::Denied(_), _) => one.message.clone(),
            (AccessDecision::Unknown(_), _) => {
                format!("{says}; unknown whether the sender may {}", one.right)
            }
            (_, Some(reason)) => format!("{says}; {reason}"),
            (_, None) => says,
        }
    }

    /// Returns the headers that identify the user to an extension server.
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

    /// Returns the assumptions of the decision.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let missing =
            |gap: &Gap| Assumption::Missing(gap.clone(), Fallback::Untold(OpenQuestion::WhoMay));
        let file = self.snapshot.flag("authentication-config").flatten().unwrap_or_default();
        let mut found: Vec<Assumption> = match &self.decision {
            AccessDecision::Masters | AccessDecision::AlwaysAllowed => vec![],
            AccessDecision::Unknown(gaps) => gaps.iter().map(missing).collect(),
            AccessDecision::Allowed(_) | AccessDecision::Denied(_) => {
                self.modes.assumption().into_iter().collect()
            }
        };
        if self.is_anonymous() && !file.is_empty() {
            found.push(Assumption::AnonymousTaken);
        }
        found
    }

    /// Returns the response body of a denied request, in the server's words.
    pub fn forbidden(&self) -> Option<String> {
        let AccessDecision::Denied(_) = &self.decision else { return None };
        Some(match &self.impersonation {
            Some(one) if self.is_stopped_impersonation() => one.message.clone(),
            _ => self.request.body(&self.user.name, self.decision.reason()),
        })
    }
}

fn member(user: &User) -> String {
    format!("{} in {}", user.name, user.groups.join(", "))
}

impl fmt::Display for FilterOutcome<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.decision, self.decision.reason()) {
            (AccessDecision::Masters, _) => {
                f.write_str("allowed: members of system:masters can do everything")
            }
            (AccessDecision::AlwaysAllowed, _) => {
                f.write_str("allowed: the server's mode is AlwaysAllow")
            }
            (AccessDecision::Denied(_), Some(reason)) => write!(f, "no rule allows it; {reason}"),
            (AccessDecision::Denied(_), None) => f.write_str("no rule allows it"),
            (_, Some(reason)) => f.write_str(&reason),
            (AccessDecision::Unknown(gaps), _) if gaps.is_empty() => match self.modes.unseen() {
                Some(mode) => write!(f, "unknown: the authorizer {mode} also decides"),
                None => write!(
                    f,
                    "no rule allows it, but the Node authorizer may: {NODES} is its group"
                ),
            },
            (AccessDecision::Unknown(_), _) | (AccessDecision::Allowed(_), None) => f.write_str(
                "unknown: no rule in the source allows it, but the source does not have all rules",
            ),
        }
    }
}
