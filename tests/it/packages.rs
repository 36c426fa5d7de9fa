//! Tests packages, recipes and documentation: versions, links, and the hardening of the binary.

use crate::repository;

/// The files that contain a version of aggctl.
const FILES: [&str; 8] = [
    "action.yml",
    "deploy/cronjob.yaml",
    "deploy/pushgateway.yaml",
    "docs/ci.md",
    "docs/install.md",
    "docs/monitoring.md",
    "packaging/README.md",
    "packaging/gitlab-ci.yml",
];

/// The text directly before a version.
const BEFORE: [&str; 9] = [
    "aggctl:",
    "aggctl==",
    "aggctl-v",
    "aggctl@v",
    "download/v",
    "raw/v",
    "rev: v",
    "AGGCTL_VERSION: ",
    "    default: ",
];

#[test]
fn recipes_name_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    for file in FILES {
        let text = std::fs::read_to_string(repository(file)).unwrap();
        assert!(text.contains(version), "{file} does not name {version}");
        for before in BEFORE {
            for (at, _) in text.match_indices(before) {
                let rest = &text[at + before.len()..];
                if rest.starts_with(|c: char| c.is_ascii_digit()) {
                    let named = rest.split(['-', '/', ' ', '\n', ']', '`', ':']).next().unwrap();
                    let named = named.trim_end_matches(".cdx.json");
                    assert_eq!(named, version, "{file}: {before}{named}");
                }
            }
        }
    }
    let changelog = std::fs::read_to_string(repository("CHANGELOG.md")).unwrap();
    assert!(changelog.contains(&format!("\n## {version}")), "no entry for {version}");
}

/// Returns the paths of all Markdown pages, relative to the repository.
fn pages() -> Vec<String> {
    let own = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    let mut pages: Vec<String> = own.map(str::to_owned).into();
    for folder in ["docs", "docs/commands", "packaging"] {
        let files = std::fs::read_dir(repository(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        pages.extend(names.filter(|n| n.ends_with(".md")).map(|n| format!("{folder}/{n}")));
    }
    pages
}

#[test]
fn links_are_not_broken() {
    for page in pages() {
        let text = std::fs::read_to_string(repository(&page)).unwrap();
        let folder = repository(&page).parent().unwrap().to_owned();
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split(')').next().unwrap();
            let file = link.split('#').next().unwrap();
            let elsewhere = link.contains("://") || file.is_empty() || link.contains(' ');
            assert!(elsewhere || folder.join(file).exists(), "{page}: {link}");
        }
    }
}

#[test]
fn the_site_lists_every_page() {
    let summary = std::fs::read_to_string(repository("docs/SUMMARY.md")).unwrap();
    for page in pages().iter().filter_map(|page| page.strip_prefix("docs/")) {
        let listed = page == "SUMMARY.md" || summary.contains(&format!("]({page})"));
        assert!(listed, "docs/SUMMARY.md does not list {page}");
    }
}

/// Checks the binary that the tests run. `packaging/check-binary` checks packages, with `readelf`.
#[cfg(all(
    target_os = "linux",
    target_env = "gnu",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
#[test]
fn the_binary_is_hardened() {
    const PT_DYNAMIC: usize = 2;
    const PT_GNU_STACK: usize = 0x6474_e551;
    const PT_GNU_RELRO: usize = 0x6474_e552;
    const DT_STRTAB: usize = 5;
    const DT_STRSZ: usize = 10;
    const DT_FLAGS_1: usize = 0x6fff_fffb;

    let elf = std::fs::read(env!("CARGO_BIN_EXE_aggctl")).unwrap();
    let number = |at: usize, bytes: usize| {
        let bytes = elf[at..at + bytes].iter().rev();
        bytes.fold(0, |number, byte| (number << 8) | usize::from(*byte))
    };
    assert_eq!(number(16, 2), 3, "the ELF type is not DYN: not position-independent");

    let (start, size, count) = (number(32, 8), number(54, 2), number(56, 2));
    let header = |kind| (0..count).map(|nth| start + nth * size).find(|at| number(*at, 4) == kind);
    assert!(header(PT_GNU_RELRO).is_some(), "no RELRO");
    let stack = header(PT_GNU_STACK).expect("no GNU_STACK: the stack is executable");
    assert_eq!(number(stack + 4, 4) & 1, 0, "the stack is executable");

    let dynamic = header(PT_DYNAMIC).expect("not dynamically linked");
    let (start, size) = (number(dynamic + 8, 8), number(dynamic + 32, 8));
    let value = |tag| {
        let entry = (start..start + size).step_by(16).find(|at| number(*at, 8) == tag);
        entry.map_or(0, |at| number(at + 8, 8))
    };
    assert_eq!(value(DT_FLAGS_1) & 1, 1, "partial RELRO: the linker did not get -z now");
    // The first segment, which contains the names, is mapped at address 0, so addresses are
    // offsets.
    let names = &elf[value(DT_STRTAB)..][..value(DT_STRSZ)];
    let mut names = names.split(|byte| *byte == 0);
    assert!(
        names.any(|name| name == b"__stack_chk_fail"),
        "C code without stack protector: .cargo/config.toml sets its flags"
    );
}

/// Whatever PyPI offers, the action installs a wheel of a release, and the workflow, not the tree,
/// chooses the configuration.
#[test]
fn recipes_name_checksums_and_their_configuration() {
    let read = |file: &str| std::fs::read_to_string(repository(file)).unwrap();
    let action = read("packaging/action");
    for words in ["--require-hashes", "--only-binary :all:", "--config=$AGGCTL_CONFIG"] {
        assert!(action.contains(words), "{words}");
    }
    assert!(read("action.yml").contains("AGGCTL_CONFIG: ${{ inputs.config }}"));
    let gitlab = read("packaging/gitlab-ci.yml");
    assert!(gitlab.contains("--config=$AGGCTL_CONFIG") && gitlab.contains("config=--no-config"));
}

/// krew does not wrap the texts of a manifest, and warns about lines of more than 80 columns.
/// `packaging/check-krew` has the other rules.
#[test]
fn the_texts_for_krew_fit_a_terminal() {
    let script = std::fs::read_to_string(repository("packaging/krew")).unwrap();
    for name in ["DESCRIPTION", "CAVEATS"] {
        let start = format!("{name} = \"\"\"\\\n");
        let text = script.split(&start).nth(1).and_then(|rest| rest.split("\"\"\"").next());
        let text = text.unwrap_or_else(|| panic!("no {name}"));
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
