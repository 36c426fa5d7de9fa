//! Computes what a client would request, with and without its cache.

use super::ClientArgs;
use crate::cli::driver::Facts;
use crate::cli::output::Reply;
use crate::render::{ClientAnswer, KubectlVersion, Routed, Suggestion, parse_target};
use aggctl_client::{
    Command, DiscoveryCache, Kubectl, ManifestObject, Missing, Prediction, Refusal,
    ServerDiscovery, disagreements, predict, predict_manifest, similar,
};
use aggctl_source::clock;
use kube_aggregation::discovery::page;
use kube_aggregation::model::{DiscoveryForm, Freshness, GroupVersion};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Outcome, Router};

/// Returns what the documents of the server assume.
pub(super) fn assumptions(facts: &Facts<'_>, kubectl: Kubectl) -> Vec<String> {
    let server = ServerDiscovery::of(&facts.registry, kubectl);
    let mut assumptions = vec![];
    if server.aggregated.is_some() {
        let page = page(&facts.registry, "/apis", DiscoveryForm::Aggregated, false);
        let assumed = page.into_iter().flat_map(|page| page.assumed);
        assumptions.extend(assumed.map(|one| one.to_string()));
        return assumptions;
    }
    let unknown: Vec<&str> = server.unknown().collect();
    if !unknown.is_empty() {
        let which = crate::render::enumerate(&unknown, 3);
        assumptions.push(format!("the source lacks the resources of {which}"));
    }
    assumptions
}

/// What to predict: a `kubectl get`, or one object of a manifest.
enum Question<'a> {
    Get(Command),
    Apply(&'a ManifestObject),
}

pub(super) fn answer(
    args: &ClientArgs,
    facts: &Facts<'_>,
    cache: Option<&DiscoveryCache>,
    kubectl: KubectlVersion,
    objects: Option<&[ManifestObject]>,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    let namespace = args.namespace(facts);
    let questions: Vec<Question<'_>> = match objects {
        Some(objects) => objects.iter().map(Question::Apply).collect(),
        None => vec![Question::Get(Command {
            arguments: args.types()?.to_vec(),
            namespace: namespace.clone(),
        })],
    };
    let server = ServerDiscovery::of(&facts.registry, kubectl.used);
    let router = Router::new(&facts.registry);
    let now = clock::now();
    let differences = cache.map(|cache| disagreements(cache, &server, kubectl.used, now));
    for question in questions {
        let predicted = |cache: Option<&DiscoveryCache>| -> Prediction {
            match &question {
                Question::Get(command) => predict(cache, &server, kubectl.used, now, command),
                Question::Apply(object) => {
                    let object = with_namespace(object, &namespace);
                    predict_manifest(cache, &server, kubectl.used, now, &object)
                }
            }
        };
        let prediction = predicted(cache);
        let without = cache.map(|_| predicted(None));
        let mut targets = vec![];
        for request in &prediction.requests {
            targets.push(parse_target(Method::Get, &request.path)?);
        }
        let routes: Vec<Routed<'_>> = (targets.iter())
            .map(|target| {
                let route = router.route(target);
                let mut suggestion = Suggestion::default();
                if route.outcome == Outcome::NotFound {
                    suggestion.served = router.served(&route);
                }
                let remarks = router.remarks(&route, false);
                let origin = &facts.snapshot().origin;
                Routed { origin, route, remarks, suggestion, passage: None, peers: None, now: None }
            })
            .collect();
        let command = match &question {
            Question::Get(command) => {
                let scope = if args.all_namespaces { " -A" } else { "" };
                let named = args.namespace.as_ref().map(|name| format!(" -n {name}"));
                let words = command.arguments.join(" ");
                format!("kubectl get {words}{scope}{}", named.unwrap_or_default())
            }
            Question::Apply(object) => {
                format!("kubectl apply: {} {} {:?}", object.group_version, object.kind, object.name)
            }
        };
        let unknown = prediction.refusal.as_ref().and_then(unknown);
        let unknown = unknown.map(|missing| {
            let similar = similar(&missing, &server);
            (missing, similar)
        });
        let unseen = match &unknown {
            Some((Missing::Type(word), _)) => unseen(&facts.registry, word),
            _ => vec![],
        };
        reply.answer(&ClientAnswer {
            unknown,
            unseen,
            command,
            is_apply: matches!(question, Question::Apply(_)),
            kubectl,
            cache,
            form: server.aggregated,
            refused: server.refused().collect(),
            prediction: &prediction,
            without: without.as_ref(),
            disagreements: differences.as_ref(),
            routes: &routes,
            now,
            same: &facts.same,
            meta: facts.meta(),
        })?;
    }
    Ok(())
}

/// Returns the group versions whose resources kubectl does not see, of the group of `word` if it
/// names one.
fn unseen<'r>(registry: &'r Registry<'_>, word: &str) -> Vec<&'r GroupVersion> {
    let group = word.split_once('.').map(|(_, group)| group);
    let services = registry.api_services().filter(|(service, _)| {
        let gv = &service.group_version;
        let is_meant = group.is_none_or(|group| group == gv.group || group == service.name);
        let listed = registry.aggregated_version(gv);
        let is_stale = listed.is_some_and(|version| version.freshness == Freshness::Stale);
        is_meant && (!service.is_available() || is_stale)
    });
    services.map(|(service, _)| &service.group_version).collect()
}

/// Returns the name that no document has, if that is why kubectl sends no request.
fn unknown(refusal: &Refusal) -> Option<Missing> {
    match refusal {
        Refusal::UnknownResource { resource, group } if group.is_empty() => {
            Some(Missing::Type(resource.clone()))
        }
        Refusal::UnknownResource { resource, group } => {
            Some(Missing::Type(format!("{resource}.{group}")))
        }
        Refusal::UnknownKind { group_version, kind } => {
            let (group_version, kind) = (group_version.clone(), kind.clone());
            Some(Missing::Kind { group_version, kind })
        }
        _ => None,
    }
}

fn with_namespace(object: &ManifestObject, namespace: &str) -> ManifestObject {
    let mut object = object.clone();
    if object.namespace.is_empty() {
        object.namespace = namespace.to_owned();
    }
    object
}
