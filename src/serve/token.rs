//! The token that clients need if the server is not on loopback.

use aws_lc_rs::{constant_time, rand};

/// A random token. `Debug` does not show it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Returns a new token; `None` if the machine has no randomness.
    pub fn new() -> Option<Self> {
        let mut bytes = [0; 24];
        rand::fill(&mut bytes).ok()?;
        Some(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Returns the token in plain text.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Compares in constant time.
    pub(super) fn is(&self, word: &str) -> bool {
        constant_time::verify_slices_are_equal(self.0.as_bytes(), word.as_bytes()).is_ok()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}
