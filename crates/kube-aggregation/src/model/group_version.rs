//! API groups with a version, such as `apps/v1`, and their paths and names.

use std::fmt;

/// An API group and one of its versions. The legacy core group has an empty name.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion {
    /// The group, such as `apps`; empty for the legacy core group.
    pub group: String,
    /// The version, such as `v1`.
    pub version: String,
}

impl GroupVersion {
    /// Creates a group version from its two parts.
    pub fn new(group: impl Into<String>, version: impl Into<String>) -> Self {
        Self { group: group.into(), version: version.into() }
    }

    /// Returns the group version that a request path belongs to.
    pub fn of_path(path: &str) -> Option<Self> {
        let mut segments = path.split('/').filter(|part| !part.is_empty());
        match segments.next()? {
            "apis" => Some(Self::new(segments.next()?, segments.next()?)),
            "api" => Some(Self::new("", segments.next()?)),
            _ => None,
        }
    }

    /// Parses `group/version`, or a lone `version` of the core group.
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('/') {
            Some((group, version)) if !group.is_empty() && !version.is_empty() => {
                (!version.contains('/')).then(|| Self::new(group, version))
            }
            Some(_) => None,
            None => (!text.is_empty()).then(|| Self::new("", text)),
        }
    }

    /// Parses the root path of a group version: `/apis/apps/v1` or `/api/v1`, and nothing below.
    pub fn at_root(path: &str) -> Option<Self> {
        let gv = path.strip_prefix("/apis/").or_else(|| path.strip_prefix("/api/"))?;
        Self::parse(gv).filter(|gv| gv.group.is_empty() != path.starts_with("/apis/"))
    }

    /// Returns the root path: `/apis/apps/v1`, or `/api/v1` for the core group.
    pub fn root_path(&self) -> String {
        if self.group.is_empty() {
            format!("/api/{}", self.version)
        } else {
            format!("/apis/{}/{}", self.group, self.version)
        }
    }

    /// Returns the name that its APIService must have: `v1.apps`, or `v1.` for the core group.
    pub fn api_service_name(&self) -> String {
        format!("{}.{}", self.version, self.group)
    }
}

impl fmt::Display for GroupVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            f.write_str(&self.version)
        } else {
            write!(f, "{}/{}", self.group, self.version)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_prints() {
        for (text, group, version) in [("apps/v1", "apps", "v1"), ("v1", "", "v1")] {
            let gv = GroupVersion::parse(text).unwrap();
            assert_eq!((gv.group.as_str(), gv.version.as_str()), (group, version));
            assert_eq!(gv.to_string(), text);
        }
        for text in ["", "/", "/v1", "apps/", "a/b/c"] {
            assert_eq!(GroupVersion::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn core_group_lives_under_api() {
        assert_eq!(GroupVersion::new("", "v1").root_path(), "/api/v1");
        assert_eq!(GroupVersion::new("apps", "v1").root_path(), "/apis/apps/v1");
        assert_eq!(GroupVersion::new("", "v1").api_service_name(), "v1.");
    }
}
