//! Describes which OpenAPI document each kubectl command reads for a group version.

use std::fmt;

use super::review::{Form, Item};

/// One kubectl command, and the document that it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The command.
    pub command: &'static str,
    /// What it reads.
    pub reads: Reads,
}

/// The document that a command reads, for kubectl 1.27 and later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reads {
    /// The v3 document, and nothing else if the server has an index.
    V3,
    /// The v3 document, which does not exist.
    NoV3,
    /// The v3 document to find whether the server validates; v2 if there is no v3 document.
    WhetherValidated,
    /// The v3 document to find the kind of patch, then v2, then kubectl's built-in types.
    HowToPatch,
    /// Neither. The server of the objects uses its own schema.
    OwnSchema(String),
}

impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V3 => f.write_str("the v3 document"),
            Self::NoV3 => f.write_str("the v3 document, which does not exist, so it finds nothing"),
            Self::WhetherValidated => f.write_str(
                "the v3 document to find out whether the server validates, otherwise v2",
            ),
            Self::HowToPatch => f.write_str(
                "the v3 document for the kind of patch, then v2, then what kubectl has built in",
            ),
            Self::OwnSchema(server) => write!(f, "neither: {server} uses its own schema"),
        }
    }
}

/// Returns what kubectl's commands read for a group version.
pub fn uses(item: &Item) -> Vec<Use> {
    let reads = if item.v3.form == Some(Form::None) { Reads::NoV3 } else { Reads::V3 };
    let server = item.serves.clone().unwrap_or_else(|| "who serves it".to_owned());
    vec![
        Use { command: "kubectl explain", reads },
        Use { command: "kubectl apply --validate", reads: Reads::WhetherValidated },
        Use { command: "kubectl apply", reads: Reads::HowToPatch },
        Use { command: "kubectl apply --server-side", reads: Reads::OwnSchema(server) },
    ]
}
