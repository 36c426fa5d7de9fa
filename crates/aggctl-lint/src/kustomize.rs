//! Applies kustomizations to the input: finds patches and which files are built together, sets
//! namespaces, and detects patches that configure how a Service is verified.

use super::found::{Found, identity_of};
use super::input::LintInput;
use super::kustomization::{INJECTS, Kustomization, folder, join};
use super::objects::Objects;
use super::{ApiService, server::ServerRejection};

use std::collections::{BTreeSet, HashMap, HashSet};

/// The kustomizations of a run, indexed by the files that they build.
#[derive(Debug, Default)]
pub(super) struct Kustomized {
    /// The first kustomization that lists a file. Both are indices of input files.
    pub(super) by: HashMap<usize, usize>,
    /// All kustomizations that list a file, as indices into `above`.
    listed_by: HashMap<usize, Vec<usize>>,
    /// Each kustomization, followed by all that build on it, nearest first.
    above: Vec<Vec<usize>>,
    patches: HashSet<usize>,
    /// Files next to a kustomization that does not list them, so that it does not apply them.
    unlisted: HashSet<usize>,
    /// The kustomizations that may change the labels or selectors of what they build.
    relabels: HashSet<usize>,
}

impl Kustomized {
    /// Makes the changes to the objects that the kustomizations would certainly make.
    pub(super) fn new(
        inputs: &[LintInput],
        objects: &mut Objects,
        services: &mut Vec<ApiService<'_>>,
    ) -> Self {
        let kustomizations = std::mem::take(&mut objects.kustomizations);
        if kustomizations.is_empty() {
            return Self::default();
        }
        let files: HashMap<String, usize> = inputs
            .iter()
            .enumerate()
            .map(|(file, input)| (join("", input.location()), file))
            .collect();
        let layout = Layout::new(&kustomizations, inputs, &files);
        let mut all = Self { above: layout.above(), ..Self::default() };
        let mut namespaces: HashMap<usize, &str> = HashMap::new();
        for (place, kustomization) in kustomizations.iter().enumerate() {
            let number = |path: &String| files.get(path).copied();
            let patches = kustomization.patches.iter().filter_map(|(_, path)| path.as_ref());
            all.patches.extend(patches.filter_map(number));
            for path in &kustomization.resources {
                let Some(file) = number(path) else { continue };
                all.by.entry(file).or_insert(kustomization.file);
                all.listed_by.entry(file).or_default().push(place);
                if let Some(namespace) = &kustomization.namespace {
                    namespaces.insert(file, namespace);
                }
            }
        }
        // Any kustomization can declare a file a patch. A complete APIService is checked anyway,
        // because it could be applied as it is.
        services
            .retain(|service| service.is_complete() || !all.patches.contains(&service.object.file));
        let checked: HashSet<usize> = services.iter().map(|service| service.object.file).collect();
        all.patches.retain(|file| !checked.contains(file));
        let names: HashSet<String> = services.iter().map(|service| service.name.clone()).collect();
        let trusts = layout.trusts(&names, &all.above);
        let sets_namespace = |place: usize| {
            let kustomization: &Kustomization = &kustomizations[place];
            // A patch or a component can set it too.
            kustomization.namespace.is_some()
                || !(kustomization.patches.is_empty() && kustomization.components.is_empty())
        };
        for service in services {
            let file = service.object.file;
            if all.builds(file).any(sets_namespace) {
                service.violations.retain(|v| {
                    v.rejection != ServerRejection::ServiceReference
                        || v.field != "spec.service.namespace"
                });
            }
            if let Some(namespace) = namespaces.get(&file) {
                service.move_to(namespace);
            }
            service.trusted_later = all.listed_by.get(&file).into_iter().flatten().any(|place| {
                let (any, named) = &trusts[*place];
                *any || named.contains(service.name.as_str())
            });
        }
        for service in &mut objects.services {
            if let Some(namespace) = namespaces.get(&service.file) {
                service.object.namespace = (*namespace).to_owned();
            }
        }
        for workload in &mut objects.workloads {
            if let Some(namespace) = namespaces.get(&workload.file) {
                workload.object.namespace = (*namespace).to_owned();
            }
        }
        // Only accounts that are in the input move, and `default`, which every namespace has. The
        // original subjects stay, because the resources may also be applied without the
        // kustomization.
        let accounts: HashSet<u64> = objects.identities.iter().map(|found| found.object).collect();
        for Found { object, file } in &mut objects.bindings {
            let builds = all.builds(*file);
            let moved: BTreeSet<&str> =
                builds.filter_map(|place| kustomizations[place].namespace.as_deref()).collect();
            // The namespace of a kustomization moves a RoleBinding too, even out of kube-system,
            // where the Roles for extension servers are.
            if let (Some(own), Some(namespace)) = (&mut object.namespace, namespaces.get(file)) {
                (*namespace).clone_into(own);
            }
            // With this many variants, treat the namespace as unknown (empty).
            let moved = if moved.len() > MAX_VARIANTS { BTreeSet::from([""]) } else { moved };
            for namespace in moved {
                object.follow_to(namespace, |subject| {
                    let account = identity_of("ServiceAccount", &subject.namespace, &subject.name);
                    subject.name == "default" || accounts.contains(&account)
                });
            }
        }
        let beside: HashSet<&str> = (layout.folders.iter().zip(&kustomizations))
            .filter(|(_, kustomization)| !kustomization.component)
            .map(|(folder, _)| folder.as_str())
            .collect();
        let own: HashSet<usize> = kustomizations.iter().map(|k| k.file).collect();
        all.unlisted = (0..inputs.len())
            .filter(|file| {
                let known = all.by.contains_key(file) || all.patches.contains(file);
                let name = join("", folder(inputs[*file].location()));
                !known && !own.contains(file) && beside.contains(name.as_str())
            })
            .collect();
        all.relabels = (0..kustomizations.len())
            .filter(|place| {
                let words = ["labels", "selector"];
                let patched = |text: &str| words.iter().any(|word| text.contains(word));
                let kustomization = &kustomizations[*place];
                kustomization.relabels
                    || layout.patch_texts(kustomization).any(|text| patched(&text))
            })
            .collect();
        all
    }

