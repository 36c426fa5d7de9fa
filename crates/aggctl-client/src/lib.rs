//! The client's side: what kubectl knows of an API server, and which request follows from it.
//! Pure.
//!
//! kubectl never sends a name. It reads discovery documents, from files of an earlier run if they
//! are younger than six hours, and looks the name up in them. [`predict()`] repeats that:
//!
//! 1. [`DiscoveryCache`] has the files, [`ServerDiscovery`] what the server would answer now.
//! 2. `session` is client-go's cached discovery client: it decides document by document which of
//!    the two counts, and when the files are discarded.
//! 3. `mapper` is its RESTMapper, `shortcut` the expansion of short names.
//! 4. [`Prediction`] is the request, with every step that led to it.
//!
//! [`Kubectl`] knows how releases differ. [`disagreements`] compares the files with the server.
//! [`missing()`] finds in a text what a client did not find, and [`judge`] whether the files, the
//! server or the name is the reason.

mod arguments;
mod blame;
mod cache;
mod compare;
mod documents;
mod http_cache;
mod kubectl;
mod mapper;
mod message;
mod predict;
mod refusal;
mod resolve;
mod server;
mod session;
mod shortcut;

pub use blame::{Blame, Similar, Verdict, judge, similar};
pub use cache::{CacheFile, DiscoveryCache, SkippedFile, Unusable, host_directory};
pub use compare::{Disagreement, Disagreements, disagreements};
pub use documents::{
    DiscoveredGroup, DiscoveredResource, DiscoveredVersion, ResourceList, decode_groups,
    decode_resources,
};
pub use http_cache::{HttpEntry, MalformedEntry, http_urls};
pub use kubectl::{Kubectl, ValidationDocuments};
pub use mapper::{GroupKind, GroupVersionKind, Mapping, Rule};
pub use message::{Missing, missing};
pub use predict::{
    ClientRequest, Command, DocumentUse, ManifestObject, Origin, Prediction, Refusal, predict,
    predict_manifest,
};
pub use resolve::{LookupKind, Match, Resolution};
pub use server::{ListAnswer, ServerDiscovery, VersionState};
