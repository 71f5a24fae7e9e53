//! Each crate can be packed: its manifest says what a registry asks for, and its sources need
//! nothing that its archive lacks. `.github/release/crates.sh` packs them and builds the archives.

use super::text;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folder and manifest of what is published, the program first.
fn published() -> Vec<(PathBuf, toml::Table)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let entries = fs::read_dir(crates).unwrap();
    let folders = entries.map(|entry| Path::new("crates").join(entry.unwrap().file_name()));
    let mut folders = folders.collect::<Vec<_>>();
    folders.sort();
    folders.insert(0, PathBuf::new());
    let read = folders.into_iter().map(|folder| {
        let manifest = read(&folder);
        (folder, manifest)
    });
    read.collect()
}

fn read(folder: &Path) -> toml::Table {
    let manifest = folder.join("Cargo.toml");
    text(&manifest.display().to_string()).parse().unwrap()
}

#[test]
fn manifests_have_what_a_registry_asks_for() {
    let published = published();
    let program = &published[0].1["package"];
    let mut wrong = Vec::new();
    for (folder, manifest) in &published {
        let package = &manifest["package"];
        for key in ["description", "license", "keywords", "categories"] {
            if package.get(key).is_none() {
                wrong.push(format!("{} has no {key}", package["name"]));
            }
        }
        for key in ["readme", "edition", "rust-version", "repository"] {
            if package.get(key) != program.get(key) {
                wrong.push(format!("{} has a {key} of its own", package["name"]));
            }
        }
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            let file = folder.join(file);
            assert!(!text(&file.display().to_string()).is_empty());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn crates_name_the_versions_of_each_other() {
    for (folder, manifest) in published() {
        let tables = ["dependencies", "build-dependencies"];
        let tables = tables.into_iter();
        let tables = tables.filter_map(|kind| manifest.get(kind)?.as_table());
        for (name, dependency) in tables.flatten() {
            let of = |key: &str| dependency.get(key).and_then(toml::Value::as_str);
            let Some(path) = of("path") else { continue };
            let there = read(&folder.join(path));
            let wanted = of("version").map(|it| it.trim_start_matches('='));
            assert_eq!(wanted, there["package"]["version"].as_str(), "{name}");
        }
    }
}

/// The files that the sources in a folder have compiled in. What macros put together is left out.
fn built_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            built_in(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            let parts = source.split("include_").skip(1);
            let names = parts.filter_map(|part| {
                let rest = part
                    .strip_prefix("str!(")
                    .or_else(|| part.strip_prefix("bytes!("))?;
                let (name, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
                Some(plain(&folder.join(name)))
            });
            found.extend(names);
        }
    }
}

/// The path without steps back.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn no_source_needs_a_file_that_its_archive_lacks() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut lacking = Vec::new();
    for (folder, manifest) in published() {
        let folder = root.join(folder);
        let mut found = Vec::new();
        built_in(&folder.join("src"), &mut found);
        let include = manifest["package"].get("include");
        let include = include.and_then(toml::Value::as_array);
        let is_packed = |file: &PathBuf| {
            let Ok(inside) = file.strip_prefix(&folder) else {
                return false;
            };
            let inside = inside.to_string_lossy();
            let begins = |pattern: &toml::Value| {
                let pattern = pattern.as_str().unwrap();
                inside.starts_with(pattern.trim_matches(['/', '*']))
            };
            include.is_none_or(|patterns| patterns.iter().any(begins))
        };
        lacking.extend(found.into_iter().filter(|file| !is_packed(file)));
    }
    // It is compiled in where it is there, see build.rs.
    let adapter = root.join("datasets/s3/adapters/qwen2.5-coder-0.5b.gguf");
    assert_eq!(lacking, [adapter]);
}
