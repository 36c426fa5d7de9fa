//! Whether a rule allows a request. Mirrors `RuleAllows` of the server's RBAC authorizer.

use std::fmt;

use super::attributes::{Attributes, ResourceAttributes};
use kube_aggregation::model::{PolicyRule, some_of, words};

const ALL: &str = "*";

words! {
    /// What a rule or its binding can miss a request by, from the slightest to the gravest.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Aspect {
        Name = "name",
        Verb = "verb",
        Subresource = "subresource",
        Namespace = "namespace",
        Url = "URL",
        Resource = "resource",
        Group = "group",
    }
}

/// A rule of a role, shown as `list, watch pods, pods/log of the core group`.
#[derive(Debug, Clone, Copy)]
pub struct Rule<'a>(pub &'a PolicyRule);

impl Rule<'_> {
    /// Whether it allows a request.
    pub fn allows(self, request: &Attributes<'_>) -> bool {
        allows(self.0, request)
    }

    /// Whether it allows changing some or all objects of a kind.
    pub fn changes(self, group: &str, resource: &str) -> bool {
        let writes = has(&self.0.verbs, "update") || has(&self.0.verbs, "patch");
        writes && has(&self.0.groups, group) && has(&self.0.resources, resource)
    }
}

/// Whether a rule allows a request.
pub(super) fn allows(rule: &PolicyRule, request: &Attributes<'_>) -> bool {
    match request {
        Attributes::Url { verb, path } => has(&rule.verbs, verb) && url_matches(rule, path),
        Attributes::Resource(about) => {
            has(&rule.verbs, about.verb)
                && has(&rule.groups, about.group)
                && resource_matches(rule, about)
                && name_matches(rule, &about.name)
        }
    }
}

/// Lists what a rule misses a request by; empty if it allows the request.
pub(super) fn misses(rule: &PolicyRule, request: &Attributes<'_>) -> Vec<Aspect> {
    let mut by = vec![];
    let mut miss = |aspect, is: bool| {
        if is {
            by.push(aspect);
        }
    };
    miss(Aspect::Verb, !has(&rule.verbs, request.verb()));
    match request {
        Attributes::Url { path, .. } => miss(Aspect::Url, !url_matches(rule, path)),
        Attributes::Resource(about) => {
            miss(Aspect::Group, !has(&rule.groups, about.group));
            let matches = resource_matches(rule, about);
            let other_sub = !matches && same_resource(rule, about);
            miss(Aspect::Resource, !matches && !other_sub);
            miss(Aspect::Subresource, other_sub);
            miss(Aspect::Name, !name_matches(rule, &about.name));
        }
    }
    by
}

/// Whether a rule allows anything about the resources of a group.
pub(super) fn is_about_group(rule: &PolicyRule, group: &str) -> bool {
    !rule.verbs.is_empty() && !rule.resources.is_empty() && has(&rule.groups, group)
}

fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|one| one == ALL || one == word)
}

fn resource_matches(rule: &PolicyRule, about: &ResourceAttributes<'_>) -> bool {
    rule.resources.iter().any(|one| {
        if one == ALL {
            return true;
        }
        match about.subresource {
            "" => one == about.resource,
            // The server joins resource and subresource with a slash, and compares the result.
            sub => one
                .strip_suffix(sub)
                .and_then(|rest| rest.strip_suffix('/'))
                .is_some_and(|resource| resource == ALL || resource == about.resource),
        }
    })
}

/// Whether a rule covers the resource, or any subresource of it.
fn same_resource(rule: &PolicyRule, about: &ResourceAttributes<'_>) -> bool {
    rule.resources.iter().any(|one| one.split('/').next() == Some(about.resource))
}

fn name_matches(rule: &PolicyRule, name: &str) -> bool {
    rule.names.is_empty() || rule.names.iter().any(|one| one == name)
}

fn url_matches(rule: &PolicyRule, path: &str) -> bool {
    rule.urls
        .iter()
        .any(|one| one == path || one.ends_with('*') && path.starts_with(one.trim_end_matches('*')))
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.0;
        f.write_str(&some(&rule.verbs, "no verb"))?;
        if !rule.urls.is_empty() {
            write!(f, " {}", some(&rule.urls, ""))?;
        }
        if !rule.resources.is_empty() || rule.urls.is_empty() {
            write!(f, " {}", some(&rule.resources, "no resource"))?;
            if !rule.names.is_empty() {
                write!(f, " named {}", some(&rule.names, ""))?;
            }
            match rule.groups.as_slice() {
                [] => f.write_str(" of no group")?,
                [one] if one.is_empty() => f.write_str(" of the core group")?,
                [one] if one == ALL => f.write_str(" of any group")?,
                more => {
                    let named = more.iter().map(|one| if one.is_empty() { "core" } else { one });
                    write!(f, " of {}", some_of(named, more.len(), MAX_SHOWN))?;
                }
            }
        }
        Ok(())
    }
}

