//! Every licence of a dependency is one that `.deny.toml` accepts. `cargo deny` says the same, and
//! more, where it is installed; this needs nothing but Cargo and the crates that were built.

use serde::Deserialize;
use serde_json::Value as Json;
use spdx::{Expression, ParseMode};
use std::path::Path;
use std::process::Command;

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
    exceptions: Vec<Exception>,
    clarify: Vec<Clarified>,
}

#[derive(Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Clarified {
    #[serde(rename = "crate")]
    name: String,
    expression: String,
}

impl Licenses {
    fn read() -> Licenses {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deny.toml");
        let text = std::fs::read_to_string(file).unwrap();
        toml::from_str::<Deny>(&text).unwrap().licenses
    }

    /// Why the licence that a crate states is not accepted.
    fn refuses(&self, name: &str, stated: Option<&str>) -> Option<String> {
        let clarified = self.clarify.iter().find(|it| it.name == name);
        let stated = clarified.map(|it| it.expression.as_str()).or(stated);
        let Some(stated) = stated else {
            return Some("states no licence".to_owned());
        };
        let expression = match Expression::parse_mode(stated, ParseMode::LAX) {
            Ok(expression) => expression,
            Err(error) => return Some(format!("`{stated}`: {}", error.reason)),
        };
        let excepted = self.exceptions.iter().filter(|it| it.name == name);
        let accepted: Vec<&String> = self
            .allow
            .iter()
            .chain(excepted.flat_map(|it| &it.allow))
            .collect();
        let is_accepted = expression.evaluate(|wanted| {
            let wanted = wanted.to_string();
            accepted.iter().any(|it| **it == wanted)
        });
        (!is_accepted).then(|| format!("`{stated}` is not accepted"))
    }
}

/// What Cargo knows of the dependencies on this machine.
fn packages() -> Vec<Json> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1"])
        .args(["--filter-platform", host.unwrap()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let metadata: Json = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn every_licence_is_accepted() {
    let licenses = Licenses::read();
    let packages = packages();
    assert!(packages.len() > 300, "{} packages", packages.len());
    let refused = packages.iter().filter_map(|package| {
        let name = package["name"].as_str().unwrap();
        let why = licenses.refuses(name, package["license"].as_str())?;
        Some(format!("{name} {}: {why}", package["version"]))
    });
    let refused = refused.collect::<Vec<_>>();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn what_is_not_accepted_is_found() {
    let licenses = Licenses::read();
    let cases = [
        ("any", Some("MIT/Apache-2.0")),
        ("any", Some("GPL-3.0-only OR (MIT AND Zlib)")),
        ("any", Some("Apache-2.0 WITH LLVM-exception")),
        ("any", Some("MIT AND GPL-3.0-only")),
        ("any", Some("LGPL-3.0-only")),
        ("malachite-nz", Some("LGPL-3.0-only")),
        ("any", Some("whatever")),
        ("any", None),
        ("rustpython-doc", None),
    ];
    let said = cases.map(|(name, stated)| {
        let why = licenses.refuses(name, stated);
        format!("{name}: {}\n", why.unwrap_or_else(|| "accepted".into()))
    });
    expect_test::expect![[r#"
        any: accepted
        any: accepted
        any: accepted
        any: `MIT AND GPL-3.0-only` is not accepted
        any: `LGPL-3.0-only` is not accepted
        malachite-nz: accepted
        any: `whatever`: unknown term
        any: states no licence
        rustpython-doc: accepted
    "#]]
    .assert_eq(&said.concat());
}