    /// Returns whether a kustomization next to a file does not list it, and no other does.
    pub(super) fn is_unlisted(&self, file: usize) -> bool {
        self.unlisted.contains(&file)
    }

    /// Returns whether a kustomization may change the labels or selectors of a file.
    pub(super) fn relabels(&self, file: usize) -> bool {
        self.builds(file).any(|place| self.relabels.contains(&place))
    }

    /// Returns the kustomizations that build a file, directly or through other kustomizations.
    pub(super) fn builds(&self, file: usize) -> impl Iterator<Item = usize> {
        let listed = self.listed_by.get(&file).into_iter().flatten();
        listed.flat_map(|place| &self.above[*place]).copied().take(MAX_BUILDS)
    }

    /// Returns the files that are patches.
    pub(super) fn patches(&self) -> impl Iterator<Item = usize> {
        self.patches.iter().copied()
    }
}

/// The maximum number of builds to follow for one file. Beyond it, any patch may exist.
const MAX_BUILDS: usize = 128;

/// The maximum number of namespaces to distinguish.
const MAX_VARIANTS: usize = 16;

/// Which kustomization builds on which, by index into `all`.
struct Layout<'a> {
    all: &'a [Kustomization],
    inputs: &'a [LintInput],
    files: &'a HashMap<String, usize>,
    /// The folder of each kustomization.
    folders: Vec<String>,
}

/// Whether patches configure verification for any Service, and the APIServices that they name.
type Trust = (bool, HashSet<String>);

impl<'a> Layout<'a> {
    fn new(
        all: &'a [Kustomization],
        inputs: &'a [LintInput],
        files: &'a HashMap<String, usize>,
    ) -> Self {
        let folders = all.iter().map(|k| join("", folder(inputs[k.file].location()))).collect();
        Self { all, inputs, files, folders }
    }

    /// Returns each kustomization, followed by all that build on it, nearest first.
    fn above(&self) -> Vec<Vec<usize>> {
        let mut listed_by: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, kustomization) in self.all.iter().enumerate() {
            for path in &kustomization.resources {
                listed_by.entry(path).or_default().push(place);
            }
        }
        let next = |place: usize| {
            let above = listed_by.get(self.folders[place].as_str());
            above.into_iter().flatten().copied()
        };
        (0..self.all.len()).map(|place| closure(vec![place], next)).collect()
    }

    /// Returns, for each kustomization, the trust set by it, by all that build on it, and by their
    /// components.
    fn trusts(&self, names: &HashSet<String>, above: &[Vec<usize>]) -> Vec<Trust> {
        let own: Vec<Trust> = self.all.iter().map(|k| self.trust(k, names)).collect();
        let at: HashMap<&str, usize> =
            self.folders.iter().enumerate().map(|(place, path)| (path.as_str(), place)).collect();
        let components = |place: usize| {
            self.all[place].components.iter().filter_map(|path| at.get(path.as_str()).copied())
        };
        let whole = |above: &Vec<usize>| {
            let mut whole = (above.len() >= MAX_BUILDS, HashSet::new());
            for place in closure(above.clone(), components) {
                whole.0 |= own[place].0;
                whole.1.extend(own[place].1.iter().cloned());
            }
            whole
        };
        above.iter().map(whole).collect()
    }

    /// Returns the trust that the patches of one kustomization set. A patch that names no
    /// APIService of the input may apply to any.
    fn trust(&self, kustomization: &Kustomization, names: &HashSet<String>) -> Trust {
        let mut trust = (kustomization.injects, HashSet::new());
        for text in self.patch_texts(kustomization) {
            let mut sets = INJECTS.iter().chain(&["caBundle", "insecureSkipTLSVerify"]);
            if !text.contains("APIService") || !sets.any(|word| text.contains(word)) {
                continue;
            }
            let apart = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-');
            let mut about = text.split(apart).filter(|word| names.contains(*word)).peekable();
            trust.0 |= about.peek().is_none();
            trust.1.extend(about.map(str::to_owned));
        }
        trust
    }
}

impl Layout<'_> {
    /// Returns the text of each patch of a kustomization, including that of the file it names.
    fn patch_texts(&self, kustomization: &Kustomization) -> impl Iterator<Item = String> {
        let bytes = &self.inputs[kustomization.file].bytes;
        kustomization.patches.iter().map(|(span, path)| {
            let own = bytes.get(span.range()).unwrap_or_default();
            let file = path.as_ref().and_then(|path| self.files.get(path));
            let named = file.map_or(&[][..], |file| &self.inputs[*file].bytes);
            [String::from_utf8_lossy(own), String::from_utf8_lossy(named)].join("\n")
        })
    }
}

/// Returns these indices and all that are reachable from them, nearest first.
fn closure<I: Iterator<Item = usize>>(
    mut found: Vec<usize>,
    next: impl Fn(usize) -> I,
) -> Vec<usize> {
    let mut seen: HashSet<usize> = found.iter().copied().collect();
    let mut at = 0;
    while let Some(place) = found.get(at).copied().filter(|_| found.len() < MAX_BUILDS) {
        found.extend(next(place).filter(|reached| seen.insert(*reached)));
        at += 1;
    }
    found
}
