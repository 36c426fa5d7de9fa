//! Macros for enums that have a stable word per variant, as used in the JSON output.

/// Defines an enum with a word per variant, and conversions between the two.
#[macro_export]
#[doc(hidden)]
macro_rules! words {
    ($(#[$about:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $word:literal,)*
    }) => {
        $(#[$about])*
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All variants, in order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Returns the word, as in the JSON output.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// Returns the variant for a word.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }
    };
}

/// Defines an enum of codes, so that a new code is one line. The text about a code is the entry
/// with its name in `aggctl-diagnose/src/knowledge/entries`.
#[macro_export]
#[doc(hidden)]
macro_rules! codes {
    (#[doc = $about:literal] $($variants:tt)*) => {
        $crate::words! {
            #[doc = $about]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum Code {
                $($variants)*
            }
        }

        impl std::fmt::Display for Code {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
