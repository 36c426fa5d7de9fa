//! The arguments of `kubectl get`.

use crate::refusal::Refusal;

/// What the arguments of `kubectl get` name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Arguments {
    /// `pods,services` or `pods web`: types, and the names of objects of one type.
    Types(String, Vec<String>),
    /// `pods/web services/web`, each a type and a name.
    Objects(Vec<(String, String)>),
}

/// Splits at commas, and drops repetitions.
pub(crate) fn unique(list: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    for word in list.split(',') {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// Parses the arguments of `kubectl get`.
pub(crate) fn parse(arguments: &[String]) -> Result<Arguments, Refusal> {
    let [first, names @ ..] = arguments else { return Err(Refusal::NoType) };
    let types = unique(first);
    // `pods,services web` is `pods/web services/web`.
    let pairs: Vec<String> = match names {
        [_, ..] if types.len() > 1 => types
            .iter()
            .flat_map(|one| names.iter().map(move |name| format!("{one}/{name}")))
            .collect(),
        _ => arguments.to_vec(),
    };
    let combined = pairs.iter().filter(|word| word.contains('/')).count();
    if combined == 0 {
        return Ok(Arguments::Types(first.clone(), names.to_vec()));
    }
    if combined != pairs.len() {
        return Err(Refusal::MixedForms);
    }
    let pair = |word: &String| match *word.split('/').collect::<Vec<_>>() {
        [kind, name] if !kind.is_empty() && !name.is_empty() && unique(kind).len() == 1 => {
            Ok((kind.to_owned(), name.to_owned()))
        }
        _ => Err(Refusal::MalformedPair(word.clone())),
    };
    pairs.iter().map(pair).collect::<Result<_, _>>().map(Arguments::Objects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_kubectl() {
        let parsed = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            parse(&words)
        };
        let pair = |kind: &str, name: &str| (kind.to_owned(), name.to_owned());
        assert_eq!(parsed("pods"), Ok(Arguments::Types("pods".into(), vec![])));
        assert_eq!(
            parsed("po a b"),
            Ok(Arguments::Types("po".into(), vec!["a".into(), "b".into()]))
        );
        assert_eq!(
            parsed("po/a svc/b"),
            Ok(Arguments::Objects(vec![pair("po", "a"), pair("svc", "b")]))
        );
        assert_eq!(
            parsed("po,svc a"),
            Ok(Arguments::Objects(vec![pair("po", "a"), pair("svc", "a")]))
        );
        assert_eq!(parsed("po svc/b"), Err(Refusal::MixedForms));
        assert_eq!(parsed("po/a/b"), Err(Refusal::MalformedPair("po/a/b".into())));
        assert_eq!(parsed("po/"), Err(Refusal::MalformedPair("po/".into())));
    }
}
