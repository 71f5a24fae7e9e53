//! The page about a dataset of one's own: its commands are run in order, in an empty folder,
//! and print what the page says. `UPDATE_EXPECT=1` writes what they print into the page.

use expect_test::expect_file;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../src/documentation/own_dataset.md");

/// Runs a command line in a shell: what it prints, errors included, and whether it succeeded.
fn run(line: &str, folder: &Path) -> (String, bool) {
    let program = Path::new(env!("CARGO_BIN_EXE_dialog2api"));
    let programs = program.parent().unwrap().to_str().unwrap();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {line}\n}} 2>&1")])
        .env_clear()
        .envs([("PATH", path.as_str()), ("NO_COLOR", "1")])
        .env("HOME", folder)
        .env("DIALOG2API_CACHE_DIR", env!("CARGO_TARGET_TMPDIR"))
        .current_dir(folder)
        .output()
        .expect("a shell");
    let printed = String::from_utf8(output.stdout).expect("text");
    (printed, output.status.success())
}

/// The page with what its commands print here.
fn render(page: &str, folder: &Path) -> String {
    let (mut rendered, mut script, mut block) = (String::new(), String::new(), "");
    for line in page.lines() {
        if let Some(opened) = line.strip_prefix("```") {
            if block == "sh" {
                let (printed, succeeded) = run(&script, folder);
                assert!(succeeded, "{script}{printed}");
                script.clear();
            }
            block = if block.is_empty() { opened } else { "" };
        } else if block == "sh" {
            script.push_str(line);
            script.push('\n');
        } else if block == "console" {
            let Some(command) = line.strip_prefix("$ ") else {
                continue;
            };
            let (printed, succeeded) = run(command, folder);
            assert!(succeeded, "{command}\n{printed}");
            rendered.push_str(&format!("{line}\n{printed}"));
            continue;
        }
        rendered.push_str(line);
        rendered.push('\n');
    }
    rendered
}

#[test]
fn every_command_of_the_page_prints_what_the_page_says() {
    let home = tempfile::tempdir().expect("a folder");
    let (_, ready) = run("dialog2api prepare", home.path());
    assert!(ready, "the sandbox can be prepared");
    let rendered = render(PAGE, home.path());
    assert!(rendered.matches("\n$ dialog2api ").count() >= 8);
    expect_file!["../../src/documentation/own_dataset.md"].assert_eq(&rendered);
}
