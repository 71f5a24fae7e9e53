//! Public types have one name each. A second type of a name sends readers, searches and links to the
//! wrong one.

use crate::tidy::{File, none, rust};
use std::collections::{BTreeMap, BTreeSet};

/// The crates whose types stand beside each other. The program shows those of the core and of S3 as
/// its own.
const BESIDE: &[&[&str]] = &[
    &["crates/dialog2api-core/src", "crates/s3-world/src", "src"],
    &["crates/decision-games/src"],
    &["crates/typed-claims/src"],
    &["crates/web-desk/src"],
    &["crates/worksheets/src"],
];

/// The types of a module that others can name.
#[derive(Clone)]
enum Shown {
    /// All that are `pub`: so are the modules above.
    All,
    /// Those of these names: a public module above re-exports them.
    Named(Vec<String>),
}

impl Shown {
    fn has(&self, name: &str) -> bool {
        match self {
            Shown::All => true,
            Shown::Named(names) => names.iter().any(|known| known == name),
        }
    }
}

/// The type that a line defines, if others than its crate may see it.
fn defined(line: &str) -> Option<&str> {
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type", "union"].contains(&kind);
    let name = rest.split(|c: char| !c.is_alphanumeric()).next();
    name.filter(|_| is_type)
}

/// The module that a line declares, and whether it is public.
fn declared(line: &str) -> Option<(bool, &str)> {
    let (before, module) = line.strip_suffix(';')?.split_once("mod ")?;
    let is_declared = before.is_empty() || before.starts_with("pub");
    is_declared.then_some((before == "pub ", module))
}

/// The names that a text re-exports of a module below it.
fn reexported(text: &str, module: &str) -> Vec<String> {
    let uses = text.split("pub use ").skip(1);
    let paths = uses.filter_map(|rest| {
        let path = rest.split(';').next()?;
        path.strip_prefix(module)?.strip_prefix("::")
    });
    let names = paths.flat_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_'));
    names.map(str::to_owned).collect()
}

/// Adds the public types of a module, each with its file, and those of the modules below it.
fn visit(files: &[File], path: &str, shown: &Shown, found: &mut Vec<(String, String)>) {
    let Some(file) = files.iter().find(|file| file.path == path) else {
        return;
    };
    let lines: Vec<&str> = file.code().map(|(_, line)| line).collect();
    let types = lines.iter().filter_map(|line| defined(line));
    let types = types.filter(|name| shown.has(name));
    found.extend(types.map(|name| (name.to_owned(), path.to_owned())));
    let folder = match path.rsplit_once('/') {
        Some((folder, "lib.rs" | "mod.rs")) => folder,
        _ => path.trim_end_matches(".rs"),
    };
    let text = lines.join("\n");
    for (is_public, module) in lines.iter().filter_map(|line| declared(line)) {
        let below = match shown {
            Shown::All if is_public => Shown::All,
            Shown::All => Shown::Named(reexported(&text, module)),
            Shown::Named(_) => shown.clone(),
        };
        for child in [format!("{module}.rs"), format!("{module}/mod.rs")] {
            visit(files, &format!("{folder}/{child}"), &below, found);
        }
    }
}

/// The public types of a crate.
fn public(files: &[File], root: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    visit(files, root, &Shown::All, &mut found);
    found
}

#[test]
fn public_types_have_one_name_each() {
    for crates in BESIDE {
        let files = rust(crates);
        let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for folder in *crates {
            let types = public(&files, &format!("{folder}/lib.rs"));
            assert!(types.len() > 10, "{folder} has no types any more");
            for (name, place) in types {
                places.entry(name).or_default().insert(place);
            }
        }
        places.retain(|_, places| places.len() > 1);
        let twice = places.iter().map(|(name, places)| {
            let places: Vec<&str> = places.iter().map(String::as_str).collect();
            format!("{name}: {}", places.join(", "))
        });
        none("two public types want two names", twice);
    }
}

#[test]
fn a_type_is_public_by_its_module_or_by_a_re_export() {
    let file = |path: &str, text: &str| File {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let shut = "pub trait Told {}\npub struct Kept;\npub mod inner;";
    let files = [
        file(
            "a/lib.rs",
            "pub mod open;\nmod shut;\npub use shut::{\n    Told,\n};\npub(crate) use shut::Kept;",
        ),
        file(
            "a/open.rs",
            "pub struct Seen<T>(T);\npub(super) enum Own {}\nmod deep;\npub use deep::one::Deep;",
        ),
        file("a/open/deep.rs", "mod one;\n// pub struct Gone;"),
        file("a/open/deep/one.rs", "pub enum Deep {}"),
        file("a/shut/mod.rs", shut),
        file("a/shut/inner.rs", "pub type Inner = u8;"),
    ];
    let types = public(&files, "a/lib.rs");
    let names: Vec<&str> = types.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Seen", "Deep", "Told"]);
}
