//! The arguments of a what-if: changes to the source before a command answers.

use std::path::PathBuf;

use clap::Args;

/// Changes to the source.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "What if")]
pub(super) struct WhatIfArgs {
    /// Answer as if these manifests were applied
    ///
    /// A file, a directory, or - for standard input; may be given several times. APIServices, CRDs, Services, EndpointSlices, roles and bindings, with what the controllers would then do.
    /// Reports what only a running cluster can know.
    #[arg(short = 'f', long = "filename", value_name = "FILE")]
    pub(super) filename: Vec<PathBuf>,

    /// Replace objects with the manifests instead of applying them
    ///
    /// Mirrors `kubectl replace`, which drops labels, finalizers and fields that a manifest omits;
    /// `kubectl apply` keeps them.
    #[arg(long, requires = "filename", hide_short_help = true)]
    pub(super) replace: bool,

    /// Answer as if this APIService, CRD or Service was gone
    ///
    /// A Service is written as namespace/name. May be given several times.
    #[arg(long, value_name = "NAME")]
    pub(super) without: Vec<String>,
}
