use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::cluster::{ClusterArgs, one_context};
use super::progress::with_bar;
use super::source::resolve;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::sanitise;
use aggctl_source::interrupt::Interrupt;
use aggctl_source::live::ClusterOptions;
use aggctl_source::{DumpPurpose, Export, SourceSelection, check_target, write};
use aggctl_source::{Needs, Resources, ServerDocument};

/// Write a live cluster's facts to a directory or an archive, for use with --dump
///
/// Sends GET only. Never reads Secrets, and of all ConfigMaps only kube-system/extension-apiserver-authentication. Lists
/// what could not be read in the file aggctl-dump.json, with the reason. Leaves out the schemas of CRDs and most
/// annotations. Of the Pods of kube-apiserver it keeps only the commands.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    after_help = "\
Examples:
  aggctl dump ./dump
  aggctl dump prod.tar.gz --context prod
  aggctl dump ./dump --for doctor --force
  aggctl apiservices --dump prod.tar.gz"
)]
pub struct DumpArgs {
    /// A directory to create, or an archive if it ends in .tar.gz or .tgz
    #[arg(value_name = "DIR|FILE.tar.gz")]
    target: PathBuf,

    /// What the dump should be good for
    #[arg(long = "for", value_enum, default_value_t = Purpose::All, value_name = "USE")]
    purpose: Purpose,

    /// Keep the schemas of CRDs
    #[arg(long)]
    full: bool,

    /// Replace the dump that is there; anything else is left alone
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    cluster: ClusterArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Purpose {
    /// route, discovery, order, apiservices, chain
    Route,
    /// doctor, apiservices, chain
    Doctor,
    /// Every command
    All,
}

impl Purpose {
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
        let target = &self.target;
        check_target(target, self.force)?;
        let cluster = ClusterOptions { requested: true, ..self.cluster.options() };
        let selection = SourceSelection { cluster, ..SourceSelection::default() };
        let resolved = resolve(&selection, &self.purpose.needs(), terminal)?;
        let name = self.purpose.as_str();
        let option = format!("--for {name}");
        let purpose = DumpPurpose { name, option: &option, full: self.full };
        let export = with_bar("reading the cluster", |bar| resolved.export(purpose, bar))?;
        for note in &export.notes {
            terminal.tell(note)?;
        }
        // From here on Ctrl-C would leave half a dump behind, were it not waited for.
        let interrupt = Interrupt::listen();
        write(target, &export, self.force, &|| interrupt.came())
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
            sanitise(&target.display().to_string()),
            sanitise(&cluster)
        )?;
        Ok(Status::Ok)
    }
}
