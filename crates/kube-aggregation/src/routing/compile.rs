//! Builds the routing tables of the three servers, in the order in which the servers register
//! paths.

use std::sync::OnceLock;

use super::non_api_paths::{
    LOGS, Place, SLIS, SLIS_IN_AGGREGATOR, UNLISTED, Unlisted, WEB_SERVICES, needed_flag,
};
use super::outcome::ProxyRefusal;
use super::remarks::is_api;
use super::router::{Forwarding, Handler, Registered, Router};
use crate::model::{AGGREGATOR_GROUP, ApiService, Automanaged, EXTENSIONS_GROUP, GroupVersion};
use crate::registry::Backend;

impl<'s> Router<'s> {
    pub(super) fn register_non_api(&mut self) {
        for path in self.registry.root_paths.iter() {
            if is_api(path) {
                continue;
            }
            match WEB_SERVICES.iter().find(|(root, _)| root == path) {
                Some((_, Place::AggregatorWebService)) => {}
                Some((root, Place::KubeWebService)) => {
                    let handler = if *root == LOGS { Handler::Tree } else { Handler::Document };
                    self.kube_apiserver.web_service(root, handler);
                }
                None if path.ends_with('/') => {
                    let v3 = path == "/openapi/v3/";
                    self.aggregator
                        .prefix(path, if v3 { Handler::OpenApiV3 } else { Handler::NonApi });
                }
                None if path == SLIS && self.registry.minor < SLIS_IN_AGGREGATOR => {
                    self.extensions.exact(path, Handler::NonApi);
                }
                None => self.aggregator.exact(path, Handler::NonApi),
            }
        }
        for (root, place) in WEB_SERVICES {
            if place == Place::AggregatorWebService {
                self.aggregator.web_service(root, Handler::Document);
            }
        }
        for (path, how, since) in UNLISTED {
            let flag = needed_flag(path).and_then(|flag| self.registry.snapshot.own_flag(flag));
            if since > self.registry.minor || flag.flatten() == Some("false") {
                continue;
            }
            match how {
                Unlisted::Exact => self.aggregator.exact(path, Handler::NonApi),
                Unlisted::Prefix => self.aggregator.prefix(path, Handler::NonApi),
                Unlisted::Redirect => self.aggregator.exact(path, Handler::Redirect),
            }
        }
    }

    /// Registers `/apis`, the aggregator's own group, and the CRD handler, which always exist.
    pub(super) fn register_own_groups(&mut self) {
        self.aggregator.exact("/apis", Handler::GroupDocument);
        self.aggregator.exact("/apis/", Handler::GroupDocument);
        self.aggregator.web_service(&format!("/apis/{AGGREGATOR_GROUP}"), Handler::Document);
        for version in self.registry.aggregator_versions() {
            let gv = GroupVersion::new(AGGREGATOR_GROUP, version);
            let root = gv.root_path();
            let listed = self.registry.snapshot.resource_lists.get_key_value(&gv);
            match listed.map(|(gv, _)| gv).or_else(|| self.registry.plain(&gv)) {
                Some(gv) => {
                    let routes = self.install();
                    self.aggregator.web_service(&root, Handler::GroupVersion(gv, routes));
                }
                None => self.aggregator.web_service(&root, Handler::Unclear),
            }
        }
        self.extensions.exact("/apis", Handler::Custom);
        self.extensions.prefix("/apis/", Handler::Custom);
    }

    pub(super) fn register_api_services(&mut self) {
        for (index, (service, backing)) in self.registry.api_services().enumerate() {
            let gv = &service.group_version;
            let root = gv.root_path();
            self.registered.push(Registered::new(service, forwarding(service, backing)));
            let handler = Handler::ApiService(index);
            if gv.group.is_empty() {
                self.aggregator.exact("/api", handler);
                self.aggregator.prefix("/api/", handler);
            } else {
                self.aggregator.prefix(&format!("{root}/"), handler);
                self.aggregator.exact(&root, handler);
                self.aggregator.exact(&format!("/apis/{}", gv.group), Handler::GroupDocument);
                self.aggregator.exact(&format!("/apis/{}/", gv.group), Handler::GroupDocument);
            }
            match backing {
                Backend::BuiltIn | Backend::Extensions => self.register_group_version(gv),
                Backend::Unknown if service.automanaged == Some(Automanaged::OnStart) => {
                    self.register_web_services(gv, Handler::Unclear);
                }
                // A Service or a CRD took over its APIService. kube-apiserver still has the group
                // version, and takes precedence over CRDs.
                Backend::Service | Backend::Crd => {
                    if let Some(gv) = self.registry.plain(gv) {
                        self.register_group_version(gv);
                    }
                }
                _ => {}
            }
        }
        // A server keeps its installed group versions even if their APIServices are deleted. `/`
        // still lists them, and the aggregator passes their requests on because nothing matches.
        for path in self.registry.root_paths.iter() {
            let Some(gv) = GroupVersion::at_root(path) else { continue };
            let registered = self.registry.api_service(&gv.api_service_name()).is_some();
            if !registered
                && gv.group != AGGREGATOR_GROUP
                && let Some(gv) = self.registry.plain(&gv)
            {
                self.register_group_version(gv);
            }
        }
        for gv in self.registry.unregistered() {
            self.register_group_version(gv);
        }
    }

    fn register_group_version(&mut self, gv: &'s GroupVersion) {
        let handler = Handler::GroupVersion(gv, self.install());
        self.register_web_services(gv, handler);
    }

    /// Registers the web services of a built-in group version and of its group.
    fn register_web_services(&mut self, gv: &GroupVersion, web_service: Handler<'s>) {
        let group = match gv.group.as_str() {
            "" => "/api".to_owned(),
            group => format!("/apis/{group}"),
        };
        let server = match gv.group.as_str() {
            EXTENSIONS_GROUP => &mut self.extensions,
            _ => &mut self.kube_apiserver,
        };
        server.web_service(&gv.root_path(), web_service);
        server.web_service(&group, Handler::Document);
    }

    /// Reserves a slot for the routes of a group version.
    fn install(&mut self) -> usize {
        self.routes.push(OnceLock::new());
        self.routes.len() - 1
    }
}

/// Returns what the aggregator's proxy handler does, with its checks in order.
fn forwarding(service: &ApiService, backing: Backend) -> Forwarding {
    if service.service.is_none() {
        let somewhere = backing == Backend::Service;
        return if somewhere { Forwarding::Somewhere } else { Forwarding::Local(backing) };
    }
    if !service.is_available() {
        return Forwarding::Refuse(ProxyRefusal::NotAvailable);
    }
    // Other problems of the Service are only warnings. The server's own condition, which it checks
    // every 30 seconds with its own flags, is more reliable.
    Forwarding::Proxy
}
