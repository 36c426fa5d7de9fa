//! Typo suggestions: finds the closest existing name to a misspelled one.

/// Minimum length of a word that may match as part of a longer name.
const TELLING: usize = 4;

/// Returns the closest name to a wrong one. A name is close if at most a third of the letters
/// differ, or if it contains the wrong one. Ties go to the alphabetically first name.
pub fn nearest<T: AsRef<str>>(wrong: &str, names: impl IntoIterator<Item = T>) -> Option<T> {
    /// Longer than any real name. Comparing takes time proportional to the product of both lengths.
    const LONGEST: usize = 300;
    let wrong = wrong.to_lowercase();
    if wrong.len() > LONGEST {
        return None;
    }
    let rank = |name: &str| -> Option<(bool, usize)> {
        let name = name.to_lowercase();
        let longest = wrong.chars().count().max(name.chars().count());
        let distance = strsim::osa_distance(&wrong, &name);
        if distance * 3 <= longest {
            return Some((false, distance));
        }
        let part = wrong.chars().count() >= TELLING && name.contains(&wrong);
        part.then_some((true, distance))
    };
    let ranked = names.into_iter().filter_map(|name| Some((rank(name.as_ref())?, name)));
    ranked
        .min_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.as_ref().cmp(y.as_ref())))
        .map(|(_, n)| n)
}

/// Formats the closest name as a question.
pub fn did_you_mean<T: AsRef<str>>(
    wrong: &str,
    names: impl IntoIterator<Item = T>,
) -> Option<String> {
    nearest(wrong, names).map(|name| format!("did you mean {}?", name.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_a_third_of_the_letters_or_a_part() {
        let names = ["v1.apps", "v1beta1.metrics.k8s.io", "v1.batch", "v2.autoscaling"];
        for (wrong, want) in [
            ("v1.app", Some("v1.apps")),
            ("V1.APPS", Some("v1.apps")),
            ("v1.bacth", Some("v1.batch")),
            ("v1beta1.metrics.k8s.oi", Some("v1beta1.metrics.k8s.io")),
            ("metrics", Some("v1beta1.metrics.k8s.io")),
            ("metrics.k8s.io", Some("v1beta1.metrics.k8s.io")),
            ("app", None),
            ("nonsense", None),
            ("", None),
            ("x", None),
            ("你好", None),
        ] {
            assert_eq!(nearest(wrong, names), want, "{wrong}");
        }
        assert_eq!(nearest("aps", ["apps", "aks"]), Some("aks"));
        assert_eq!(nearest("x", Vec::<String>::new()), None);
    }
}
