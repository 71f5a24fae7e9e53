//! The bundle for clients that install one (`.mcpb`), and the entry for the MCP registry.

use crate::support::tools::{MCPB, NODE, PYTHON, needs};
use serde_json::Value as Json;
use std::fs::{self, File};
use std::path::Path;

const TARGET: &str = "x86_64-unknown-linux-gnu";

fn agents(arguments: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/release/agents.py");
    // The script's folder stays as it is.
    let mut python = PYTHON.python();
    let ran = python.arg("-B").arg(script).args(arguments).output();
    let ran = ran.expect("Python starts");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
}

#[test]
fn a_bundle_and_its_entry_in_the_registry_are_valid() {
    needs!(NODE, MCPB, PYTHON);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("program"), "any").unwrap();
    agents(&["bundle", TARGET, &at("program"), &at("")]);
    agents(&["server", "https://github.com/Example/dialog2api", &at("")]);

    let version = env!("CARGO_PKG_VERSION");
    let bundle = File::open(at(&format!("dialog2api-{version}-{TARGET}.mcpb"))).unwrap();
    let mut bundle = zip::ZipArchive::new(bundle).unwrap();
    bundle.extract(at("bundle")).unwrap();
    let manifest = at("bundle/manifest.json");
    let checked = std::process::Command::new(NODE.path())
        .arg(MCPB.path())
        .args(["validate", &manifest])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert!(checked.status.success(), "{said}");
    assert!(said.contains("passes"), "{said}");

    // The registry's schema has no package; these are its limits.
    let entry = fs::read_to_string(at("server.json")).unwrap();
    let entry: Json = serde_json::from_str(&entry).unwrap();
    // The registry compares the owner letter by letter with the name on GitHub.
    assert_eq!(entry["name"], "io.github.Example/dialog2api");
    assert_eq!(entry["version"], version);
    let description = entry["description"].as_str().unwrap();
    assert!((1..=100).contains(&description.chars().count()));
    let package = &entry["packages"][0];
    assert_eq!(package["registryType"], "mcpb");
    assert_eq!(package["transport"]["type"], "stdio");
    let digest = package["fileSha256"].as_str().unwrap();
    assert!(digest.len() == 64 && digest.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')));
}
