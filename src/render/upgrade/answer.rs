//! The value that the upgrade formats show: findings, and requests that would end differently.

use crate::render::ResponseMeta;
use aggctl_usage::UsageReport;
use kube_aggregation::model::Origin;
use kube_aggregation::upgrade::Upgrade;

/// What an upgrade does to a cluster.
#[derive(Debug)]
pub struct UpgradeAnswer<'a> {
    pub origin: &'a Origin,
    pub upgrade: &'a Upgrade,
    /// The requests of audit logs that would end differently, and whether the user interrupted
    /// reading.
    pub requests: Option<(&'a UsageReport, bool)>,
    pub meta: ResponseMeta<'a>,
}
