//! The discovery documents that the aggregator serves, merged from their parts. Pure.
//!
//! The parts are APIServices, CRDs and the APIResourceList of each group version. If the source has
//! a merged document of the server, it is compared ([`legacy_differences`]) or passed on
//! ([`page()`]), but never used as a part.

mod compare;
mod convert;
mod document;
mod merge;
mod page;

pub use compare::{Difference, aggregated_differences, legacy_differences};
pub use convert::resources_of_list;
pub use document::{
    DiscoveryDocument, MissingResources, Taken, aggregated_versions, document, missing, usual_form,
};
pub use merge::registered;
pub use merge::{
    Aggregated, From, MergedGroup, MergedVersion, aggregated, aggregated_core, aggregated_order,
    legacy,
};
pub use page::{Behind, DocumentPage, page};
