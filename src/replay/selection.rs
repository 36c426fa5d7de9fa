//! Finds the objects that a request is about: all of a kind, or those that its selectors match.

use serde_json::Value;

use super::message::Response;
use super::object::{Item, ObjectRequest};
use super::selector::{self, Selector};
use super::server::Replay;
use super::table::Tables;
use super::{accept, status};
use kube_aggregation::model::{
    AGGREGATOR_GROUP, CollectedObject, Crd, EXTENSIONS_GROUP, Namespace,
};
use kube_aggregation::routing::RequestInfo;

/// The namespaces that the API server creates when it starts.
const INITIAL_NAMESPACES: [&str; 4] = ["default", "kube-node-lease", "kube-public", "kube-system"];

impl<'s> Replay<'s> {
    /// Returns the kind of a resource.
    pub(super) fn kind_of(&self, info: &RequestInfo<'_>, crd: Option<&Crd>) -> Option<String> {
        if let Some(crd) = crd {
            return Some(crd.kind.clone());
        }
        let gv = kube_aggregation::model::GroupVersion::new(info.group, info.version);
        let (list, _) = self.registry.resources(&gv)?;
        let entry = list.iter().find(|entry| entry.name == info.resource)?;
        Some(entry.kind.clone())
    }

    /// Returns the API versions at which the source has custom resources.
    pub(super) fn versions<'c>(
        &'c self,
        asked: &'c ObjectRequest<'_>,
        crd: &'c Crd,
    ) -> impl Iterator<Item = String> + 'c {
        let all = crd.versions.iter().map(|version| format!("{}/{}", crd.group, version.name));
        all.filter(|version| self.registry.snapshot.objects.knows(version, asked.kind))
    }

    /// Returns the conversion strategy of a CRD, if it is known.
    pub(super) fn conversion(&self, crd: &Crd) -> Option<String> {
        let whole = self.whole_crd(crd)?;
        let strategy = whole.pointer("/spec/conversion/strategy").and_then(Value::as_str);
        Some(strategy.unwrap_or("None").to_owned())
    }

    /// Returns all objects of a kind, sorted by namespace and name.
    pub(super) fn all<'a>(&'a self, asked: &'a ObjectRequest<'_>) -> Vec<Item<'a>> {
        let objects = &self.registry.snapshot.objects;
        let kept = objects.of_kind(asked.api_version, asked.kind);
        // The object of the source, or else the one that the model describes.
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

    /// Returns the Namespaces of the source, those that every API server creates, and those of
    /// other objects.
    fn namespaces<'a>(&'a self, kept: &'a [CollectedObject]) -> Vec<Item<'a>> {
        let named = self.registry.snapshot.objects.namespaces();
        let mut all: Vec<Item<'a>> = kept.iter().map(Item::from).collect();
        for name in named.into_iter().chain(INITIAL_NAMESPACES) {
            let namespace = Namespace { name: name.to_owned(), ..Namespace::default() };
            all.push(Item::encoded(name, &namespace));
        }
        // The sort is stable, so an object of the source comes first and stays.
        all.sort_by_key(|item| item.name);
        all.dedup_by_key(|item| item.name);
        all
    }

    /// Returns the objects that a list or a watch selects.
    pub(super) fn selected<'a>(
        &'a self,
        asked: &'a ObjectRequest<'_>,
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

    /// Returns the columns, if the client wants a table.
    pub(super) fn wanted_tables(&self, asked: &ObjectRequest<'_>) -> Option<Tables> {
        accept::table(&asked.call.request.accept).then(|| self.tables(asked))
    }
}
