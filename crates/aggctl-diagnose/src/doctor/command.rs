//! Builds command lines for the user to copy. aggctl never runs them.

use std::borrow::Cow;

use kube_aggregation::availability::EndpointKind;
use kube_aggregation::model::{Service, ServiceReference, ServiceType};

/// Quotes a word for a shell if needed, since names come from untrusted input.
pub fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&b);
    if !word.is_empty() && !word.starts_with('-') && word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// Returns the label selector of a Service as one shell argument.
pub(super) fn selector(service: Option<&Service>) -> Option<String> {
    let selector = &service?.selector;
    let pairs: Vec<String> = selector.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (!pairs.is_empty()).then(|| quoted(&pairs.join(",")).into_owned())
}

/// Returns the command that lists the addresses behind a Service.
pub(super) fn get_endpoints(reference: &ServiceReference, kind: EndpointKind) -> String {
    let (namespace, name) = (quoted(&reference.namespace), quoted(&reference.name));
    let what = match kind {
        EndpointKind::Endpoints => format!("endpoints {name}"),
        EndpointKind::EndpointSlices => {
            format!("endpointslices -l kubernetes.io/service-name={name}")
        }
    };
    format!("kubectl -n {namespace} get {what} -o yaml")
}

/// Returns the command that shows the logs behind a Service; `None` for an ExternalName, which is
/// outside the cluster. A Service without a selector is described instead.
pub(super) fn logs(reference: &ServiceReference, service: Option<&Service>) -> Option<String> {
    let namespace = quoted(&reference.namespace);
    match (selector(service), service.map(|s| &s.kind)) {
        (Some(selector), _) => Some(format!("kubectl -n {namespace} logs -l {selector} --tail=50")),
        (None, Some(ServiceType::ExternalName)) => None,
        (None, _) => {
            Some(format!("kubectl -n {namespace} describe service {}", quoted(&reference.name)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_shell_takes_words_as_they_are() {
        for (word, want) in [
            ("v1.apps", "v1.apps"),
            ("app=web,tier=a", "app=web,tier=a"),
            ("", "''"),
            ("-rf", "'-rf'"),
            ("a b", "'a b'"),
            ("$(reboot)", "'$(reboot)'"),
            ("it's", r"'it'\''s'"),
            ("a;b", "'a;b'"),
        ] {
            assert_eq!(quoted(word), want);
        }
    }
}
