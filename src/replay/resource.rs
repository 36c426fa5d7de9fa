//! Objects: lists and single ones, selected and in pages.

use std::borrow::Cow;

use serde_json::Value;

use super::message::{JSON, Response};
use super::selector::{self, Selector};
use super::table::Tables;
use super::{Call, Replay, accept, status};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, CollectedObject, Crd, EXTENSIONS_GROUP, Namespace,
};
use kube_aggregation::routing::RequestInfo;

/// What the API server makes when it starts.
const INITIAL_NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

/// One kind of object at one version, and what of it is asked for.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) call: Call<'a>,
    pub(super) info: RequestInfo<'a>,
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) crd: Option<&'a Crd>,
}

impl Asked<'_> {
    /// A parameter of the query; empty where it is not given.
    pub(super) fn parameter(&self, name: &str) -> Cow<'_, str> {
        self.call.target.parameter(name).unwrap_or_default()
    }
}

/// An object as it is shown.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) json: Cow<'a, str>,
}

impl<'a> Item<'a> {
    /// Encodes an object of the model that is in no namespace.
    fn encoded(name: &'a str, object: &impl serde::Serialize) -> Self {
        // Only strings, numbers and maps with string keys are written, so this cannot fail.
        let json = serde_json::to_string(object).unwrap_or_default().into();
        Self { namespace: "", name, json }
    }

    pub(super) fn value(&self) -> Value {
        serde_json::from_str(&self.json).unwrap_or_default()
    }
}

impl<'a> From<&'a CollectedObject> for Item<'a> {
    fn from(object: &'a CollectedObject) -> Self {
        Self { namespace: &object.namespace, name: &object.name, json: (&*object.json).into() }
    }
}

impl<'s> Replay<'s> {
    /// The kind that a resource has.
    pub(super) fn kind_of(&self, info: &RequestInfo<'_>, crd: Option<&Crd>) -> Option<String> {
        if let Some(crd) = crd {
            return Some(crd.kind.clone());
        }
        let gv = kube_aggregation::model::GroupVersion::new(info.group, info.version);
        let (list, _) = self.registry.resources(&gv)?;
        let entry = list.iter().find(|entry| entry.name == info.resource)?;
        Some(entry.kind.clone())
    }

