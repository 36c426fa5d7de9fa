//! A string type for values that must not be printed.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

/// A token, password or key. `Debug` hides it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Returns the value, to send it to its server.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// Encodes a user name and a password for HTTP basic authentication.
    pub(super) fn basic(name: &str, password: &str) -> Self {
        Self(STANDARD.encode(format!("{name}:{password}")))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an address without user name and password.
    pub fn address(&self) -> Option<String> {
        if !self.0.contains('@') {
            return Some(self.0.clone());
        }
        let mut url = url::Url::parse(&self.0).ok()?;
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        Some(url.into())
    }
}

/// Decodes the user name or password of a URL.
pub(super) fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl From<String> for Secret {
    fn from(value: String) -> Self {
        Self(value)
    }
}

impl From<&str> for Secret {
    fn from(value: &str) -> Self {
        Self(value.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_hides_the_value() {
        assert_eq!(format!("{:?}", Some(Secret::from("hunter2"))), "Some(Secret)");
    }

    #[test]
    fn addresses_are_shown_without_user_and_password() {
        let shown = |text: &str| Secret::from(text).address();
        assert_eq!(shown("localhost:6443").as_deref(), Some("localhost:6443"));
        let with_password = shown("https://me:hush@a.example:6443/x");
        assert_eq!(with_password.as_deref(), Some("https://a.example:6443/x"));
        assert_eq!(shown("me:hush@a.example"), None);
    }
}
