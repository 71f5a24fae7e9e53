//! Links of the README and of the pages.

use super::documents;
use std::path::Path;

/// A link in a Markdown text: the line it stands in, its text, and where it leads.
struct Link<'a> {
    line: usize,
    text: &'a str,
    target: &'a str,
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

/// What is wrong with a link of a document in this folder, if anything.
fn problem(folder: &Path, link: &Link<'_>) -> Option<String> {
    let (file, place) = match link.target.split_once('#') {
        Some((file, place)) => (file, Some(place)),
        None => (link.target, None),
    };
    let path = folder.join(file);
    if !path.exists() {
        return Some(format!("there is no {file}"));
    }
    let number: usize = match place?.strip_prefix('L') {
        Some(number) => number.parse().ok()?,
        None => return None,
    };
    let text = std::fs::read_to_string(&path).ok()?;
    // `Agent::turn` is defined where its last part is.
    let item = link.text.trim_matches('`').trim_end_matches("()");
    let item = item.rsplit("::").next().unwrap_or(item);
    let kinds = ["fn", "struct", "enum", "trait", "type", "const"];
    let defined = |line: &str| {
        let words: Vec<&str> = line
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        words
            .windows(2)
            .any(|pair| kinds.contains(&pair[0]) && pair[1] == item)
    };
    if defined(text.lines().nth(number.checked_sub(1)?).unwrap_or_default()) {
        return None;
    }
    Some(match text.lines().position(defined) {
        Some(index) => format!("`{item}` is in line {}, not {number}", index + 1),
        None => format!("`{item}` is not in {file}"),
    })
}

#[test]
fn every_link_leads_to_what_it_names() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut problems = String::new();
    let mut followed = 0;
    for (document, text) in documents() {
        let path = root.join(&document);
        let folder = path.parent().expect("a folder");
        for link in links(&text) {
            if link.target.starts_with("http") || link.target.starts_with('#') {
                continue;
            }
            followed += 1;
            if let Some(problem) = problem(folder, &link) {
                problems += &format!("{document}:{}: {problem}\n", link.line);
            }
        }
    }
    assert_eq!(problems, "");
    assert!(followed >= 20, "{followed} links");
}

#[test]
fn a_link_to_another_line_is_found() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let problem = |text: &str| problem(root, &links(text)[0]);
    let here = "tests/readme/links.rs";
    let line = include_str!("links.rs").lines().count();
    assert_eq!(problem(&format!("see [`links`]({here}#L13)")), None);
    assert_eq!(
        problem(&format!("see [`readme::links`]({here}#L{line})")),
        Some(format!("`links` is in line 13, not {line}"))
    );
    assert_eq!(
        problem("[a](tests/nothing.rs)"),
        Some("there is no tests/nothing.rs".to_owned())
    );
}
