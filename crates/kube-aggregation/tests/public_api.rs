//! Compares the public API with `public-api.txt`, so that every change to it is visible in review.
//!
//! `AGGCTL_BLESS=1 cargo test -p kube-aggregation --test public_api` rewrites the file.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quote::{ToTokens, quote};
use syn::{Attribute, Fields, ImplItem, Item, ItemEnum, UseTree, Visibility};

#[test]
fn the_public_api_is_the_recorded_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let got = Crate::read(&root.join("src/lib.rs")).api().join("\n") + "\n";
    let file = root.join("public-api.txt");
    if std::env::var_os("AGGCTL_BLESS").is_some() {
        std::fs::write(&file, &got).unwrap();
    }
    let want = std::fs::read_to_string(&file).unwrap_or_default();
    let (got, want): (BTreeSet<&str>, BTreeSet<&str>) =
        (got.lines().collect(), want.lines().collect());
    let added = got.difference(&want).map(|line| format!("+ {line}"));
    let removed = want.difference(&got).map(|line| format!("- {line}"));
    let changes: Vec<String> = removed.chain(added).collect();
    assert!(changes.is_empty(), "the public API changed:\n{}", changes.join("\n"));
}

/// The path of a module or an item, from the crate root.
type ItemPath = Vec<String>;

