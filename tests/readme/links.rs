//! Links of the README and of the pages: each file is there, and `file.rs#L12` defines the
//! item that is the text of the link. `UPDATE_EXPECT=1` moves such links to the right line.

use super::documents;
use std::path::Path;

/// A link in a Markdown text: the line it stands in, its text, and where it leads.
struct Link<'a> {
    line: usize,
    text: &'a str,
    target: &'a str,
}

/// What is wrong with a link.
#[derive(Debug, PartialEq)]
enum Problem {
    /// There is no such file, or no such item in it.
    Missing,
    /// The item is in another line: what the link should lead to.
    Moved(String),
}

fn links(text: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for (at, _) in line.match_indices("](") {
            let Some((target, _)) = line[at + 2..].split_once(')') else {
                continue;
            };
            let text = line[..at].rsplit('[').next().unwrap_or_default();
            links.push(Link {
                line: index + 1,
                text,
                target,
            });
        }
    }
    links
}

/// Whether a line of Rust defines an item.
fn defines(line: &str, item: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const"];
    let words: Vec<&str> = line
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let mut pairs = words.windows(2);
    pairs.any(|pair| kinds.contains(&pair[0]) && pair[1] == item)
}

/// What is wrong with a link of a document in this folder, if anything.
fn problem(folder: &Path, link: &Link<'_>) -> Option<Problem> {
    let (file, place) = link.target.split_once('#').unwrap_or((link.target, ""));
    let path = folder.join(file);
    if !path.exists() {
        return Some(Problem::Missing);
    }
    let number: usize = place.strip_prefix('L')?.parse().unwrap_or(0);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    // `Agent::turn` is defined where its last part is.
    let item = link.text.trim_matches('`').rsplit("::").next()?;
    let mut lines = text.lines().enumerate();
    if lines.any(|(index, line)| index + 1 == number && defines(line, item)) {
        return None;
    }
    Some(match text.lines().position(|line| defines(line, item)) {
        Some(index) => Problem::Moved(format!("{file}#L{}", index + 1)),
        None => Problem::Missing,
    })
}

#[test]
fn every_link_leads_to_what_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let update = std::env::var_os("UPDATE_EXPECT").is_some_and(|update| update == "1");
    let mut problems = String::new();
    let mut followed = 0;
    for (document, text) in documents() {
        let path = root.join(&document);
        let folder = path.parent().expect("a folder");
        let mut mended = text.clone();
        for link in links(&text) {
            if link.target.starts_with("http") || link.target.starts_with('#') {
                continue;
            }
            followed += 1;
            let shown = format!("[{}]({})", link.text, link.target);
            match problem(folder, &link) {
                None => {}
                Some(Problem::Moved(target)) if update => {
                    mended = mended.replace(&shown, &format!("[{}]({target})", link.text));
                }
                Some(problem) => {
                    problems += &format!("{document}:{}: {shown}: {problem:?}\n", link.line);
                }
            }
        }
        if mended != text {
            std::fs::write(path, mended).expect("the document is written");
        }
    }
    assert_eq!(problems, "", "UPDATE_EXPECT=1 moves links");
    assert!(followed >= 40, "{followed} links");
}

/// The paths in backticks: words with a `/` that are no commands.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|word| word.contains('/') && !word.contains(char::is_whitespace))
}

#[test]
fn what_contributors_are_sent_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page");
    let missing: Vec<&str> = paths(&text)
        .filter(|path| !root.join(path).exists())
        .collect();
    assert_eq!(missing, [""; 0]);
    assert!(paths(&text).count() >= 30);
}

#[test]
fn a_link_to_another_line_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let problem = |text: &str| problem(root, &links(text)[0]);
    let here = "tests/readme/links.rs";
    let text = include_str!("links.rs");
    let line = 1 + text
        .lines()
        .position(|line| defines(line, "links"))
        .unwrap();
    let right = format!("{here}#L{line}");
    assert_eq!(problem(&format!("see [`links`]({right})")), None);
    let moved = Some(Problem::Moved(right));
    assert_eq!(problem(&format!("see [`readme::links`]({here}#L1)")), moved);
    let missing = Some(Problem::Missing);
    assert_eq!(problem(&format!("see [`nothing`]({here}#L1)")), missing);
    assert_eq!(problem("[a](tests/nothing.rs)"), missing);
}
