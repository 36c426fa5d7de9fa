//! The codec of `/version`.

use super::object;
use crate::model::{Minor, ServerVersion};

object! {
    /// What `/version` answers. Some distributions write a minor like `36+`.
    pub(crate) struct VersionObject {
        major: String,
        minor: String,
        git_version: String,
    }
}

impl From<VersionObject> for ServerVersion {
    fn from(object: VersionObject) -> Self {
        let stated = Minor::parse(&format!("{}.{}", object.major, object.minor));
        let tagged = || Minor::parse(&object.git_version);
        Self {
            // A server that was built without its version says v0.0.0-master, which tells nothing.
            minor: stated.or_else(tagged).filter(|minor| minor.major > 0),
            git_version: object.git_version,
        }
    }
}

impl From<&ServerVersion> for VersionObject {
    fn from(model: &ServerVersion) -> Self {
        let Minor { major, minor } = model.minor.unwrap_or(Minor { major: 0, minor: 0 });
        Self {
            major: major.to_string(),
            minor: minor.to_string(),
            git_version: model.git_version.clone(),
        }
    }
}
