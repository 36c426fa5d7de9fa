//! The result of merging each part into the v2 document.

/// The owner of an entry in the merged document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The local servers.
    Local,
    /// The part with this index, in merge order.
    Part(usize),
}

/// The result of merging one part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contribution {
    /// The name of the APIService.
    pub name: String,
    /// The paths that the part added.
    pub paths: Vec<String>,
    /// Paths outside the group version, which are dropped.
    pub outside: Vec<String>,
    /// Paths that the local servers already serve, which are dropped.
    pub taken: Vec<String>,
    /// Definitions that were renamed.
    pub renamed: Vec<Renamed>,
    /// Definitions with the same text as another server's, but with references to other types.
    pub borrowed: Vec<Borrowed>,
    /// Parameters that were renamed.
    pub renamed_parameters: Vec<Renamed>,
    /// Definitions of other owners to which the part added kinds.
    pub kinds: Vec<String>,
    /// The first property that cannot be encoded in protobuf.
    pub not_protobuf: Option<NotProtobuf>,
    /// Why the whole merge fails because of this part.
    pub failure: Option<MergeFailure>,
}

/// A definition or parameter that was renamed because its name was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The name before.
    pub name: String,
    /// The name after.
    pub to: String,
    /// The owner of the entry with the original name.
    pub owner: Owner,
}

/// A definition that is shared although something that it refers to was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Borrowed {
    /// The definition.
    pub name: String,
    /// The name of the definition that it refers to, and that now belongs to the other owner.
    pub refers_to: String,
    /// The owner of the shared definition.
    pub owner: Owner,
}

/// A property that JSON can encode and protobuf cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProtobuf {
    /// The definition, parameter or path that contains it.
    pub at: String,
    /// The name of the property.
    pub property: String,
}

/// Why a part makes the whole merge fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeFailure {
    /// A new path is a string prefix of a conflicting path, so the conflicting path is not dropped.
    DuplicatedPath {
        /// The new path.
        prefix: String,
        /// The conflicting paths. The server names one of them at random.
        paths: Vec<String>,
    },
    /// A kind is added to a definition without any extension: the server panics.
    KindOnPlainDefinition {
        /// The name of the definition.
        name: String,
    },
    /// The kinds extension of a definition is not a list of kinds.
    NotKinds {
        /// The name of the definition.
        name: String,
    },
}
