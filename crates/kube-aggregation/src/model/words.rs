//! Enums with a stable word for each variant.

/// Writes an enum with the word of each variant beside it, and what leads from one to the other.
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
            /// All of them, in order.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// The word for it, as the JSON contract has it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What a word stands for.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == word)
            }
        }
    };
}

/// Writes an enum of codes, the words for what aggctl finds, so that a new code is one line. What is
/// said of a code, and its documentation, are the entry of that name in `src/knowledge/entries`.
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