/// The parsed source of the crate: the items of each module.
struct Crate {
    modules: BTreeMap<ItemPath, Vec<Item>>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut read = Self { modules: BTreeMap::new() };
        read.add(vec![], root, &root.with_file_name(""));
        read
    }

    /// Parses a module and its children. `folder` contains the files of the children.
    fn add(&mut self, path: ItemPath, file: &Path, folder: &Path) {
        let text = std::fs::read_to_string(file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let mut items = vec![];
        for item in parsed.items.into_iter().filter(|item| !is_test(attributes(item))) {
            match item {
                Item::Mod(child) if child.content.is_none() => {
                    let name = child.ident.to_string();
                    let flat = folder.join(format!("{name}.rs"));
                    let (file, inner): (PathBuf, PathBuf) =
                        (folder.join(&name).join("mod.rs"), folder.join(&name));
                    let file = if flat.is_file() { flat } else { file };
                    self.add([path.clone(), vec![name]].concat(), &file, &inner);
                    items.push(Item::Mod(child));
                }
                Item::Macro(call) if call.mac.path.is_ident("words") => {
                    items.extend(words_enum(call.mac.tokens));
                }
                Item::Macro(call) if call.mac.path.is_ident("codec") => {
                    let tokens: Vec<_> = call.mac.tokens.into_iter().collect();
                    let (how, model) = (tokens[0].to_string(), &tokens[1]);
                    items.push(syn::parse_quote!(impl Deserialize for #model {}));
                    if how == "encode" {
                        items.push(syn::parse_quote!(impl Serialize for #model {}));
                    }
                }
                Item::Macro(call) if call.mac.path.is_ident("codes") => {
                    let tokens: Vec<_> = call.mac.tokens.into_iter().collect();
                    let (doc, variants) = tokens.split_at(2);
                    items.extend(words_enum(quote! {
                        #(#doc)* #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
                        #[non_exhaustive]
                        pub enum Code { #(#variants)* }
                    }));
                    items.push(syn::parse_quote!(impl std::fmt::Display for Code {}));
                }
                item => items.push(item),
            }
        }
        self.modules.insert(path, items);
    }

    /// Returns every public item, one signature per line, sorted by path.
    fn api(&self) -> Vec<String> {
        let mut api = Api::default();
        self.public_items(&[], "", &mut api);
        for (module, items) in &self.modules {
            for item in items {
                if let Item::Impl(block) = item
                    && let syn::Type::Path(of) = &*block.self_ty
                    && let Some(definition) = self.resolve(module, &segments(&of.path))
                    && let Some(path) = api.shown.get(&definition).cloned()
                {
                    api.implementation(&path, block);
                }
            }
        }
        api.into_lines()
    }

    /// Adds the public items of a module that users see at the path `shown`.
    fn public_items(&self, module: &[String], shown: &str, api: &mut Api) {
        let below = |name: &str| match shown {
            "" => name.to_owned(),
            _ => format!("{shown}::{name}"),
        };
        for item in &self.modules[module] {
            if !is_public(item) || is_hidden(attributes(item)) {
                continue;
            }
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let shown = below(&name);
                    api.lines.insert(shown.clone(), format!("mod {shown}"));
                    self.public_items(&[module, &[name]].concat(), &shown, api);
                }
                Item::Use(used) => {
                    for (path, name) in leaves(&used.tree) {
                        let found = self.resolve(module, &path);
                        let found = found.unwrap_or_else(|| panic!("{path:?} in {module:?}"));
                        self.public_item(found, below(&name), api);
                    }
                }
                _ => {
                    let Some(name) = name_of(item) else { continue };
                    let shown = below(&name);
                    self.public_item([module, &[name]].concat(), shown, api);
                }
            }
        }
    }

    fn public_item(&self, definition: ItemPath, shown: String, api: &mut Api) {
        let (name, module) = definition.split_last().unwrap();
        let named = |item: &&Item| name_of(item).as_ref() == Some(name);
        for item in self.modules[module].iter().filter(named) {
            api.definition(&shown, item);
        }
        api.shown.entry(definition).or_insert(shown);
    }

    /// Finds the definition that a path in a module refers to.
    fn resolve(&self, module: &[String], path: &[String]) -> Option<ItemPath> {
        let (first, rest) = path.split_first()?;
        let parent = || module.split_last().map(|(_, parent)| parent);
        match first.as_str() {
            "crate" => return self.resolve(&[], rest),
            "self" => return self.resolve(module, rest),
            "super" => return self.resolve(parent()?, rest),
            _ => {}
        }
        let child = [module, std::slice::from_ref(first)].concat();
        if self.modules.contains_key(&child) && !rest.is_empty() {
            return self.resolve(&child, rest);
        }
        let items = self.modules.get(module)?;
        if rest.is_empty() && items.iter().any(|item| name_of(item).as_ref() == Some(first)) {
            return Some(child);
        }
        let uses = items.iter().filter_map(|item| match item {
            Item::Use(used) => Some(leaves(&used.tree)),
            _ => None,
        });
        let (target, _) = uses.flatten().find(|(_, name)| name == first)?;
        // A name that a module imports from another crate is not part of this API.
        let target = self
            .resolve(module, &target)
            .or_else(|| self.modules.contains_key(&target).then_some(target))?;
        if rest.is_empty() { Some(target) } else { self.resolve(&target, rest) }
    }
}

/// Returns the enum that the macro `words!` defines, and its functions.
fn words_enum(tokens: proc_macro2::TokenStream) -> [Item; 2] {
    let mut written: ItemEnum = syn::parse2(tokens).unwrap();
    for variant in &mut written.variants {
        variant.discriminant = None;
    }
    let name = &written.ident;
    let count = written.variants.len();
    let functions = quote! {
        impl #name {
            pub const ALL: [Self; #count];
            pub fn as_str(self) -> &'static str {}
            pub fn from_word(word: &str) -> Option<Self> {}
        }
    };
    let functions = functions.to_string().replace(&format!("{count}usize"), &count.to_string());
    let functions = functions.replace("] ;", "] = [] ;");
    [Item::Enum(written.clone()), syn::parse_str(&functions).unwrap()]
}

/// Returns the path and the name of each item that a `use` imports.
fn leaves(tree: &UseTree) -> Vec<(ItemPath, String)> {
    match tree {
        UseTree::Path(path) => {
            let inner = leaves(&path.tree).into_iter();
            let first = path.ident.to_string();
            inner
                .map(|(mut rest, name)| {
                    if rest.last().is_some_and(|last| last == "self") {
                        rest.pop();
                        return (
                            vec![first.clone()],
                            if name == "self" { first.clone() } else { name },
                        );
                    }
                    rest.insert(0, first.clone());
                    (rest, name)
                })
                .collect()
        }
        UseTree::Name(name) => vec![(vec![name.ident.to_string()], name.ident.to_string())],
        UseTree::Rename(name) => vec![(vec![name.ident.to_string()], name.rename.to_string())],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Glob(_) => vec![],
    }
}

/// The public API found so far.
#[derive(Default)]
struct Api {
    /// The path at which users see a definition.
    shown: BTreeMap<ItemPath, String>,
    /// Signatures by path.
    lines: BTreeMap<String, String>,
    /// The traits of each type.
    traits: BTreeMap<String, BTreeSet<String>>,
}

impl Api {
    /// Adds a signature, and the public fields or variants of a type.
    fn definition(&mut self, path: &str, item: &Item) {
        let line = match item {
            Item::Struct(one) => {
                let public = |(_, field): &(usize, &syn::Field)| is_pub(&field.vis);
                for (index, field) in one.fields.iter().enumerate().filter(public) {
                    let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
                    let path = format!("{path}.{name}");
                    self.lines.insert(path.clone(), format!("{path}: {}", tidy(&field.ty)));
                }
                format!("{}struct {path}{}", open(&one.attrs), tidy(&one.generics))
            }
            Item::Enum(one) => {
                for variant in &one.variants {
                    let path = format!("{path}::{}", variant.ident);
                    let line = format!("{path}{}", tidy(&without_docs(&variant.fields)));
                    self.lines.insert(path, line);
                }
                format!("{}enum {path}{}", open(&one.attrs), tidy(&one.generics))
            }
            Item::Fn(one) => signature(path, &one.sig),
            Item::Const(one) => format!("const {path}: {}", tidy(&one.ty)),
            Item::Type(one) => format!("type {path}{} = {}", tidy(&one.generics), tidy(&one.ty)),
            Item::Trait(one) => format!("trait {path}{}", tidy(&one.generics)),
            _ => panic!("{path}: {}", item.to_token_stream()),
        };
        self.lines.insert(path.to_owned(), line);
        for derive in attributes(item).iter().filter(|one| one.path().is_ident("derive")) {
            let traits = self.traits.entry(path.to_owned()).or_default();
            let _ = derive.parse_nested_meta(|meta| {
                traits.insert(tidy(&meta.path));
                Ok(())
            });
        }
    }

    /// Adds the public functions and constants of an `impl` block, or the trait that it implements.
    fn implementation(&mut self, path: &str, block: &syn::ItemImpl) {
        if let Some((_, of, _)) = &block.trait_ {
            self.traits.entry(path.to_owned()).or_default().insert(tidy(of));
            return;
        }
        for item in &block.items {
            let (name, line) = match item {
                ImplItem::Fn(one) if is_pub(&one.vis) && !is_hidden(&one.attrs) => {
                    let path = format!("{path}::{}", one.sig.ident);
                    (path.clone(), signature(&path, &one.sig))
                }
                ImplItem::Const(one) if is_pub(&one.vis) => {
                    let path = format!("{path}::{}", one.ident);
                    (path.clone(), format!("const {path}: {}", tidy(&one.ty)))
                }
                _ => continue,
            };
            self.lines.insert(name, line);
        }
    }

    /// Returns the signatures. Those of types include their traits.
    fn into_lines(self) -> Vec<String> {
        let traits = |path: &String| -> Option<String> {
            let all: Vec<&str> = self.traits.get(path)?.iter().map(String::as_str).collect();
            Some(format!(": {}", all.join(" + ")))
        };
        let lines = self.lines.iter();
        lines.map(|(path, line)| format!("{line}{}", traits(path).unwrap_or_default())).collect()
    }
}

fn without_docs(fields: &Fields) -> Fields {
    let mut fields = fields.clone();
    for field in &mut fields {
        field.attrs.clear();
    }
    fields
}

fn signature(path: &str, signature: &syn::Signature) -> String {
    let mut anonymous = signature.clone();
    anonymous.ident = syn::parse_quote!(NAME);
    tidy(&anonymous).replacen("NAME", path, 1)
}

fn open(attributes: &[Attribute]) -> &'static str {
    let is_open = attributes.iter().any(|one| one.path().is_ident("non_exhaustive"));
    if is_open { "non_exhaustive " } else { "" }
}

/// Formats tokens as `rustfmt` does, as far as signatures need it.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("& ", "&"),
        (" :", ":"),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
        ("->(", "-> ("),
        (",)", ")"),
        (", }", " }"),
        ("Fn(", "Fn("),
        ("-> ", " -> "),
        ("  ->", " ->"),
        ("- >", "->"),
        ("{", " {"),
        ("  {", " {"),
    ] {
        text = text.replace(from, to);
    }
    text
}

