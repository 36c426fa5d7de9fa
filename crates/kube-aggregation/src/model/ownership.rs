//! Ownership metadata of an object: labels, annotations and managed fields that show who wrote it.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// Optional [`OwnershipMetadata`]. Takes no heap memory for an object without any, as in a
/// manifest.
#[derive(Debug, Clone, Default)]
pub struct Ownership(Option<Box<OwnershipMetadata>>);

/// The metadata of an object without any.
static NONE: OwnershipMetadata = OwnershipMetadata {
    labels: BTreeMap::new(),
    annotations: BTreeMap::new(),
    managers: vec![],
    merge: Merge {
        stated: vec![],
        removed_labels: vec![],
        last_applied: None,
        finalizers: vec![],
        deleted: None,
    },
};

impl Deref for Ownership {
    type Target = OwnershipMetadata;

    fn deref(&self) -> &OwnershipMetadata {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Ownership {
    fn deref_mut(&mut self) -> &mut OwnershipMetadata {
        self.0.get_or_insert_default()
    }
}

impl From<OwnershipMetadata> for Ownership {
    fn from(traces: OwnershipMetadata) -> Self {
        Self((traces != NONE).then(|| Box::new(traces)))
    }
}

impl PartialEq for Ownership {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Ownership {}

/// Metadata that shows who wrote an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnershipMetadata {
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its annotations, except those with a copy of the object itself.
    pub annotations: BTreeMap<String, String>,
    /// `metadata.managedFields`, in write order. kubectl hides them without
    /// `--show-managed-fields`.
    pub managers: Vec<FieldManager>,
    /// What `kubectl apply` needs to merge a manifest into it.
    pub merge: Merge,
}

/// What `kubectl apply` considers besides the values of fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merge {
    /// The optional fields that the object sets, including to null.
    pub stated: Vec<Field>,
    /// The labels that a manifest sets to null.
    pub removed_labels: Vec<String>,
    /// The fields and labels of its `last-applied-configuration`.
    pub last_applied: Option<(Vec<Field>, Vec<String>)>,
    /// `metadata.finalizers`, which delay its deletion.
    pub finalizers: Vec<String>,
    /// `metadata.deletionTimestamp` as written. If set, the object disappears with its last
    /// finalizer.
    pub deleted: Option<String>,
}

/// An optional field of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `metadata.finalizers`
    Finalizers,
    /// `spec.service`
    Service,
    /// `spec.service.port`
    Port,
    /// `spec.caBundle`
    CaBundle,
    /// `spec.insecureSkipTLSVerify`
    InsecureSkipTlsVerify,
    /// `spec.groupPriorityMinimum`
    GroupPriority,
    /// `spec.versionPriority`
    VersionPriority,
    /// `spec.names.singular`
    Singular,
    /// `spec.names.listKind`
    ListKind,
    /// `spec.names.shortNames`
    ShortNames,
    /// `spec.names.categories`
    Categories,
}

/// One entry of `metadata.managedFields`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldManager {
    /// The name that the client chose for itself.
    pub manager: String,
    /// The time of its last write, as written.
    pub time: Option<String>,
    /// The fields that it owns, such as `spec.caBundle`, `spec.service` or `status.conditions`.
    pub fields: Vec<String>,
}
