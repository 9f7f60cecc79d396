//! Modules use only modules that lie below them. `UPDATE=1 cargo test --test house architecture` writes the order into docs/architecture.md.

#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use syn::{Item, UseTree, visit::Visit};

/// The crates, each with its folder and its modules from the lowest level up; a module may use those of lower levels alone. That
/// crates use only those before them is seen to by cargo.
const CRATES: [(&str, &str, &[&[&str]]); 5] = [
    (
        "tilelens-scoring",
        "crates/scoring/src",
        &[
            &["schema"],
            &["tile", "points"],
            &["words", "sight", "hand"],
            &["rules", "calibration", "record"],
            &["advice", "layout", "convert"],
            &["appraisal", "recorder"],
            &["calls"],
            &["lib"],
        ],
    ),
    (
        "tilelens-table",
        "crates/table/src",
        &[
            &["name", "recorded", "clock"],
            &["cure"],
            &["table"],
            &["tournament", "game_log"],
            &["ledger"],
            &["lib"],
        ],
    ),
    (
        "tilelens-eye",
        "crates/eye/src",
        &[
            &["picture"],
            &["tileset", "capture"],
            &["vision", "evaluation", "draw"],
            &["live", "lesson"],
            &["lib"],
        ],
    ),
    ("tilelens-files", "crates/files/src", &[&["output", "picture_name", "rule_file"], &["lib"]]),
    ("tilelens", "src", &[&["page"], &["server"], &["cli"], &["lib"], &["main"]]),
];
const BEGIN: &str = "<!-- levels: made by tests/house/architecture.rs -->\n";
const END: &str = "<!-- end -->\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The modules of the crate that a file names, other than in its tests.
#[derive(Default)]
struct Uses(BTreeSet<String>);

impl Uses {
    fn tree(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => drop(self.0.insert(path.ident.to_string())),
            UseTree::Name(name) => drop(self.0.insert(name.ident.to_string())),
            UseTree::Rename(name) => drop(self.0.insert(name.ident.to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree)),
            UseTree::Glob(_) => {}
        }
    }
}

impl<'a> Visit<'a> for Uses {
    fn visit_item(&mut self, item: &'a Item) {
        let is_test = match item {
            Item::Mod(module) => module.ident == "tests",
            _ => false,
        };
        if !is_test {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_use_tree(&mut self, tree: &'a UseTree) {
        if let UseTree::Path(path) = tree
            && path.ident == "crate"
        {
            self.tree(&path.tree);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let mut parts = path.segments.iter();
        if let (Some(first), Some(second)) = (parts.next(), parts.next())
            && first.ident == "crate"
        {
            self.0.insert(second.ident.to_string());
        }
        syn::visit::visit_path(self, path);
    }
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// What the text of a file uses of the crate.
fn uses(text: &str) -> BTreeSet<String> {
    let mut uses = Uses::default();
    uses.visit_file(&syn::parse_file(text).unwrap());
    uses.0
}

#[test]
fn modules_use_only_what_lies_below_them() {
    let mut wrong = Vec::new();
    for (_, folder, levels) in CRATES {
        let level = |module: &str| levels.iter().position(|level| level.contains(&module));
        let source = root().join(folder);
        let mut all = Vec::new();
        files(&source, &mut all);
        assert!(!all.is_empty(), "the sources of {folder} were not found");
        for file in &all {
            let within = file.strip_prefix(&source).unwrap();
            let module = within.components().next().unwrap().as_os_str().to_str().unwrap();
            let module = module.trim_end_matches(".rs");
            let own = level(module).unwrap_or_else(|| panic!("{module} has no level"));
            let text = fs::read_to_string(file).unwrap();
            for used in uses(&text).into_iter().filter(|used| used != module) {
                if level(&used).is_some_and(|other| other >= own) {
                    wrong.push(format!(
                        "{} uses {used}, which does not lie below",
                        within.display()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Lines without its tests that a file has at most. Functions are counted by clippy (`clippy.toml`).
const MOST_LINES: usize = 500;

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for (_, folder, _) in CRATES {
        let mut all = Vec::new();
        files(&root().join(folder), &mut all);
        for file in all {
            let text = fs::read_to_string(&file).unwrap();
            let own = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            if own.lines().count() > MOST_LINES {
                long.push(file);
            }
        }
    }
    assert!(long.is_empty(), "more than {MOST_LINES} lines without tests: {long:#?}");
}

#[test]
fn what_a_file_uses_is_seen_in_whatever_way_it_is_written() {
    let text = "use crate::{a::B, c};\nuse crate::d as e;\nfn f() -> crate::g::H { crate::i::j() }\n\
                #[cfg(test)]\nmod tests { use crate::k; }\nuse super::l;";
    assert_eq!(uses(text), ["a", "c", "d", "g", "i"].map(str::to_owned).into());
}

#[test]
fn the_page_on_architecture_shows_the_levels() {
    let page = root().join("docs/architecture.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let shown = |level: &[&str]| {
        let names: Vec<String> = level.iter().map(|module| format!("`{module}`")).collect();
        format!("1. {}\n", names.join(", "))
    };
    let levels: String = CRATES
        .iter()
        .map(|(name, folder, levels)| {
            let modules = levels.iter().filter(|level| !matches!(level, ["lib"] | ["main"]));
            let levels: String = modules.map(|level| shown(level)).collect();
            if levels.is_empty() {
                String::new()
            } else {
                format!("`{name}` ({folder}):\n\n{levels}\n")
            }
        })
        .collect();
    let made = format!("{before}{BEGIN}{levels}{END}{after}");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&page, &made).unwrap();
    }
    assert!(
        text == made || std::env::var_os("UPDATE").is_some(),
        "run UPDATE=1 cargo test --test house architecture"
    );
}
