//! Checks that the modules of a crate depend on each other in one direction only.
//!
//! Two neighbors (modules with the same parent) form a cycle if each refers to the other, directly
//! or through more neighbors. References between a parent and its children are not checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};

use crate::architecture::{LAYERS, rust_files};
use crate::{assert_none, repository};

/// The path of a module from the root of its crate.
type Module = Vec<String>;

#[test]
fn modules_form_no_cycles() {
    let crates = LAYERS.iter().map(|(name, _)| format!("crates/{name}/src"));
    let mut cycles = vec![];
    for folder in crates.chain(["src".to_owned()]) {
        let neighbors = neighbors(&repository(&folder));
        assert!(folder.ends_with("certificate/src") || !neighbors.is_empty(), "{folder}");
        for start in neighbors.keys() {
            if let Some(cycle) = cycle_from(start, &neighbors) {
                let names: Vec<String> = cycle.iter().map(|module| module.join("::")).collect();
                cycles.push(format!("{folder}: {}", names.join(" → ")));
            }
        }
    }
    assert_none(&cycles);
}

/// Returns, for each module, the neighbors that it or a module inside it refers to.
fn neighbors(root: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let files: BTreeMap<Module, _> =
        rust_files(root).into_iter().map(|file| (module_of(root, &file), file)).collect();
    let mut found: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, file) in &files {
        let parsed = syn::parse_file(&std::fs::read_to_string(file).unwrap()).unwrap();
        let mut references = References::default();
        references.visit_file(&parsed);
        for path in references.0 {
            let Some(target) = resolve(module, &path, |path| files.contains_key(path)) else {
                continue;
            };
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            if shared < module.len() && shared < target.len() {
                let (from, to) = (module[..=shared].to_vec(), target[..=shared].to_vec());
                found.entry(from).or_default().insert(to);
            }
        }
    }
    found
}

fn module_of(root: &Path, file: &Path) -> Module {
    let inside = file.strip_prefix(root).unwrap().with_extension("");
    let mut parts: Module =
        inside.components().map(|part| part.as_os_str().to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// Returns the innermost module that a path inside `module` resolves to.
fn resolve(module: &[String], path: &[String], exists: impl Fn(&Module) -> bool) -> Option<Module> {
    let up = path.iter().take_while(|name| *name == "super").count();
    let (mut target, rest) = match path.first()?.as_str() {
        "crate" => (vec![], &path[1..]),
        "self" => (module.to_vec(), &path[1..]),
        "super" => (module[..module.len().checked_sub(up)?].to_vec(), &path[up..]),
        _ => (module.to_vec(), path),
    };
    for name in rest {
        target.push(name.clone());
        if !exists(&target) {
            target.pop();
            break;
        }
    }
    Some(target)
}

/// Returns the shortest cycle through a module.
fn cycle_from(start: &Module, edges: &BTreeMap<Module, BTreeSet<Module>>) -> Option<Vec<Module>> {
    let mut ways = vec![vec![start.clone()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = vec![];
        for way in ways {
            for next in edges.get(way.last()?).into_iter().flatten() {
                if next == start {
                    return Some([way, vec![next.clone()]].concat());
                }
                if seen.insert(next) {
                    longer.push([&way[..], std::slice::from_ref(next)].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

/// The paths in a file, outside tests.
#[derive(Default)]
struct References(Vec<Vec<String>>);

impl References {
    fn add_use(&mut self, before: &[String], tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(path) => {
                self.add_use(&[before, &[path.ident.to_string()]].concat(), &path.tree);
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.add_use(before, item));
            }
            syn::UseTree::Name(name) => self.0.push([before, &[name.ident.to_string()]].concat()),
            syn::UseTree::Rename(name) => self.0.push([before, &[name.ident.to_string()]].concat()),
            syn::UseTree::Glob(_) => self.0.push(before.to_vec()),
        }
    }
}

impl<'ast> Visit<'ast> for References {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            visit::visit_item_mod(self, item);
        }
    }

    // `pub(in crate::some::module)` names a module without depending on it.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}
