//! A page whose commands are run in order, in an empty folder. Blocks of `sh` have to
//! succeed; blocks of `console` show what each command prints, errors included.

use expect_test::ExpectFile;
use std::path::Path;
use std::process::Command;

/// Compares a page with what its commands print. `UPDATE_EXPECT=1` writes that into the
/// page. A line that ends with a time in seconds is compared without it.
pub fn check(page: &str, expected: ExpectFile) {
    let home = tempfile::tempdir().expect("a folder");
    let (printed, ready) = run("dialog2api prepare", home.path());
    assert!(ready, "the sandbox can be prepared: {printed}");
    let rendered = render(page, home.path());
    assert!(rendered.matches("\n$ dialog2api ").count() >= 8);
    expected.assert_eq(&rendered);
}

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

/// The output without the times that programs took.
fn timeless(printed: &str) -> String {
    let is_time = |text: &str| {
        let mut words = text.split(' ');
        let is_number = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
        is_number
            && words
                .next()
                .is_some_and(|unit| ["s", "ms", "µs"].contains(&unit))
    };
    let mut text = String::new();
    for line in printed.lines() {
        let parted = [", ", " · "].iter().find_map(|mark| {
            let (start, end) = line.rsplit_once(mark)?;
            is_time(end).then(|| format!("{start}{mark}…"))
        });
        text += &match parted {
            Some(line) => line,
            None if line.starts_with("elapsed ") => "elapsed    …".to_owned(),
            None => line.to_owned(),
        };
        text.push('\n');
    }
    text
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
            // A command that finds something, or is refused, says so and ends with 3.
            let (printed, _) = run(command, folder);
            rendered.push_str(&format!("{line}\n{}", timeless(&printed)));
            continue;
        }
        rendered.push_str(line);
        rendered.push('\n');
    }
    rendered
}
