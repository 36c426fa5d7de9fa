//! `aggctl dump`: writes what a live cluster knows to a directory or an archive.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::cluster::{ClusterArgs, one_context};
use super::progress::with_bar;
use super::source::resolve;
use super::terminal::{Status, Terminal};
use crate::anonymize;
use crate::error::Error;
use aggctl_source::interrupt::Deferred;
use aggctl_source::live::ClusterOptions;
use aggctl_source::{DumpPurpose, Export, SourceSelection, check_target, write};
use aggctl_source::{Needs, ResolvedSource, Resources, ServerDocument};

/// Save a cluster's API data for offline use
///
/// Writes a directory or an archive to use with --dump. Sends only GET requests. Reads no Secrets, and
/// one ConfigMap (kube-system/extension-apiserver-authentication). aggctl-dump.json lists what could
/// not be read, and why. Omits CRD schemas and most annotations, and keeps only the kube-apiserver
/// flags that aggctl uses.
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
    /// Directory to create, or archive if it ends in .tar.gz or .tgz
    #[arg(value_name = "DIR|FILE.tar.gz")]
    target: PathBuf,

    /// Which commands the dump is for
    #[arg(long = "for", value_enum, default_value_t = PurposeArg::All, value_name = "USE")]
    purpose: PurposeArg,

    /// Keep CRD schemas
    #[arg(long)]
    full: bool,

    /// Replace an existing dump (and only a dump)
    #[arg(long)]
    force: bool,

    /// Replace names of namespaces, Services, groups, hosts and users
    ///
    /// Every name gets one replacement, in all files, so the dump gives the same answers. IP addresses
    /// and certificates are replaced too. Names that Kubernetes defines stay, and so do kinds,
    /// resources and versions.
    #[arg(long)]
    anonymize: bool,

    /// Write one dump per API server, to DIR/NAME
    ///
    /// Finds the servers by the identity Leases in kube-system and the EndpointSlices of
    /// default/kubernetes, and reads each directly. Use the dumps with `--control-plane DIR`.
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
            Self::All => Needs::everything().with_health().with_openapi().with_samples(1),
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
        let servers = with_bar("finding the API servers", |bar| resolved.resolve_servers(bar))?;
        let (all, mut failed) = (servers.len(), 0);
        std::fs::create_dir_all(&self.target)
            .map_err(|error| Error::cannot_write(self.target.display(), &error))?;
        for (name, server) in servers {
            // The names come from the cluster: a folder must stay below the target.
            let name = name.replace([':', '/', '\\'], "-");
            let name = name.trim_start_matches('.');
            let target = self.target.join(if name.is_empty() { "server" } else { name });
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
        let target = target.display();
        terminal
            .wrote(&format!("{target}: {collected} documents from cluster {cluster}{lacks}"))?;
        Ok(Status::Ok)
    }
}
