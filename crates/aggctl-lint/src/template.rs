//! Detects templates: files that must be rendered before they are manifests.

use super::finding::Place;
use super::input::LintInput;
use located_document::{Node, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// A template that was not rendered.
#[derive(Debug, Clone)]
pub(super) struct Template {
    /// The place that shows that it is a template.
    pub(super) place: Place,
    /// Whether it mentions APIServices.
    pub(super) matters: bool,
    pub(super) form: Form,
}

/// The maximum length of a placeholder in messages.
const MAX_SHOWN: usize = 60;

/// The tool that renders a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// Helm, with the folder of the chart, if known.
    Helm(Option<String>),
    /// ytt.
    Ytt,
    /// An unknown tool, recognized by the name of the file.
    Named,
    /// An unknown tool that replaces placeholders like this one.
    Placeholder(String),
}

impl Template {
    fn new((file, document): (usize, usize), at: usize, matters: bool, form: Form) -> Self {
        Self { place: Place { file, document, span: Span::new(at, at) }, matters, form }
    }
}

/// The files that are templates, each with its most relevant place.
#[derive(Debug, Default)]
pub(super) struct Templates {
    pub(super) files: BTreeMap<usize, Template>,
}

impl Templates {
    pub(super) fn new(all: Vec<Template>) -> Self {
        let mut files = BTreeMap::new();
        for template in all {
            let first = files.entry(template.place.file).or_insert_with(|| template.clone());
            if template.matters && !first.matters {
                *first = template;
            }
        }
        Self { files }
    }

    /// Returns the number of templates that do not mention APIServices.
    pub(super) fn other(&self) -> usize {
        self.files.values().filter(|template| !template.matters).count()
    }
}

/// The kind of a file that is not parsed.
pub(super) enum Whole {
    /// An irrelevant file.
    Other,
    /// A patch for APIServices elsewhere.
    Patch,
    Template(Template),
}

/// Returns the kind of a file, if parsing would not reveal it.
pub(super) fn whole(file: usize, input: &LintInput) -> Option<Whole> {
    let text = input.bytes.as_slice();
    if input.template {
        return Some(match mentions_api_services(text) {
            Some(at) => Whole::Template(Template::new((file, 0), at, true, Form::Named)),
            None => Whole::Other,
        });
    }
    Some(match ytt(text)? {
        Ytt::Overlay => Whole::Patch,
        Ytt::Template { at, matters } => {
            Whole::Template(Template::new((file, 0), at, matters, Form::Ytt))
        }
    })
}

/// A ytt file. Its code is in comments, so it parses without being a manifest.
enum Ytt {
    /// A patch for APIServices elsewhere.
    Overlay,
    Template {
        at: usize,
        matters: bool,
    },
}

fn ytt(text: &[u8]) -> Option<Ytt> {
    let mut marks = memchr::memmem::find_iter(text, b"#@");
    let at = marks.find(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        before.is_none_or(|b| b.is_ascii_whitespace())
    })?;
    // A comment above the start of a document applies to the document.
    let (mut announced, mut overlay, mut overlays) = (false, false, false);
    for line in text.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        if line.starts_with(b"#@overlay/match") {
            announced = true;
        } else if line.starts_with(b"---") {
            overlay = std::mem::take(&mut announced);
            overlays |= overlay;
        } else if !line.is_empty() && !line.starts_with(b"#") {
            announced = false;
            let said = memchr::memmem::find(line, b"#@").map_or(line, |end| &line[..end]);
            if !overlay && mentions_api_services(said).is_some() {
                return Some(Ytt::Template { at, matters: true });
            }
        }
    }
    match overlays && mentions_api_services(text).is_some() {
        true => Some(Ytt::Overlay),
        false => Some(Ytt::Template { at, matters: false }),
    }
}

