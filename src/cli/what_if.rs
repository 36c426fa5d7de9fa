//! The arguments of a what-if: changes to the source before a command answers.

use std::path::PathBuf;

use clap::Args;

/// Changes to the source.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What if")]
pub(super) struct WhatIfArgs {
    /// Assume that these manifests are applied
    ///
    /// A file, a directory, or - for standard input. Repeatable. Covers APIServices, CRDs, Services,
    /// EndpointSlices, roles and bindings, and what the controllers do next. What only a running
    /// cluster can know is reported as unknown.
    #[arg(short = 'f', long = "filename", value_name = "FILE")]
    pub(super) filename: Vec<PathBuf>,

    /// Assume `kubectl replace` instead of `kubectl apply`
    ///
    /// Replacing drops labels, finalizers and fields that a manifest omits. Applying keeps them.
    #[arg(long, requires = "filename", hide_short_help = true)]
    pub(super) replace: bool,

    /// Assume that this APIService, CRD or Service is deleted
    ///
    /// Write a Service as namespace/name. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
}
