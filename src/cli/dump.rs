//! `aggctl dump`: writes what a live cluster knows to a directory or an archive.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::cluster::{ClusterArgs, one_context};
use super::progress::with_bar;
use super::source::resolve;
use super::terminal::{Status, Terminal};
use crate::anonymize;
use crate::error::Error;
use crate::render::sanitize;
use aggctl_source::interrupt::Deferred;
use aggctl_source::live::ClusterOptions;
use aggctl_source::{DumpPurpose, Export, SourceSelection, check_target, write};
use aggctl_source::{Needs, ResolvedSource, Resources, ServerDocument};

/// Write a live cluster's facts to a directory or an archive, for use with --dump
///
/// Sends GET only. Never reads Secrets, and of all ConfigMaps only kube-system/extension-apiserver-authentication. Lists
/// what could not be read in the file aggctl-dump.json, with the reason. Leaves out the schemas of CRDs and most
/// annotations. Of the Pods of kube-apiserver it keeps only flags that other commands look at.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    after_help = "\
Examples:
  aggctl dump ./dump
  aggctl dump prod.tar.gz --context prod
  aggctl dump ./dump --for doctor --force
  aggctl dump ./servers --all-servers
  aggctl dump public.tar.gz --anonymize
  aggctl apiservices --dump prod.tar.gz"
)]
pub struct DumpArgs {
    /// A directory to create, or an archive if it ends in .tar.gz or .tgz
    #[arg(value_name = "DIR|FILE.tar.gz")]
    target: PathBuf,

    /// What the dump should be good for
    #[arg(long = "for", value_enum, default_value_t = PurposeArg::All, value_name = "USE")]
    purpose: PurposeArg,

    /// Keep the schemas of CRDs
    #[arg(long)]
    full: bool,

    /// Replace the dump that is there; anything else is left alone
    #[arg(long)]
    force: bool,

    /// Replace names of namespaces, Services, groups, hosts and users
    ///
    /// Every name gets one replacement, in all files, so the dump gives the same answers. IP addresses
    /// and certificates are replaced too. Names that Kubernetes defines stay, and so do kinds,
    /// resources and versions.
    #[arg(long)]
    anonymize: bool,

    /// Write a dump of every API server of the cluster, each into DIR/NAME
    ///
    /// The servers are found by the identity Leases in kube-system and by the EndpointSlices of
    /// default/kubernetes, and asked directly. `--control-plane DIR` reads the dumps.
    #[arg(long)]
    all_servers: bool,

    #[command(flatten)]
    cluster: ClusterArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PurposeArg {
    /// route, discovery, order, apiservices, chain
    Route,
    /// doctor, apiservices, chain
    Doctor,
    /// Every command
    All,
}

impl PurposeArg {
    fn as_str(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Doctor => "doctor",
            Self::All => "all",
        }
    }

    fn needs(self) -> Needs {
        match self {
            Self::Route => {
                let mut needs = Needs::routing().with(Resources::All);
                needs.documents.extend([ServerDocument::Groups, ServerDocument::OpenApiV3]);
                needs
            }
            Self::Doctor => {
                let mut needs = Needs::diagnosis();
                needs.documents.extend(Needs::ACCESS);
                needs.documents.extend(Needs::PEERS);
                needs
            }
            Self::All => Needs::everything().with_health().with_openapi(),
        }
    }
}

impl DumpArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if !self.all_servers {
            check_target(&self.target, self.force)?;
        }
        let cluster = ClusterOptions { requested: true, ..self.cluster.options() };
        let selection = SourceSelection { cluster, ..SourceSelection::default() };
        let resolved = resolve(&selection, &self.purpose.needs(), terminal)?;
        if !self.all_servers {
            return self.dump(&resolved, &self.target, terminal);
        }
        let servers = with_bar("finding the servers", |bar| resolved.resolve_servers(bar))?;
        let (all, mut failed) = (servers.len(), 0);
        std::fs::create_dir_all(&self.target)
            .map_err(|error| Error::cannot_write(self.target.display(), &error))?;
        for (name, server) in servers {
            // A host name is a safe file name, and an address without its colons is one.
            let target = self.target.join(name.replace([':', '/', '\\'], "-"));
            if let Err(error) = self.dump(&server, &target, terminal) {
                failed += 1;
                terminal.complain(&error)?;
            }
        }
        if failed > 0 {
            let text = format!("{failed} of {all} API servers could not be dumped");
            return Err(Error::source(text).into());
        }
        Ok(Status::Ok)
    }

    fn dump(
        &self,
        resolved: &ResolvedSource,
        target: &Path,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        check_target(target, self.force)?;
        let name = self.purpose.as_str();
        let option = format!("--for {name}");
        let purpose = DumpPurpose { name, option: &option, full: self.full };
        let mut export = with_bar("reading the cluster", |bar| resolved.export(purpose, bar))?;
        if self.anonymize {
            export.files = anonymize::files(&export.files, &export.cluster);
        }
        for note in &export.notes {
            terminal.tell(note)?;
        }
        // Defer signals from here on: one would leave half a dump behind.
        let deferred = Deferred::start();
        write(target, &export, self.force, &|| deferred.came())
            .map_err(|error| Error::cannot_write(target.display(), &error))?;
        let Export { cluster, collected, missing, .. } = export;
        let lacks = if missing == 0 {
            String::new()
        } else {
            format!(", {missing} could not be read (see aggctl-dump.json)")
        };
        writeln!(
            terminal.err,
            "wrote {}: {collected} documents of cluster {}{lacks}",
            sanitize(&target.display().to_string()),
            sanitize(&cluster)
        )?;
        Ok(Status::Ok)
    }
}
