//! The position of an APIService in the orders of groups and versions, and why.

use std::collections::HashMap;

use crate::render::{PlaceJson, PlaceOrderJson, group_order, version_order};
use kube_aggregation::discovery;
use kube_aggregation::model::ApiService;
use kube_aggregation::priority::{self, Form, OrderedGroup};
use kube_aggregation::registry::Registry;

/// The groups in the order of each endpoint.
#[derive(Debug)]
pub(super) struct Orders<'r>([Order<'r>; 2]);

/// The groups in the order of one endpoint.
#[derive(Debug)]
struct Order<'r> {
    word: &'static str,
    form: Form,
    groups: Vec<OrderedGroup<'r>>,
    /// The index of each group.
    at: HashMap<&'r str, usize>,
}

impl<'r> Order<'r> {
    fn new(word: &'static str, form: Form, groups: Vec<OrderedGroup<'r>>) -> Self {
        let at = groups.iter().enumerate().map(|(index, group)| (group.name, index)).collect();
        Self { word, form, groups, at }
    }
}

impl<'r> Orders<'r> {
    pub(super) fn new(registry: &'r Registry<'_>) -> Self {
        Self([
            Order::new("legacy", Form::Legacy, discovery::legacy(registry)),
            Order::new("aggregated", Form::Aggregated, discovery::aggregated_order(registry)),
        ])
    }

    /// Returns the order of that name.
    pub(super) fn of(&self, wanted: &str) -> Option<&[OrderedGroup<'r>]> {
        self.0.iter().find(|order| order.word == wanted).map(|order| order.groups.as_slice())
    }
}

/// Returns the positions of an APIService.
pub(super) fn place<'r>(service: &'r ApiService, orders: &Orders<'_>) -> PlaceJson<'r> {
    let gv = &service.group_version;
    let orders = orders.0.iter().filter_map(|Order { word, form, groups, at }| {
        let at = *at.get(gv.group.as_str())?;
        let why = why(*form, groups, at, &gv.version);
        Some(PlaceOrderJson { form: word, place: at + 1, of: groups.len(), why })
    });
    PlaceJson {
        name: &service.name,
        group: &gv.group,
        version: &gv.version,
        orders: orders.collect(),
    }
}

/// Explains the position of a group among its neighbors, and of a version in its group.
fn why(form: Form, groups: &[OrderedGroup<'_>], at: usize, version: &str) -> Vec<String> {
    let mut sentences = vec![];
    for first in [at.checked_sub(1), Some(at)].into_iter().flatten() {
        if let (Some(a), Some(b)) = (groups.get(first), groups.get(first + 1)) {
            let why = priority::why_group(form, a, b);
            sentences.push(group_order((first + 1, a.name), (first + 2, b.name), &why));
        }
    }
    let Some(group) = groups.get(at) else { return sentences };
    let pairs = group.versions.iter().zip(group.versions.iter().skip(1));
    for (a, b) in pairs.filter(|(a, b)| a.version == version || b.version == version) {
        let why = priority::why_version(form, a, b);
        sentences.push(version_order(group.name, a.version, b.version, &why));
    }
    sentences
}
