//! Parses and compares API version strings, such as `v1beta1`, in the order of the API server.

use std::cmp::Ordering;

/// The stability level of a kube-like version. Ordered: alpha < beta < GA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// `v1alpha1`
    Alpha,
    /// `v1beta1`
    Beta,
    /// `v1`
    Ga,
}

/// A kube-like version string, which the server can compare: `v2`, `v1beta3`, `v1alpha1`.
///
/// The derived order matches the server: stage, then major, then minor. Greater is preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KubeVersion {
    /// Alpha, beta or GA.
    pub stage: Stage,
    /// The number after `v`.
    pub major: i64,
    /// The number after `alpha` or `beta`; 0 for GA.
    pub minor: i64,
}

impl KubeVersion {
    /// Parses a kube-like version. Returns `None` for anything else, however similar.
    ///
    /// As in the server, digits are ASCII and leading zeros are ignored. A number that overflows a
    /// signed 64-bit integer makes the string an ordinary word.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, rest) = number(text.strip_prefix('v')?)?;
        if rest.is_empty() {
            return Some(Self { stage: Stage::Ga, major, minor: 0 });
        }
        let (stage, rest) = match rest.strip_prefix("alpha") {
            Some(rest) => (Stage::Alpha, rest),
            None => (Stage::Beta, rest.strip_prefix("beta")?),
        };
        let (minor, rest) = number(rest)?;
        rest.is_empty().then_some(Self { stage, major, minor })
    }
}

/// Splits off the leading ASCII digits as a number.
fn number(text: &str) -> Option<(i64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest))
}

/// Compares version strings in the server's order, most preferred first.
///
/// Kube-like versions precede all others: GA before beta before alpha, higher numbers first. Other
/// strings follow in ascending byte order. Strings that the server considers equal (`v1` and `v01`)
/// are ordered by bytes, so that the order is total.
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    match (KubeVersion::parse(a), KubeVersion::parse(b)) {
        (Some(x), Some(y)) => y.cmp(&x).then_with(|| a.cmp(b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sorts_as_the_server_does() {
        let all = "foo10 v11alpha2 v1 foo1 v10beta3 v2 v12alpha1 v10 v3beta1 v11beta2";
        let mut versions: Vec<&str> = all.split(' ').collect();
        versions.sort_by(|a, b| compare_versions(a, b));
        let want = "v10 v2 v1 v11beta2 v10beta3 v3beta1 v12alpha1 v11alpha2 foo1 foo10";
        assert_eq!(versions.join(" "), want);
    }

    #[test]
    fn only_kube_like_strings_parse() {
        for good in ["v1", "v0", "v01", "v1alpha1", "v1beta0", "v9223372036854775807"] {
            assert!(KubeVersion::parse(good).is_some(), "{good}");
        }
        let words = ["", "v", "1", "V1", "v1beta", "v1gamma1", "v1beta1x", "v1alphabeta1"];
        let signs = ["v-1", "v+1", "v1.0", " v1", "v1\n", "v٣"];
        let large = ["v9223372036854775808", "v1alpha9223372036854775808"];
        for bad in words.iter().chain(&signs).chain(&large) {
            assert_eq!(KubeVersion::parse(bad), None, "{bad:?}");
        }
    }

    fn version() -> impl Strategy<Value = String> {
        prop_oneof!["v[0-9]{1,3}((alpha|beta)[0-9]{1,2})?", "[a-z0-9]{0,6}", ".{0,8}"]
    }

    proptest! {
        #[test]
        fn order_is_total(a in version(), b in version(), c in version()) {
            prop_assert_eq!(compare_versions(&a, &b), compare_versions(&b, &a).reverse());
            prop_assert_eq!(compare_versions(&a, &b) == Ordering::Equal, a == b);
            if compare_versions(&a, &b).is_le() && compare_versions(&b, &c).is_le() {
                prop_assert!(compare_versions(&a, &c).is_le());
            }
        }
    }
}
