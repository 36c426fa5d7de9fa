//! What the page asks with: the parameters of a query.

use url::form_urlencoded;

/// The parameters of an answer.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Query {
    /// The APIServices, CRDs and Services that are taken as gone.
    pub without: Vec<String>,
    /// An APIService.
    pub name: Option<String>,
    /// A request, as behind `aggctl route`.
    pub request: Option<String>,
    /// Whose order.
    pub form: Option<String>,
    /// Compare with the other source, not with how it is without the changes.
    pub other: bool,
}

impl Query {
    /// Reads what follows the question mark. What it does not know it leaves alone.
    pub(super) fn parse(query: &str) -> Self {
        let mut parsed = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.into_owned();
            match &*key {
                "without" => parsed.without.push(value),
                "name" => parsed.name = Some(value),
                "request" => parsed.request = Some(value),
                "form" => parsed.form = Some(value),
                "other" => parsed.other = true,
                _ => {}
            }
        }
        parsed.without.sort();
        parsed.without.dedup();
        parsed
    }
}
