//! What others must know to be answered.

use aws_lc_rs::{constant_time, rand};

/// A word that cannot be guessed. It is not shown by `Debug`.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one; none where the machine has no randomness.
    pub fn new() -> Option<Self> {
        let mut bytes = [0; 24];
        rand::fill(&mut bytes).ok()?;
        Some(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The word itself.
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// Whether somebody knows it, without telling by the time how much of it.
    pub(super) fn is(&self, word: &str) -> bool {
        constant_time::verify_slices_are_equal(self.0.as_bytes(), word.as_bytes()).is_ok()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}
