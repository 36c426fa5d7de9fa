//! What became of each part of the merged document.

/// Whose an entry of the merged document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    /// The local servers.
    Local,
    /// The part with that number, in the order of merging.
    Part(usize),
}

/// What became of a part.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contribution {
    /// The APIService.
    pub name: String,
    /// The paths that it added.
    pub paths: Vec<String>,
    /// Its paths outside of the group version, which are left out.
    pub outside: Vec<String>,
    /// Its paths that the local servers have already, which are left out.
    pub taken: Vec<String>,
    /// Definitions that got another name.
    pub renamed: Vec<Renamed>,
    /// Definitions that are somebody else's word for word, but mean other types there.
    pub borrowed: Vec<Borrowed>,
    /// Parameters that got another name.
    pub renamed_parameters: Vec<Renamed>,
    /// Definitions of others that now stand for more kinds.
    pub kinds: Vec<String>,
    /// What protobuf has no place for.
    pub not_protobuf: Option<NotProtobuf>,
    /// Why nothing can be merged.
    pub failure: Option<MergeFailure>,
}

/// A definition or parameter that met another one of its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// What it was called.
    pub name: String,
    /// What it is called now.
    pub to: String,
    /// Whose the other one is.
    pub owner: Owner,
}

/// A definition that is shared, although what it refers to was renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Borrowed {
    /// The definition.
    pub name: String,
    /// What it refers to, by the name that the other one's has.
    pub refers_to: String,
    /// Whose it is.
    pub owner: Owner,
}

/// A property that JSON has and protobuf has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotProtobuf {
    /// The definition, the parameter or the path.
    pub at: String,
    /// The property.
    pub property: String,
}

/// Why a part spoils the whole document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeFailure {
    /// A new path is, by letters, the beginning of one that conflicts, which is then not left out.
    DuplicatedPath {
        /// The new path.
        prefix: String,
        /// The paths that conflict: the server names one of them, by chance.
        paths: Vec<String>,
    },
    /// A definition that has no extension at all is to get a kind: the server panics.
    KindOnPlainDefinition {
        /// The definition.
        name: String,
    },
    /// The kinds of a definition are not a list of kinds.
    NotKinds {
        /// The definition.
        name: String,
    },
}
