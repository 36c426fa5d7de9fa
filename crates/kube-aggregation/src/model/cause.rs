//! Why something that was asked for could not be read.

/// A typed reason; a dump's manifest keeps its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The server refuses to show it (403).
    Forbidden,
    /// The server does not know who asks (401).
    Unauthorized,
    /// The server does not have it (404).
    NotFound,
    /// The server answers with another status.
    Status(u16),
    /// No answer in the time that one request has: nobody behind the server answers.
    Silence,
    /// The time for reading the whole cluster ran out.
    OutOfTime,
    /// There was no connection to the server, or it was cut.
    Connection,
    /// The answer is not what was asked for.
    Unusable,
    /// The answer is larger than what is read.
    TooLarge,
    /// Nobody wrote down why.
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
    /// The word that a dump's manifest has for it.
    pub fn word(self) -> String {
        match self {
            Self::Status(status) => format!("status-{status}"),
            _ => WORDS.iter().find(|(cause, _)| *cause == self).map_or("unknown", |w| w.1).into(),
        }
    }

    /// The cause of that word; a word that is not known tells nothing.
    pub(crate) fn parse(word: &str) -> Self {
        let status = word.strip_prefix("status-").and_then(|status| status.parse().ok());
        let known = || WORDS.iter().find(|(_, known)| *known == word).map(|(cause, _)| *cause);
        status.map(Self::Status).or_else(known).unwrap_or(Self::Unknown)
    }

    /// Whether the server failed, or the way to it: asked again, the answer may be another. What
    /// it refuses to show, or does not have, it refuses for good.
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
        // As manifests had it before there were causes.
        assert_eq!(Cause::parse("failed"), Cause::Unknown);
    }
}