    /// What the handler of a resource answers.
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
        let asked = Asked { call, info, api_version, kind: &kind, crd };
        let answer = match asked.info.verb {
            "watch" => self.watch(&asked),
            "list" => self.list(&asked),
            _ => Ok(self.get(&asked)),
        };
        let response = answer.unwrap_or_else(|refusal| refusal);
        match self.lacks(&asked) {
            Some(lack) => response.warn(&lack),
            None => response,
        }
    }

    /// What the source does not have of what is asked for.
    fn lacks(&self, asked: &Asked<'_>) -> Option<String> {
        let resource = asked.info.resource;
        if (asked.api_version, asked.kind) == ("v1", "Secret") {
            return Some("aggctl serves no Secrets".to_owned());
        }
        if let Some(crd) = asked.crd
            && self.versions(asked, crd).any(|version| version != asked.api_version)
            && self.conversion(crd).as_deref() != Some("None")
        {
            let text = format!("{resource}: shown as collected, not converted to this version");
            return Some(text);
        }
        let objects = &self.registry.snapshot.objects;
        let known = objects.knows(asked.api_version, asked.kind)
            || self.is_modelled(asked)
            || asked.crd.is_some_and(|crd| self.versions(asked, crd).next().is_some());
        match asked.kind {
            _ if known => None,
            "Namespace" => Some("no namespaces in the source: these follow from others".to_owned()),
            _ => Some(format!("no {resource} in the source: they were not collected")),
        }
    }

    /// Whether the model knows all objects of the kind.
    fn is_modelled(&self, asked: &Asked<'_>) -> bool {
        matches!(
            (asked.info.group, asked.kind),
            (AGGREGATOR_GROUP, "APIService") | (EXTENSIONS_GROUP, "CustomResourceDefinition")
        )
    }

    /// The API versions at which the source has custom resources.
    fn versions<'c>(
        &'c self,
        asked: &'c Asked<'_>,
        crd: &'c Crd,
    ) -> impl Iterator<Item = String> + 'c {
        let all = crd.versions.iter().map(|version| format!("{}/{}", crd.group, version.name));
        all.filter(|version| self.registry.snapshot.objects.knows(version, asked.kind))
    }

    /// A CRD with all that it says, where the source has it.
    pub(super) fn whole_crd(&self, crd: &Crd) -> Option<Value> {
        let all = &self.registry.snapshot.objects;
        let all = all.of_kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        Some(Item::from(all.iter().find(|object| object.name == crd.name)?).value())
    }

    /// How a CRD's objects are converted between its versions, where that is known.
    fn conversion(&self, crd: &Crd) -> Option<String> {
        let whole = self.whole_crd(crd)?;
        let strategy = whole.pointer("/spec/conversion/strategy").and_then(Value::as_str);
        Some(strategy.unwrap_or("None").to_owned())
    }

    /// All objects of a kind, by namespace and name.
    fn all<'a>(&'a self, asked: &'a Asked<'_>) -> Vec<Item<'a>> {
        let objects = &self.registry.snapshot.objects;
        let kept = objects.of_kind(asked.api_version, asked.kind);
        // As the source has it, or as the model knows it.
        let whole = |name: &str| {
            let at = kept.binary_search_by(|object| object.name.as_str().cmp(name)).ok();
            at.and_then(|at| kept.get(at)).map(Item::from)
        };
        match (asked.info.group, asked.kind, asked.crd) {
            (AGGREGATOR_GROUP, "APIService", _) => (self.registry.api_services.iter())
                .map(|one| whole(&one.name).unwrap_or_else(|| Item::encoded(&one.name, one)))
                .collect(),
            (EXTENSIONS_GROUP, "CustomResourceDefinition", _) => (self.registry.crds.iter())
                .map(|one| whole(&one.name).unwrap_or_else(|| Item::encoded(&one.name, one)))
                .collect(),
            ("", "Namespace", _) => self.namespaces(kept),
            (_, _, Some(crd)) => {
                let mut all: Vec<Item<'a>> = vec![];
                for version in self.versions(asked, crd) {
                    for object in objects.of_kind(&version, asked.kind) {
                        let mut item = Item::from(object);
                        if version != asked.api_version {
                            let mut value = item.value();
                            value["apiVersion"] = asked.api_version.into();
                            item.json = value.to_string().into();
                        }
                        all.push(item);
                    }
                }
                all.sort_by_key(|item| (item.namespace, item.name));
                all.dedup_by_key(|item| (item.namespace, item.name));
                all
            }
            _ => kept.iter().map(Item::from).collect(),
        }
    }

    /// The Namespaces of the source, those that every API server makes when it starts, and those
    /// that something is in.
    fn namespaces<'a>(&'a self, kept: &'a [CollectedObject]) -> Vec<Item<'a>> {
        let named = self.registry.snapshot.objects.namespaces();
        let mut all: Vec<Item<'a>> = kept.iter().map(Item::from).collect();
        for name in named.into_iter().chain(INITIAL_NAMESPACES) {
            let namespace = Namespace { name: name.to_owned(), ..Namespace::default() };
            all.push(Item::encoded(name, &namespace));
        }
        // What the source has of a name comes first, and stays.
        all.sort_by_key(|item| item.name);
        all.dedup_by_key(|item| item.name);
        all
    }

    /// The objects that a list or a watch is about.
    pub(super) fn selected<'a>(
        &'a self,
        asked: &'a Asked<'_>,
    ) -> Result<(Vec<Item<'a>>, Selector), Response> {
        let (labels, fields) = (asked.parameter("labelSelector"), asked.parameter("fieldSelector"));
        let known = selector::fields(asked.api_version, asked.kind);
        let selector =
            Selector::parse(&labels, &fields, known).map_err(|why| status::bad_request(&why))?;
        let (namespace, name) = (asked.info.namespace, asked.info.name.as_ref());
        let mut items = self.all(asked);
        items.retain(|item| {
            (namespace.is_empty() || item.namespace == namespace)
                && (name.is_empty() || item.name == name)
                && (selector.is_empty() || selector.matches(&item.value()))
        });
        Ok((items, selector))
    }

    fn list(&self, asked: &Asked<'_>) -> Result<Response, Response> {
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
            return Ok(Response::json(200, super::json(&tables.table(page, &metadata, true))));
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

    /// The columns, where the client wants a table.
    pub(super) fn wanted_tables(&self, asked: &Asked<'_>) -> Option<Tables> {
        accept::table(&asked.call.request.accept).then(|| self.tables(asked))
    }

    /// Where a list goes on: behind the object that the token names.
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

    fn get(&self, asked: &Asked<'_>) -> Response {
        let info = &asked.info;
        let all = self.all(asked);
        let found = all.iter().find(|item| {
            let namespaced = !item.namespace.is_empty();
            item.name == info.name && (!namespaced || item.namespace == info.namespace)
        });
        match (found, info.subresource) {
            (None, _) => status::no_object(info.group, info.resource, &info.name),
            (Some(item), "" | "status") => match self.wanted_tables(asked) {
                Some(tables) => {
                    let metadata = &item.value()["metadata"]["resourceVersion"];
                    let metadata = serde_json::json!({"resourceVersion": metadata});
                    let table = tables.table(std::slice::from_ref(item), &metadata, true);
                    Response::json(200, super::json(&table))
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
