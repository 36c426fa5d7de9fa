//! The Kubernetes API aggregation layer as pure functions.
//!
//! Every request to a Kubernetes API server passes through a chain of servers: kube-aggregator,
//! kube-apiserver, apiextensions-apiserver, and then a 404. This crate models that chain. It does
//! no I/O and needs no runtime: its input is the JSON that kubectl prints.
//!
//! Start with a [`Snapshot`], built by [`SnapshotBuilder`], and a [`Registry`], which finds the
//! backend of each APIService. The names at the crate root and the module [`discovery`] are meant
//! for general use. The other modules serve aggctl, the command-line tool on top of this crate, and
//! may change with it.
//!
//! # Route a request
//!
//! ```
//! use kube_aggregation::{Method, Outcome, Registry, Router, SnapshotBuilder, Target};
//!
//! let mut builder = SnapshotBuilder::default();
//! // kubectl get apiservice v1beta1.metrics.k8s.io -o json
//! builder.add_json("apiservice.json", r#"{
//!     "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
//!     "metadata": {"name": "v1beta1.metrics.k8s.io"},
//!     "spec": {"group": "metrics.k8s.io", "version": "v1beta1", "groupPriorityMinimum": 100,
//!              "versionPriority": 100,
//!              "service": {"namespace": "kube-system", "name": "metrics-server"}},
//!     "status": {"conditions": [{"type": "Available", "status": "False",
//!                                "reason": "MissingEndpoints", "message": "no endpoints"}]}}"#)?;
//! let (snapshot, _notes) = builder.build("my cluster");
//!
//! let registry = Registry::new(&snapshot);
//! let router = Router::new(&registry);
//! let target = Target::parse(Method::Get, "/apis/metrics.k8s.io/v1beta1/nodes").unwrap();
//! let route = router.route(&target);
//! assert_eq!(route.outcome, Outcome::Unavailable);
//! assert_eq!(route.api_service().unwrap().name, "v1beta1.metrics.k8s.io");
//! # Ok::<(), String>(())
//! ```
//!
//! # Order groups and versions
//!
//! ```
//! use kube_aggregation::compare_versions;
//!
//! let mut versions = vec!["v1", "v10", "v2beta1", "v1alpha1", "foo"];
//! versions.sort_by(|a, b| compare_versions(a, b));
//! assert_eq!(versions, ["v10", "v1", "v2beta1", "v1alpha1", "foo"]);
//!
//! // The groups of `/apis`, in the order that the aggregator serves them.
//! use kube_aggregation::{Registry, baseline, discovery};
//! let registry = Registry::new(baseline::server(baseline::LATEST));
//! let groups = discovery::legacy(&registry);
//! assert_eq!(groups[0].name, "apiregistration.k8s.io");
//! ```
//!
//! # Merge discovery
//!
//! ```
//! use kube_aggregation::model::DiscoveryForm;
//! use kube_aggregation::{Registry, baseline, discovery};
//!
//! let registry = Registry::new(baseline::server(baseline::LATEST));
//! let merged = discovery::document(&registry, "/apis", DiscoveryForm::Aggregated, true);
//! let Some((discovery::DiscoveryDocument::Aggregated(groups), _)) = merged else {
//!     panic!("no document");
//! };
//! let apps = groups.iter().find(|group| group.name == "apps").unwrap();
//! assert!(apps.versions[0].resources.iter().any(|one| one.resource == "deployments"));
//! ```
//!
//! # Incomplete data
//!
//! A snapshot is rarely complete. [`Router::assumptions`] lists what an answer assumes, and a
//! request that cannot be decided has the outcome [`Outcome::Unknown`]. This crate does not parse
//! X.509: a `caBundle` counts as usable if it has the structure of a certificate ([`ca_bundle`]).

pub mod availability;
pub mod baseline;
pub mod ca_bundle;
mod codec;
pub mod diff;
pub mod discovery;
pub mod flags;
pub mod gates;
pub mod ingest;
mod lenient;
pub mod model;
pub mod names;
pub mod nearest;
mod peer_proxy;
pub mod peers;
pub mod priority;
pub mod registry;
pub mod routing;
pub mod runtime_config;
pub mod upgrade;
pub mod what_if;

#[doc(inline)]
pub use ingest::SnapshotBuilder;
#[doc(inline)]
pub use model::{Snapshot, compare_versions};
#[doc(inline)]
pub use registry::Registry;
#[doc(inline)]
pub use routing::{Hop, Method, Outcome, Route, Router, Target};