fn segments(path: &syn::Path) -> ItemPath {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(one) => &one.attrs,
        Item::Enum(one) => &one.attrs,
        Item::Fn(one) => &one.attrs,
        Item::Impl(one) => &one.attrs,
        Item::Macro(one) => &one.attrs,
        Item::Mod(one) => &one.attrs,
        Item::Struct(one) => &one.attrs,
        Item::Trait(one) => &one.attrs,
        Item::Type(one) => &one.attrs,
        Item::Use(one) => &one.attrs,
        _ => &[],
    }
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(one) => &one.vis,
        Item::Enum(one) => &one.vis,
        Item::Fn(one) => &one.vis,
        Item::Mod(one) => &one.vis,
        Item::Struct(one) => &one.vis,
        Item::Trait(one) => &one.vis,
        Item::Type(one) => &one.vis,
        Item::Use(one) => &one.vis,
        _ => return false,
    };
    is_pub(visibility)
}

fn is_pub(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(one) => one.ident.to_string(),
        Item::Enum(one) => one.ident.to_string(),
        Item::Fn(one) => one.sig.ident.to_string(),
        Item::Struct(one) => one.ident.to_string(),
        Item::Trait(one) => one.ident.to_string(),
        Item::Type(one) => one.ident.to_string(),
        _ => return None,
    })
}

fn is_test(attributes: &[Attribute]) -> bool {
    let test = |one: &Attribute| one.to_token_stream().to_string().contains("cfg (test)");
    attributes.iter().any(test)
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let hidden = |one: &Attribute| one.to_token_stream().to_string().contains("doc (hidden)");
    attributes.iter().any(hidden)
}
