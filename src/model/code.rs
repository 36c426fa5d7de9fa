//! Codes: the stable words for what aggctl finds.

/// Writes an enum of codes with their words, so that a new code is one line. What is said of a code,
/// and its documentation, are the entry of that name in `src/knowledge/entries`.
macro_rules! codes {
    (#[doc = $what:literal] $($(#[doc = $doc:literal])* $variant:ident = $word:literal,)*) => {
        #[doc = $what]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for Code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use codes;
