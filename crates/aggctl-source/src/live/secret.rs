//! A string type for values that must not be printed.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

/// What is shown instead of a secret.
const HIDDEN: &str = "[secret]";

/// A token, password or key. `Debug` hides it.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Returns the value, to send it to its server.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// Hides the value in a text. A short one is hidden only where it is a word of its own, so that
    /// it does not garble words that contain it.
    pub(super) fn hidden_in(&self, text: &str) -> String {
        const SHORT: usize = 8;
        if self.0.len() >= SHORT {
            return text.replace(&self.0, HIDDEN);
        }
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find(&self.0).filter(|_| !self.0.is_empty()) {
            let (before, found) = rest.split_at(at);
            let after = found.get(self.0.len()..).unwrap_or_default();
            let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let inside = joins(before.chars().next_back().or(shown.chars().next_back()))
                || joins(after.chars().next());
            shown.push_str(before);
            shown.push_str(if inside { &self.0 } else { HIDDEN });
            rest = after;
        }
        shown + rest
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
    fn a_short_secret_garbles_no_word() {
        let hidden = |secret: &str, text: &str| Secret::from(secret).hidden_in(text);
        assert_eq!(
            hidden("disc", "discovery.k8s.io: disc, xdisc"),
            "discovery.k8s.io: [secret], xdisc"
        );
        assert_eq!(hidden("disc", "Bearer disc"), "Bearer [secret]");
        assert_eq!(hidden("aa", "aaa aa"), "aaa [secret]");
        assert_eq!(hidden("", "a"), "a");
        assert_eq!(hidden("long-secret", "xlong-secretx"), "x[secret]x");
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
