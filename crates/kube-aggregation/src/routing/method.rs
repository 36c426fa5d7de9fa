//! The HTTP methods.

use std::fmt;

use crate::model::words;

words! {
    /// The HTTP methods that the server can be asked with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are those of HTTP")]
    pub enum Method {
        Get = "GET",
        Head = "HEAD",
        Post = "POST",
        Put = "PUT",
        Patch = "PATCH",
        Delete = "DELETE",
        Options = "OPTIONS",
        Connect = "CONNECT",
        Trace = "TRACE",
    }
}

impl Method {
    /// Reads a method in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.as_str().eq_ignore_ascii_case(text))
    }

    /// The verb of a request that is not about a resource.
    pub(super) fn lowercase(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Head => "head",
            Self::Post => "post",
            Self::Put => "put",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::Options => "options",
            Self::Connect => "connect",
            Self::Trace => "trace",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