/// Detects a template in a text that contains `{{`. The text begins at `start` in its file.
pub(super) fn in_braces(
    at: (usize, usize),
    input: &LintInput,
    text: &[u8],
    start: usize,
) -> Option<Template> {
    // Binary data is not a template.
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))?;
    let braces = memchr::memmem::find(text.as_bytes(), b"{{")?;
    let words = [".Values", ".Release", ".Chart", ".Capabilities", "include \"", "template \""];
    let has = |word: &str| memchr::memmem::find(&input.bytes, word.as_bytes()).is_some();
    let form = match words.into_iter().any(has) {
        true => Form::Helm(None),
        false => {
            let rest = &text[braces..];
            let end = rest.find("}}").map_or(rest.len(), |end| end + 2);
            Form::Placeholder(rest[..end].chars().take(MAX_SHOWN).collect())
        }
    };
    let matters = mentions_api_services(text.as_bytes()).is_some();
    Some(Template::new(at, start + braces, matters, form))
}

/// Detects a template in a document that cannot be parsed because of a line that is nothing but a
/// placeholder, such as `${EXTRA_ARGS}`: that of the problem, or one of the two before.
pub(super) fn in_lines(
    at: (usize, usize),
    bytes: &[u8],
    document: Range<usize>,
    offset: usize,
) -> Option<Template> {
    let text = std::str::from_utf8(bytes.get(document.clone())?).ok()?;
    let mut start = document.start;
    let mut lines = vec![];
    for line in text.split_inclusive('\n') {
        if start <= offset {
            lines.push((start, line.trim().trim_start_matches("- ")));
        }
        start += line.len();
    }
    let alone = |(_, word): &&(usize, &str)| {
        [("${", "}"), ("{%", "%}")].iter().any(|(a, z)| word.starts_with(a) && word.ends_with(z))
    };
    let (line, word) = lines.iter().rev().take(3).find(alone)?;
    let matters = mentions_api_services(text.as_bytes()).is_some();
    let form = Form::Placeholder(word.chars().take(MAX_SHOWN).collect());
    Some(Template::new(at, *line, matters, form))
}

/// Returns the first value of an APIService that is a placeholder.
pub(super) fn placeholder((file, document): (usize, usize), node: &Node<'_>) -> Option<Template> {
    let name = node.at(&["metadata", "name"]).into_iter();
    let values = [node.get("spec"), node.at(&["spec", "service"])];
    let values = values.into_iter().flatten().flat_map(Node::entries).map(|entry| &entry.value);
    let mut strings = name.chain(values).filter_map(|node| Some((node.span, node.as_str()?)));
    let (span, text) = strings.find(|(_, text)| is_placeholder(text))?;
    let form = Form::Placeholder(text.chars().take(MAX_SHOWN).collect());
    let place = Place { file, document, span };
    Some(Template { place, matters: true, form })
}

/// Returns whether a value is a placeholder: `${CA_BUNDLE}`, `$(NS)`, `$NS`, `((ns))`, `<service>`,
/// `__NS__`, `CA_BUNDLE`. None of these is valid in a field of an APIService.
fn is_placeholder(text: &str) -> bool {
    let name = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'{' | b'(');
    let variable = text.as_bytes().windows(2).any(|pair| pair[0] == b'$' && name(&pair[1]));
    let around = [("<", ">"), ("__", "__"), ("((", "))")];
    let between = |(open, close): &(&str, &str)| {
        text.len() > open.len() + close.len() && text.starts_with(open) && text.ends_with(close)
    };
    let capital = |part: &str| part.bytes().all(|b| b.is_ascii_uppercase());
    let mut parts = text.split('_').filter(|part| !part.is_empty());
    let constant = text.contains('_') && parts.clone().count() > 1 && parts.all(capital);
    variable || around.iter().any(between) || constant
}

