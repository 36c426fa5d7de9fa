//! Objects, and requests for them.

use std::borrow::Cow;

use serde_json::Value;

use super::server::{Call, Replay};
use kube_aggregation::model::{CollectedObject, Crd};
use kube_aggregation::routing::RequestInfo;

/// A request for objects of one kind at one version.
#[derive(Debug)]
pub(super) struct ObjectRequest<'a> {
    pub(super) call: Call<'a>,
    pub(super) info: RequestInfo<'a>,
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) crd: Option<&'a Crd>,
}

impl ObjectRequest<'_> {
    /// Returns a query parameter; empty if it is not given.
    pub(super) fn parameter(&self, name: &str) -> Cow<'_, str> {
        self.call.target.parameter(name).unwrap_or_default()
    }
}

/// An object, as it is served.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    pub(super) namespace: &'a str,
    pub(super) name: &'a str,
    pub(super) json: Cow<'a, str>,
}

impl<'a> Item<'a> {
    /// Encodes an object of the model that is in no namespace.
    pub(super) fn encoded(name: &'a str, object: &impl serde::Serialize) -> Self {
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

impl Replay<'_> {
    /// Returns a CRD as JSON, if the source has it.
    pub(super) fn whole_crd(&self, crd: &Crd) -> Option<Value> {
        let all = &self.registry.snapshot.objects;
        let all = all.of_kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        Some(Item::from(all.iter().find(|object| object.name == crd.name)?).value())
    }
}
