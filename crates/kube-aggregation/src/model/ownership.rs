//! Who wrote an object, as far as it says so itself.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

/// The [`OwnershipMetadata`] of an object, which take no room where it has none, as in a manifest.
#[derive(Debug, Clone, Default)]
pub struct Ownership(Option<Box<OwnershipMetadata>>);

/// Those of an object without any.
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

/// Traces of who wrote an object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnershipMetadata {
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its annotations, without copies of the object itself.
    pub annotations: BTreeMap<String, String>,
    /// `metadata.managedFields`, in the order in which they were written; kubectl hides them
    /// unless it is asked with `--show-managed-fields`.
    pub managers: Vec<FieldManager>,
    /// What `kubectl apply` needs to merge a manifest into it.
    pub merge: Merge,
}

/// What `kubectl apply` looks at beside the values of fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merge {
    /// The optional fields that the object states itself, null included.
    pub stated: Vec<Field>,
    /// The labels that a manifest sets to null.
    pub removed_labels: Vec<String>,
    /// Those that it was last applied with, from `last-applied-configuration`, and its labels then.
    pub last_applied: Option<(Vec<Field>, Vec<String>)>,
    /// `metadata.finalizers`: what holds it when it is deleted.
    pub finalizers: Vec<String>,
    /// `metadata.deletionTimestamp` as written: the object is removed with its last finalizer.
    pub deleted: Option<String>,
}

/// A field that a manifest may leave out.
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
    /// The name that the client gave itself.
    pub manager: String,
    /// When it last wrote, as written.
    pub time: Option<String>,
    /// The fields that it owns: `spec.caBundle`, `spec.service`, `status.conditions`.
    pub fields: Vec<String>,
}
