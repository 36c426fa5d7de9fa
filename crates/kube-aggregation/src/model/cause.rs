//! Why a requested document or list could not be read.

/// The reason for a failed read. A dump's manifest stores it as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The server denied access (403).
    Forbidden,
    /// The server could not authenticate the request (401).
    Unauthorized,
    /// The server does not have it (404).
    NotFound,
    /// The server returned another status.
    Status(u16),
    /// The request timed out without an answer from the backend.
    Silence,
    /// The time limit for reading the whole cluster expired.
    OutOfTime,
    /// The connection could not be established, or was lost.
    Connection,
    /// The answer is not in the expected format.
    Unusable,
    /// The answer exceeds the size limit.
    TooLarge,
    /// The cause was not recorded.
    Unknown,
}

const WORDS: [(Cause, &str); 9] = [
    (Cause::Forbidden, "forbidden"),
    (Cause::Unauthorized, "unauthorized"),
    (Cause::NotFound, "not-found"),
    (Cause::Silence, "silence"),
    (Cause::OutOfTime, "out-of-time"),
    (Cause::Connection, "connection"),
    (Cause::Unusable, "unusable"),
    (Cause::TooLarge, "too-large"),
    (Cause::Unknown, "unknown"),
];

impl Cause {
    /// Returns the word that a dump's manifest uses for it.
    pub fn word(self) -> String {
        match self {
            Self::Status(status) => format!("status-{status}"),
            _ => WORDS.iter().find(|(cause, _)| *cause == self).map_or("unknown", |w| w.1).into(),
        }
    }

    /// Parses a word of a dump's manifest. An unknown word becomes [`Cause::Unknown`].
    pub(crate) fn parse(word: &str) -> Self {
        let status = word.strip_prefix("status-").and_then(|status| status.parse().ok());
        let known = || WORDS.iter().find(|(_, known)| *known == word).map(|(cause, _)| *cause);
        status.map(Self::Status).or_else(known).unwrap_or(Self::Unknown)
    }

    /// Returns whether the server or the connection failed, so that a retry may succeed. A denied
    /// or missing resource is not such a failure.
    pub fn is_breakdown(self) -> bool {
        match self {
            Self::Status(status) => status >= 500 || status == 429,
            Self::Unauthorized | Self::Silence | Self::OutOfTime | Self::Connection => true,
            Self::Forbidden | Self::NotFound | Self::Unusable | Self::TooLarge | Self::Unknown => {
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_back() {
        let all = WORDS.iter().map(|(cause, _)| *cause).chain([Cause::Status(503)]);
        for cause in all {
            assert_eq!(Cause::parse(&cause.word()), cause);
        }
        // The word in manifests from before causes existed.
        assert_eq!(Cause::parse("failed"), Cause::Unknown);
    }
}
