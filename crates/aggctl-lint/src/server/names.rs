//! The name formats that the API server checks. Each function returns what is wrong, or `None`.

/// Checks a dotted lowercase name (DNS-1123 subdomain): API groups, prefixes of keys.
pub(super) fn subdomain(name: &str) -> Option<String> {
    if name.len() > 253 {
        return Some(format!("is {} characters long; the limit is 253", name.len()));
    }
    let valid = name.split('.').all(|part| lowercase_label(part, false));
    (!valid).then(|| {
        "must be lowercase letters, digits, `-` and `.`, and each part must start and end with a \
         letter or a digit"
            .to_owned()
    })
}

/// Checks a lowercase name that starts with a letter (DNS-1035 label): API versions.
pub(super) fn label_1035(name: &str) -> Option<String> {
    if name.len() > 63 {
        return Some(format!("is {} characters long; the limit is 63", name.len()));
    }
    (!lowercase_label(name, true)).then(|| {
        "must be lowercase letters, digits and `-`, start with a letter and end with a letter or a \
         digit"
            .to_owned()
    })
}

/// Returns whether one part of such a name is valid.
pub(super) fn lowercase_label(part: &str, letter_first: bool) -> bool {
    let bytes = part.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return false };
    let alphanumeric = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    alphanumeric(last)
        && if letter_first { first.is_ascii_lowercase() } else { alphanumeric(first) }
        && bytes.iter().all(|b| alphanumeric(b) || *b == b'-')
}

/// Checks a key of labels or annotations, or a finalizer: `prefix/name` or `name`.
pub(super) fn qualified(key: &str) -> Option<String> {
    let name = match key.split('/').collect::<Vec<_>>()[..] {
        [name] => name,
        ["", _] => return Some("has nothing before the `/`".to_owned()),
        [prefix, name] => {
            if let Some(problem) = subdomain(prefix) {
                return Some(format!("has a prefix that {problem}"));
            }
            name
        }
        _ => return Some("has more than one `/`".to_owned()),
    };
    if name.is_empty() {
        return Some("has an empty name".to_owned());
    }
    if name.len() > 63 {
        return Some(format!("has a name of {} characters; the limit is 63", name.len()));
    }
    (!token(name)).then(|| {
        "must be letters, digits, `-`, `_` and `.`, and start and end with a letter or a digit"
            .to_owned()
    })
}

/// Checks the value of a label.
pub(super) fn label_value(value: &str) -> Option<String> {
    if value.len() > 63 {
        return Some(format!("is {} characters long; the limit is 63", value.len()));
    }
    (!value.is_empty() && !token(value)).then(|| {
        "must be letters, digits, `-`, `_` and `.`, and start and end with a letter or a digit"
            .to_owned()
    })
}

fn token(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

/// Checks that a name can be one segment of a request path.
pub(super) fn path_segment(name: &str) -> Option<&'static str> {
    match name {
        "." => Some("may not be `.`"),
        ".." => Some("may not be `..`"),
        _ if name.contains('/') => Some("may not contain `/`"),
        _ if name.contains('%') => Some("may not contain `%`"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains() {
        for good in ["a", "9good.com", "a-b.c", &"a".repeat(253)] {
            assert_eq!(subdomain(good), None, "{good}");
        }
        for bad in ["", ".", "a..b", "-a", "a-", "A", "a_b", "a b", "a.", &"a".repeat(254)] {
            assert!(subdomain(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn versions() {
        for good in ["v1", "v", "foo", "v1-a", &"v".repeat(63)] {
            assert_eq!(label_1035(good), None, "{good}");
        }
        for bad in ["", "1", "V1", "v1.0", "v1-", "-v", "v 1", &"v".repeat(64)] {
            assert!(label_1035(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn keys_and_values() {
        for good in ["a", "A.b_c-d", "example.com/Name"] {
            assert_eq!(qualified(good), None, "{good}");
        }
        for bad in ["", "/a", "a/", "A/b", "a/b/c", "a b", "-a", "é"] {
            assert!(qualified(bad).is_some(), "{bad}");
        }
        assert_eq!(label_value(""), None);
        assert_eq!(label_value("a_b"), None);
        assert!(label_value("-").is_some());
    }
}