/// Returns where an unparsable text may contain an APIService.
pub(super) fn mentions_api_services(text: &[u8]) -> Option<usize> {
    let kind = memchr::memmem::find_iter(text, b"APIService").find(|at| {
        let before = text[..*at].trim_ascii_end();
        let before = before.strip_suffix(b"\"").or(before.strip_suffix(b"'")).unwrap_or(before);
        before.trim_ascii_end().ends_with(b":") && !of_another_group(text, *at)
    });
    kind.or_else(|| memchr::memmem::find(text, b"apiregistration.k8s.io/"))
}

/// Returns whether the object around an offset states an apiVersion of another group. Other groups
/// have kinds of that name too.
fn of_another_group(text: &[u8], at: usize) -> bool {
    let start = memchr::memmem::rfind(&text[..at], b"\n---").map_or(0, |start| start + 1);
    let end = memchr::memmem::find(&text[at..], b"\n---").map_or(text.len(), |end| at + end);
    let mut versions = text[start..end].split(|b| *b == b'\n').filter_map(|line| {
        let value = line.strip_prefix(b"apiVersion:")?.trim_ascii();
        (!value.starts_with(b"{{") && value.contains(&b'/')).then_some(value)
    });
    versions.next().is_some_and(|version| {
        let version = version.strip_prefix(b"\"").or(version.strip_prefix(b"'")).unwrap_or(version);
        !version.starts_with(b"apiregistration.k8s.io")
    })
}

/// An object of a template whose apiVersion and kind are written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal<'t> {
    pub(super) api_version: &'t str,
    pub(super) kind: &'t str,
    /// The place of the apiVersion in the file.
    pub(super) span: Span,
    /// Whether it is in a conditional block.
    pub(super) conditional: bool,
}

/// Returns the objects of a template whose apiVersion and kind are written out. The text begins at
/// `start` in its file. A template that asks for the server's version, or compares an apiVersion, may
/// choose among several, so nothing is certain about its objects.
pub(super) fn literals(text: &[u8], start: usize) -> Vec<Literal<'_>> {
    const ASKS: [&str; 3] = ["Capabilities", "semverCompare", "APIVersions"];
    let Ok(text) = std::str::from_utf8(text) else { return vec![] };
    let mut found = vec![];
    let mut at = start;
    for object in text.split("\n---") {
        let versions: Vec<Literal<'_>> = api_versions(object, at);
        let kinds: Vec<&str> = object.lines().filter_map(|line| literal(line, "kind:")).collect();
        if let ([version], [kind]) = (&versions[..], &kinds[..])
            && !ASKS.iter().any(|word| object.contains(word))
            && object.matches(version.api_version).count() == 1
        {
            found.push(Literal { kind, ..*version });
        }
        at += object.len() + "\n---".len();
    }
    found
}

/// Returns the lines of an object that set an apiVersion, still without a kind.
fn api_versions(object: &str, start: usize) -> Vec<Literal<'_>> {
    let mut found = vec![];
    // Whether each open block is a condition.
    let mut blocks: Vec<bool> = vec![];
    let mut at = start;
    for line in object.split_inclusive('\n') {
        if let Some(api_version) = literal(line, "apiVersion:") {
            let offset = at + line.find(api_version).unwrap_or_default();
            let span = Span::new(offset, offset + api_version.len());
            let conditional = blocks.contains(&true);
            found.push(Literal { api_version, kind: "", span, conditional });
        }
        for action in line.split("{{").skip(1) {
            let word = action.trim_start_matches(['-', '%', ' ']).split([' ', '-', '}']).next();
            match word {
                Some("if") => blocks.push(true),
                Some("range" | "with" | "define" | "block") => blocks.push(false),
                Some("end") => drop(blocks.pop()),
                _ => {}
            }
        }
        at += line.len();
    }
    found
}

