//! The query parameters of the page's JSON API.

use url::form_urlencoded;

/// The parameters of a question.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Query {
    /// The APIServices, CRDs and Services to remove.
    pub without: Vec<String>,
    /// An APIService.
    pub name: Option<String>,
    /// A request, as for `aggctl route`.
    pub request: Option<String>,
    /// The endpoint for which to return the order.
    pub form: Option<String>,
    /// The minor version of Kubernetes to upgrade to.
    pub to: Option<String>,
    /// Whether to compare with the other source instead of with the site itself.
    pub other: bool,
}

impl Query {
    /// Parses what follows the question mark. Unknown parameters are ignored.
    pub(super) fn parse(query: &str) -> Self {
        let mut parsed = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.into_owned();
            match &*key {
                "without" => parsed.without.push(value),
                "name" => parsed.name = Some(value),
                "request" => parsed.request = Some(value),
                "to" => parsed.to = Some(value),
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
