//! Adds the files that single files are applied with, so that cross-checks see what the
//! kustomizations of the repository say about them.

use std::collections::{BTreeMap, BTreeSet};

use aggctl_lint::{LintInput, Role, references};
use aggctl_source::manifests::Surroundings;

/// The most files that are read as context.
const MAX: usize = 2_000;

/// Adds the files that the named files of a run are built with. Only the repository of the first
/// named file counts.
pub(super) fn add(inputs: &mut Vec<LintInput>) {
    let named = |input: &LintInput| !input.found && !input.is_config();
    let first = inputs.iter().filter(|input| named(input)).find_map(|input| input.path.as_ref());
    let Some(around) = first.and_then(|path| Surroundings::of(path)) else { return };
    for input in &mut *inputs {
        input.relative = input.path.as_ref().and_then(|path| around.relative(path));
    }
    let known: BTreeSet<String> = inputs.iter().filter_map(|i| i.relative.clone()).collect();
    let files: BTreeSet<&str> =
        inputs.iter().filter(|i| named(i)).filter_map(|i| i.relative.as_deref()).collect();
    let mut context = built_with(&files, &around);
    for input in &mut *inputs {
        let Some(file) = input.relative.as_ref().filter(|_| named(input)) else { continue };
        let template = file.split('/').any(|part| part == "templates");
        if let Some(chart) = around.chart(file).filter(|_| template) {
            // Naming the template of a chart is not a mistake.
            input.found = true;
            context.insert(chart, vec![]);
        }
    }
    inputs.extend(context.into_iter().filter(|(name, _)| !known.contains(name)).map(
        |(name, bytes)| LintInput {
            role: Role::Context,
            found: true,
            relative: Some(name.clone()),
            ..LintInput::manifest(name, bytes)
        },
    ));
}

/// Returns the kustomizations that build these files, and all that they name.
fn built_with(files: &BTreeSet<&str>, around: &Surroundings) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = around.read(&name)?;
        let named = references(&name, &bytes)?;
        Some((folder(&name).to_owned(), (name, bytes, named)))
    };
    // By folder, since a kustomization names others by their folders.
    let kustomizations: BTreeMap<String, (String, Vec<u8>, Vec<String>)> =
        around.kustomizations().into_iter().filter_map(read).collect();
    let mut wanted: BTreeSet<&str> = files.iter().map(|file| folder(file)).collect();
    let mut count = 0;
    while wanted.len() != count {
        count = wanted.len();
        let builds =
            |path: &String| files.contains(path.as_str()) || wanted.contains(path.as_str());
        let more = kustomizations.iter().filter(|(_, (_, _, named))| named.iter().any(builds));
        let more: Vec<&str> = more.map(|(folder, _)| folder.as_str()).collect();
        wanted.extend(more);
    }
    let mut open: Vec<&str> = wanted.into_iter().collect();
    let mut found = BTreeMap::new();
    while let Some(folder) = open.pop().filter(|_| found.len() < MAX) {
        let Some((name, bytes, named)) = kustomizations.get(folder) else { continue };
        if found.insert(name.clone(), bytes.clone()).is_some() {
            continue;
        }
        for path in named {
            if kustomizations.contains_key(path) {
                open.push(path);
            } else if !found.contains_key(path) {
                found.extend(around.read(path).map(|bytes| (path.clone(), bytes)));
            }
        }
    }
    found
}

fn folder(name: &str) -> &str {
    name.rfind('/').map_or("", |at| &name[..at])
}
