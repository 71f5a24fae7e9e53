//! What people install: names, versions and texts agree, wherever they are written down.
//!
//! `.github/release/agents.py plugins` writes the manifests again.
//!
//! - `distribution/bundles.rs`: bundles and the entry for the registry are valid
//! - `distribution/crates.rs`: each crate can be packed
//! - `distribution/licences.rs`: every licence of a dependency is accepted
//! - `distribution/release.rs`: the workflow of a release is whole

mod bundles;
mod crates;
mod licences;
mod release;

use crate::cli::support::Home;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const SKILL: &str = "plugins/dialog2api/skills/dialog2api/SKILL.md";
const PAGE: &str = "src/documentation/mcp_server.md";

fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn manifest(name: &str) -> Json {
    serde_json::from_str(&text(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// How a manifest starts the server.
fn started(manifest: &Json) -> String {
    let server = &manifest["mcpServers"]["dialog2api"];
    let words = server["args"].as_array().into_iter().flatten();
    let words = [&server["command"]].into_iter().chain(words);
    words.filter_map(Json::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn manifests_have_the_name_and_the_version_of_the_package() {
    let market = manifest(".claude-plugin/marketplace.json");
    let plugins = ["claude", "codex"].map(|client| {
        let folder = market["plugins"][0]["source"].as_str().unwrap();
        manifest(&format!("{folder}/.{client}-plugin/plugin.json"))
    });
    for named in [&market["plugins"][0], &plugins[0], &plugins[1]] {
        assert_eq!(named["name"], env!("CARGO_PKG_NAME"), "{named}");
        assert_eq!(named["version"], env!("CARGO_PKG_VERSION"), "{named}");
    }
    for plugin in &plugins {
        assert_eq!(plugin["license"], env!("CARGO_PKG_LICENSE"), "{plugin}");
    }
    let said = plugins.each_ref().map(started).join("\n");
    expect_test::expect![[r#"
        dialog2api mcp --world ${user_config.world}
        dialog2api mcp --world zoology"#]]
    .assert_eq(&said);
}

/// The names of the tools, from the server itself.
fn served() -> BTreeSet<String> {
    let home = Home::new();
    let mut command = home.ready("mcp --world empty");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = command.stderr(Stdio::null()).spawn().unwrap();
    let asked = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
    ];
    let mut stdin = server.stdin.take().unwrap();
    writeln!(stdin, "{}", asked.join("\n")).unwrap();
    drop(stdin);
    let output = server.wait_with_output().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    let mut answers = answers.lines().map(|line| line.parse::<Json>().unwrap());
    let list = answers.find(|answer| answer["id"] == 2).unwrap();
    let tools = list["result"]["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

/// What stands in backquotes.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_page_and_the_skill_name_the_tools_that_the_server_has() {
    let tools = served();
    let page = text(PAGE);
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    // Bundles list the tools of the first column.
    let columns = rows.filter_map(|row| row.split(" | ").next());
    let listed = quoted(&columns.collect::<Vec<_>>().join(" "));
    assert_eq!(listed, tools, "{PAGE}");
    let skill = quoted(&text(SKILL));
    let unsaid = tools.difference(&skill).collect::<Vec<_>>();
    assert!(unsaid.is_empty(), "{SKILL} says nothing of {unsaid:?}");
}

#[test]
fn the_skill_is_short_and_leaves_the_api_to_the_server() {
    let skill = text(SKILL);
    let [_, head, body] = skill.splitn(3, "---\n").collect::<Vec<_>>()[..] else {
        panic!("{SKILL} has no head")
    };
    assert!(
        head.starts_with("name: dialog2api\ndescription: "),
        "{head}"
    );
    assert!(body.lines().count() <= 50, "{} lines", body.lines().count());
    assert!(!skill.contains("s3."), "{SKILL} has text of an API");
}

#[test]
fn the_archives_are_where_they_are_looked_for() {
    let toml: toml::Table = text("Cargo.toml").parse().unwrap();
    let binstall = &toml["package"]["metadata"]["binstall"];
    let filled = |key: &str| {
        let template = binstall[key].as_str().unwrap();
        let parts = [
            ("{ repo }", "REPO"),
            ("{ name }", env!("CARGO_PKG_NAME")),
            ("{ bin }", env!("CARGO_PKG_NAME")),
            ("{ version }", env!("CARGO_PKG_VERSION")),
            ("{ target }", "TARGET"),
            ("{ binary-ext }", ""),
        ];
        let fill = |text: String, (name, value): (&str, &str)| text.replace(name, value);
        parts.into_iter().fold(template.to_owned(), fill)
    };
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        filled("pkg-url"),
        format!("REPO/releases/download/v{version}/dialog2api-{version}-TARGET.tar.xz")
    );
    assert_eq!(
        filled("bin-dir"),
        format!("dialog2api-{version}-TARGET/dialog2api")
    );
    // The script that packs them.
    let script = text(".github/release/archive.py");
    for said in [
        r#"name = f"{NAME}-{VERSION}-{target}""#,
        r#"(f"{name}/{NAME}", binary)"#,
        r#"folder / f"{name}.tar.xz""#,
    ] {
        assert!(script.contains(said), "archive.py has no `{said}`");
    }
}