/// Returns the value of a field at the start of a line, if it contains no placeholder.
fn literal<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let value = line.strip_prefix(key)?;
    let value = value.split(" #").next()?.trim();
    let value = value.trim_matches(['"', '\'']);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"./-".contains(&b);
    (!value.is_empty() && value.bytes().all(plain)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_stand_for_others() {
        for text in ["${CA}", "v1.${G}", "$(NS)", "$NS", "((ca))", "<name>", "__CA__", "CA_BUNDLE"]
        {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["", "metrics", "v1.a_b", "A", "CABUNDLE", "My_Service", "$", "5$", "<", "____"]
        {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn objects_that_are_written_out() {
        let check = |text: &str, want: &[(&str, &str, bool)]| {
            let found = literals(text.as_bytes(), 10);
            let got: Vec<_> =
                found.iter().map(|l| (l.api_version, l.kind, l.conditional)).collect();
            assert_eq!(got, want, "{text}");
            for literal in &found {
                let range = literal.span.start as usize - 10..literal.span.end as usize - 10;
                assert_eq!(&text[range], literal.api_version);
            }
        };
        let role = "apiVersion: \"a/v1\" # x\nkind: Role\nname: {{ .Values.a }}\n";
        check(role, &[("a/v1", "Role", false)]);
        check(&format!("{{{{- if .Values.x }}}}\n{role}{{{{ end }}}}"), &[("a/v1", "Role", true)]);
        let closed = format!("{{{{ if x }}}}y{{{{ end }}}}\n{role}\n---\n{role}");
        check(&closed, &[("a/v1", "Role", false), ("a/v1", "Role", false)]);
        check(&format!("{{{{ if .Capabilities.x }}}}\n{role}"), &[]);
        check(
            "{{ if a }}\napiVersion: a/v1\n{{ else }}\napiVersion: a/v2\n{{ end }}\nkind: A",
            &[],
        );
        check(&format!("{{{{ if eq (include \"v\" .) \"a/v1\" }}}}\n{role}"), &[]);
        check("apiVersion: {{ x }}\nkind: Role\n", &[]);
    }

    #[test]
    fn kinds_of_other_groups_are_not_mentioned() {
        let kind = "kind: APIService\nname: {{ x }}\n";
        let mentions = |text: &str| mentions_api_services(text.as_bytes()).is_some();
        assert!(mentions(kind));
        assert!(mentions(&format!("apiVersion: {{{{ a/b }}}}\n{kind}")));
        assert!(mentions(&format!("apiVersion: a.example.com/v3\n---\n{kind}")));
        assert!(!mentions(&format!("apiVersion: a.example.com/v3\n{kind}")));
        assert!(!mentions(&format!("{kind}apiVersion: a.example.com/v3\n")));
    }

    #[test]
    fn lines_that_are_placeholders() {
        let text = b"a: b\n${ARGS}\nc: d\n";
        let found = |offset| in_lines((0, 0), text, 0..text.len(), offset).is_some();
        assert!(found(5) && found(12) && !found(0));
        assert!(in_lines((0, 0), b"a: ${B}\n- x: [\n", 0..16, 12).is_none());
    }

    #[test]
    fn overlays_are_no_apiservices() {
        let check = |text: &str, want: &str| {
            let got = match ytt(text.as_bytes()) {
                None => "none",
                Some(Ytt::Overlay) => "overlay",
                Some(Ytt::Template { matters: true, .. }) => "template",
                Some(Ytt::Template { matters: false, .. }) => "other",
            };
            assert_eq!(got, want, "{text}");
        };
        let over = "#@overlay/match by=overlay.subset({\"kind\": \"APIService\"})\n---\n";
        check(&format!("{over}metadata: {{namespace: x}}\n"), "overlay");
        check(
            &format!("{over}kind: APIService\nspec:\n  #@overlay/match missing_ok=True\n  a: 1\n"),
            "overlay",
        );
        check(&format!("{over}a: 1\n---\nkind: APIService\nname: #@ x\n"), "template");
        check("#@ load(\"x\", \"y\")\n---\nkind: APIService\n", "template");
        check("#@overlay/match by=x\n---\na: 1\n", "other");
        check("kind: APIService # @\n", "none");
    }
}