/// How many words of a list are shown.
const MAX_SHOWN: usize = 6;

fn some(list: &[String], none: &str) -> String {
    if list.is_empty() { none.to_owned() } else { some_of(list, list.len(), MAX_SHOWN) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube_aggregation::routing::{Method, Target};

    /// Parses `verbs|groups|resources|names|urls`: words separated by blanks, `-` for the core group.
    fn rule(text: &str) -> PolicyRule {
        let mut parts = text.split('|').map(|part| {
            let word = |word: &str| if word == "-" { String::new() } else { word.to_owned() };
            part.split_whitespace().map(word).collect::<Vec<_>>()
        });
        let mut next = || parts.next().unwrap_or_default();
        PolicyRule { verbs: next(), groups: next(), resources: next(), names: next(), urls: next() }
    }

    fn check(rule_text: &str, request: &str, want: &[Aspect]) {
        let (method, path) = request.split_once(' ').unwrap();
        let target = Target::parse(Method::parse(method).unwrap(), path).unwrap();
        let attributes = Attributes::of(target.info().unwrap(), &target.path);
        let rule = rule(rule_text);
        assert_eq!(misses(&rule, &attributes), want, "{rule_text} {request}");
        assert_eq!(allows(&rule, &attributes), want.is_empty(), "{rule_text} {request}");
    }

    #[test]
    fn rules_match_as_in_the_server() {
        use Aspect::{Group, Name, Resource, Subresource, Url, Verb};
        check("list|-|pods", "GET /api/v1/pods", &[]);
        check("get|-|pods", "GET /api/v1/pods", &[Verb]);
        check("*|*|*", "DELETE /apis/a/v1/b/c/d", &[]);
        check("list|apps|pods", "GET /api/v1/pods", &[Group]);
        check("list|-|pods", "GET /api/v1/nodes", &[Resource]);
        check("get|-|pods", "GET /api/v1/namespaces/a/pods/b/log", &[Subresource]);
        check("get|-|pods/log", "GET /api/v1/namespaces/a/pods/b/log", &[]);
        check("get|-|pods/log", "GET /api/v1/namespaces/a/pods/b", &[Subresource]);
        check("get|-|*/log", "GET /api/v1/namespaces/a/pods/b/log", &[]);
        check("get|-|*/log", "GET /api/v1/namespaces/a/pods/b", &[Resource]);
        check("get|-|pods/*", "GET /api/v1/namespaces/a/pods/b/log", &[Subresource]);
        check("get|-|pods|x", "GET /api/v1/namespaces/a/pods/b", &[Name]);
        check("get|-|pods|x b", "GET /api/v1/namespaces/a/pods/b", &[]);
        check("list|-|pods|b", "GET /api/v1/pods", &[Name]);
        check("list|-|pods|b", "GET /api/v1/pods?fieldSelector=metadata.name%3Db", &[]);
        check("create|-|pods|b", "POST /api/v1/namespaces/a/pods", &[Name]);
        check("get||||/healthz", "GET /healthz", &[]);
        check("get||||/healthz", "GET /healthz/", &[Url]);
        check("get||||/healthz/*", "GET /healthz/etcd", &[]);
        check("get||||/healthz/*", "GET /healthz", &[Url]);
        check("get||||/apis**", "GET /apis", &[]);
        check("get||||*", "GET /x", &[]);
        check("get||||/a*b", "GET /axb", &[Url]);
        check("get|*|*||/healthz", "GET /version", &[Url]);
        check("get|*|*", "GET /apis/apps/v1", &[Url]);
        check("get||||/api/*", "GET /api/v1/pods/x", &[Group, Resource]);
    }

    #[test]
    fn rules_have_words() {
        let check = |text: &str, want: &str| assert_eq!(Rule(&rule(text)).to_string(), want);
        check("get list|-|pods", "get, list pods of the core group");
        check("*|*|*", "* * of any group");
        check("get|- apps|a b|x", "get a, b named x of core, apps");
        check("get||||/healthz /livez", "get /healthz, /livez");
        check("a b c d e f g|-|x", "a, b, c, d, e, f and 1 more x of the core group");
    }
}
