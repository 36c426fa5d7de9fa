//! Answers requests for lists and single objects.

use std::borrow::Cow;

use super::message::{JSON, Response, json_line};
use super::object::{Item, ObjectRequest};
use super::server::{Call, Replay};
use super::{accept, status};
use kube_aggregation::model::{AGGREGATOR_GROUP, Crd, EXTENSIONS_GROUP};

/// Which of the requested objects the source does not have, and the warning about it.
enum Lack {
    Some(String),
    All(String),
    /// The objects are there, but in another version.
    Version(String),
}

impl Replay<'_> {
    /// Answers a request for objects.
    pub(super) fn resource(
        &self,
        call: Call<'_>,
        api_version: &str,
        crd: Option<&Crd>,
    ) -> Response {
        let Some(info) = call.route.info() else { return status::not_found() };
        let Some(kind) = self.kind_of(&info, crd) else { return status::not_found() };
        let accept = &call.request.accept;
        if !accept::takes(accept, JSON) && !accept::table(accept) {
            return status::not_acceptable(JSON);
        }
        let asked = ObjectRequest { call, info, api_version, kind: &kind, crd };
        // Some requests fail for any object: the name is invalid, or the subresource does not exist.
        match call.route.status {
            [400] => return status::invalid_name(&asked.info.name),
            [404] => {
                return status::no_object(asked.info.group, asked.info.resource, &asked.info.name);
            }
            _ => {}
        }
        let answer = match asked.info.verb {
            "watch" => self.watch(&asked),
            "list" => self.list(&asked),
            _ => Ok(self.get(&asked)),
        };
        let response = answer.unwrap_or_else(|refusal| refusal);
        match self.lacks(&asked) {
            Some(Lack::All(text)) => response.not_collected(&text),
            Some(Lack::Some(text)) => response.partly_collected(&text),
            Some(Lack::Version(text)) => response.warn(&text),
            None => response,
        }
    }

    /// Returns which objects the source does not have.
    fn lacks(&self, asked: &ObjectRequest<'_>) -> Option<Lack> {
        let resource = asked.info.resource;
        if (asked.api_version, asked.kind) == ("v1", "Secret") {
            return Some(Lack::All("aggctl does not serve Secrets".to_owned()));
        }
        if let Some(crd) = asked.crd
            && self.versions(asked, crd).any(|version| version != asked.api_version)
            && self.conversion(crd).as_deref() != Some("None")
        {
            let text = format!("{resource}: shown as collected, not converted to this version");
            return Some(Lack::Version(text));
        }
        let objects = &self.registry.snapshot.objects;
        let modelled = self.modelled(asked);
        let known = objects.knows(asked.api_version, asked.kind)
            || modelled.is_some()
            || asked.crd.is_some_and(|crd| self.versions(asked, crd).next().is_some());
        let is_complete = || match (modelled, asked.crd) {
            (Some(all), _) => all,
            (None, Some(crd)) => {
                let mut versions = self.versions(asked, crd);
                versions.any(|version| objects.is_complete(&version, asked.kind))
            }
            (None, None) => objects.is_complete(asked.api_version, asked.kind),
        };
        match asked.kind {
            _ if known && asked.info.verb == "get" => None,
            _ if known && is_complete() => None,
            _ if known => Some(Lack::Some(format!("only some {resource} are in the source"))),
            "Namespace" => {
                let text = "no namespaces in the source; inferred from other objects";
                Some(Lack::All(text.to_owned()))
            }
            _ => {
                let text = format!("no {resource} in the source: they were not collected");
                Some(Lack::All(text))
            }
        }
    }

    /// Returns whether the model has all objects of the kind; `None` for kinds that it does not
    /// have, or that were not collected.
    fn modelled(&self, asked: &ObjectRequest<'_>) -> Option<bool> {
        let snapshot = self.registry.snapshot;
        match (asked.info.group, asked.kind) {
            (AGGREGATOR_GROUP, "APIService") => Some(self.registry.api_services_complete),
            (EXTENSIONS_GROUP, "CustomResourceDefinition") => {
                snapshot.crds.is_loaded().then_some(snapshot.crds_complete)
            }
            _ => None,
        }
    }

    /// Returns whether it is the ConfigMap that identifies the front proxy, and the source does not
    /// have it.
    fn is_unknown_front_proxy(&self, asked: &ObjectRequest<'_>) -> bool {
        let snapshot = self.registry.snapshot;
        let place = (asked.kind, asked.info.namespace, &*asked.info.name);
        place == ("ConfigMap", "kube-system", "extension-apiserver-authentication")
            && !snapshot.objects.knows(asked.api_version, asked.kind)
            && !snapshot.front_proxy.is_loaded()
    }

    fn list(&self, asked: &ObjectRequest<'_>) -> Result<Response, Response> {
        let (items, selector) = self.selected(asked)?;
        let from = match &*asked.parameter("continue") {
            "" => 0,
            token => self.position(token, &items)?,
        };
        let limit = asked.parameter("limit").parse::<usize>().ok();
        let limit = limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX);
        let left = items.get(from..).unwrap_or_default();
        let (page, rest) = left.split_at(limit.min(left.len()));
        let mut metadata = serde_json::json!({"resourceVersion": self.revision.to_string()});
        if let (Some(last), false) = (page.last(), rest.is_empty()) {
            let token = format!("{}/{}/{}", self.revision, last.namespace, last.name);
            metadata["continue"] = token.into();
            if selector.is_empty() {
                metadata["remainingItemCount"] = rest.len().into();
            }
        }
        if let Some(tables) = self.wanted_tables(asked) {
            return Ok(Response::json(200, json_line(&tables.table(page, &metadata, true))));
        }
        let list_kind = asked.crd.map(|crd| crd.accepted.list_kind.as_str());
        let list_kind = list_kind.filter(|kind| !kind.is_empty()).map(Cow::Borrowed);
        let list_kind = list_kind.unwrap_or_else(|| format!("{}List", asked.kind).into());
        let head = serde_json::json!({
            "kind": list_kind, "apiVersion": asked.api_version, "metadata": metadata,
        });
        let mut body = head.to_string();
        body.pop();
        body.push_str(",\"items\":[");
        for (index, item) in page.iter().enumerate() {
            body.push_str(if index == 0 { "" } else { "," });
            body.push_str(&item.json);
        }
        body.push_str("]}\n");
        Ok(Response::json(200, body.into()))
    }

    /// Returns where a list continues: after the object that the token names.
    fn position(&self, token: &str, items: &[Item<'_>]) -> Result<usize, Response> {
        let mut parts = token.splitn(3, '/');
        let (Some(revision), Some(namespace), Some(name)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(status::bad_request("continue key is not valid"));
        };
        if revision != self.revision.to_string() {
            return Err(status::expired());
        }
        Ok(items.partition_point(|item| (item.namespace, item.name) <= (namespace, name)))
    }

    fn get(&self, asked: &ObjectRequest<'_>) -> Response {
        let info = &asked.info;
        if (info.group, info.resource, info.subresource) == ("", "services", "proxy") {
            return self.service_proxy(asked);
        }
        let all = self.all(asked);
        let found = all.iter().find(|item| {
            let namespaced = !item.namespace.is_empty();
            item.name == info.name && (!namespaced || item.namespace == info.namespace)
        });
        match (found, info.subresource) {
            // A 404 would say that the object does not exist.
            (None, _) if self.is_unknown_front_proxy(asked) => status::not_in_source(&format!(
                "the ConfigMap {}/{} is not in the source",
                info.namespace, info.name
            )),
            (None, _) => status::no_object(info.group, info.resource, &info.name),
            (Some(item), "" | "status") => match self.wanted_tables(asked) {
                Some(tables) => {
                    let metadata = &item.value()["metadata"]["resourceVersion"];
                    let metadata = serde_json::json!({"resourceVersion": metadata});
                    let table = tables.table(std::slice::from_ref(item), &metadata, true);
                    Response::json(200, json_line(&table))
                }
                None => Response::json(200, format!("{}\n", item.json).into()),
            },
            (Some(_), subresource) => status::unavailable(&format!(
                "the {subresource} of {} {} is not in the source",
                info.resource, info.name
            )),
        }
    }
}
