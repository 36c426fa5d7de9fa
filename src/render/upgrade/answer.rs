//! The value that the upgrade formats show: findings, and requests that would end differently.

use crate::render::ResponseMeta;
use aggctl_usage::UsageReport;
use kube_aggregation::model::Origin;
use kube_aggregation::upgrade::Upgrade;

/// What an upgrade does to a cluster.
#[derive(Debug)]
pub struct UpgradeAnswer<'a> {
    /// The cluster.
    pub origin: &'a Origin,
    /// What becomes of it.
    pub upgrade: &'a Upgrade,
    /// The requests of audit logs that end differently, and whether reading them was ended early.
    pub requests: Option<(&'a UsageReport, bool)>,
    pub meta: ResponseMeta<'a>,
}
