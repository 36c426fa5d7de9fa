//! The arguments that name the caller of a request, and the filters that judge it.

use clap::Args;

use super::cluster::ClusterArgs;
use aggctl_diagnose::access::{AccessDecision, Caller, FilterOutcome, RequestFilters, User};
use aggctl_diagnose::doctor::quoted;
use kube_aggregation::model::Gap;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Router, Target};

/// The caller of a request.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Caller")]
pub(super) struct CallerArgs {
    /// Check whether this user is allowed to send the request
    ///
    /// Adds the filters before the chain: authentication, impersonation, and authorization by the
    /// roles and bindings of the source. Use system:anonymous for a request without credentials.
    /// aggctl still reads the cluster with your own credentials; --as impersonates the user.
    #[arg(long, value_name = "USER")]
    caller: Option<String>,

    /// Group of the caller (repeatable)
    #[arg(long, value_name = "GROUP", requires = "caller", hide_short_help = true)]
    caller_group: Vec<String>,

    /// User that the caller impersonates
    #[arg(long, value_name = "USER", requires = "caller", hide_short_help = true)]
    caller_as: Option<String>,

    /// Group of the impersonated user (repeatable)
    #[arg(long, value_name = "GROUP", requires = "caller_as", hide_short_help = true)]
    caller_as_group: Vec<String>,

    /// UID of the impersonated user
    #[arg(long, value_name = "UID", requires = "caller_as", hide_short_help = true)]
    caller_as_uid: Option<String>,
}

impl CallerArgs {
    /// Returns the caller: `--caller`, or the user of `--as`.
    pub(super) fn caller(&self, cluster: &ClusterArgs) -> Option<Caller> {
        let Some(sender) = &self.caller else {
            let name = cluster.impersonate.as_ref()?;
            let user = User::new(name, &cluster.impersonate_group);
            let user = user.with_uid(cluster.impersonate_uid.as_ref());
            return Some(Caller::Impersonated { sender: None, user });
        };
        let sender = User::new(sender, &self.caller_group);
        Some(match &self.caller_as {
            None => Caller::Authenticated(sender),
            Some(name) => {
                let user = User::new(name, &self.caller_as_group);
                let user = user.with_uid(self.caller_as_uid.as_ref());
                Caller::Impersonated { sender: Some(sender), user }
            }
        })
    }
}

/// The chain, and the filters before it if there is a caller.
pub(super) struct Handlers<'r, 's> {
    gate: Option<RequestFilters<'s>>,
    proxied_gate: Option<RequestFilters<'s>>,
    pub(super) router: Router<'r>,
}

impl<'r, 's> Handlers<'r, 's> {
    pub(super) fn new(registry: &'r Registry<'s>, caller: Option<&Caller>) -> Self {
        let gate = caller.map(|caller| RequestFilters::new(registry.snapshot, caller.clone()));
        let proxied_gate = caller.map(|caller| {
            let user = Caller::Authenticated(caller.user().clone());
            RequestFilters::new(registry.snapshot, user)
        });
        Self { gate, proxied_gate, router: Router::new(registry) }
    }

    /// Passes a request through the filters of the server, if a caller is known.
    pub(super) fn filters<'a>(&'a self, target: &'a Target<'_>) -> Option<FilterOutcome<'a, 's>> {
        self.gate.as_ref().and_then(|gate| gate.pass(target))
    }

    /// Passes a request that another server proxies through the filters. That server names the user
    /// in headers, so there is no impersonation here.
    pub(super) fn filters_of_proxied<'a>(
        &'a self,
        target: &'a Target<'_>,
    ) -> Option<FilterOutcome<'a, 's>> {
        self.proxied_gate.as_ref().and_then(|gate| gate.pass(target))
    }
}

/// Returns the hint for `--as` a user who may not read the roles that decide.
pub(super) fn impersonation_hint(passage: Option<&FilterOutcome<'_, '_>>) -> Option<String> {
    let unread = |passage: &&FilterOutcome<'_, '_>| matches!(&passage.decision, AccessDecision::Unknown(gaps) if gaps.iter().any(Gap::is_forbidden));
    match passage.filter(unread)?.caller {
        Caller::Impersonated { sender: None, user } => {
            let name = quoted(&user.name);
            Some(format!("use --caller {name} to read the roles with your own credentials"))
        }
        _ => None,
    }
}
