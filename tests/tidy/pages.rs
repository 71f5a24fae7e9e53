//! Pages have one title, and those with many sections an outline of links, which lead to sections
//! that are there.

use super::{File, files, none};

/// The most sections of a page that is overlooked without an outline.
const FEW: usize = 5;

/// The headings of a page, with their depth. A `#` in a block of code is no heading.
fn headings(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        let depth = line.len() - title.len();
        if depth > 0 && !is_code && title.starts_with(' ') {
            found.push((depth, title.trim()));
        }
    }
    found
}

/// The anchor that GitHub and rustdoc give a heading.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then(|| c.to_ascii_lowercase()),
    });
    kept.collect()
}

/// The pages for readers; other Markdown files are data.
fn pages() -> Vec<File> {
    let mut found = files(&[
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "api-docs",
        "crates",
        "datasets",
        "plugins",
        "src/documentation",
    ]);
    let is_guide = |path: &str| path.starts_with("src/documentation/") || !path.contains('/');
    found.retain(|file| {
        file.path.ends_with("README.md") || file.is(&["md"]) && is_guide(&file.path)
    });
    found
}

/// What is wrong with the title and the outline of a page.
fn problem(page: &File) -> Option<String> {
    let headings = headings(&page.text);
    let titles = headings.iter().filter(|(depth, _)| *depth == 1).count();
    if titles != 1 || headings.first()?.0 != 1 {
        return Some(format!("{titles} titles; sections begin with ##"));
    }
    let sections = headings.iter().filter(|(depth, _)| *depth == 2);
    let sections: Vec<String> = sections
        .map(|(_, title)| format!("- [{title}](#{})", anchor(title)))
        .collect();
    if sections.len() <= FEW || !page.path.starts_with("src/documentation/") {
        return None;
    }
    let outline = sections.join("\n");
    let has_outline = page.text.contains(&format!("\n{outline}\n\n"));
    (!has_outline).then(|| format!("wants this outline at its top:\n{outline}"))
}

#[test]
fn a_page_has_one_title_and_an_outline() {
    let pages = pages();
    assert!(pages.len() >= 30, "{} pages", pages.len());
    let findings = pages
        .iter()
        .filter_map(|page| Some(format!("{}: {}", page.path, problem(page)?)));
    none("readers find their way by titles", findings);
}

#[test]
fn a_link_to_a_section_leads_to_one() {
    let pages = pages();
    let mut findings = Vec::new();
    for page in &pages {
        for (at, _) in page.text.match_indices("](") {
            let rest = page.text.get(at + 2..).unwrap_or_default();
            let target = rest.split(')').next().unwrap_or_default();
            let Some((file, section)) = target.split_once('#') else {
                continue;
            };
            let name = file.rsplit('/').next().unwrap_or_default();
            let is_page = file.is_empty() || (name.ends_with(".md") && !file.contains("://"));
            let mut there = pages.iter().filter(|other| match file {
                "" => other.path == page.path,
                _ => joined(&page.path, file) == other.path,
            });
            let has = |other: &File| {
                let mut titles = headings(&other.text).into_iter();
                titles.any(|(_, title)| anchor(title) == section)
            };
            if is_page && !there.any(has) {
                findings.push(format!("{}: no section {target}", page.path));
            }
        }
    }
    none("links lead to sections", findings);
}

/// The path of a file that is named relative to a page.
fn joined(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn titles_and_anchors_are_read() {
    let text = "# A page\n\n```sh\n# a comment\n```\n\n## 2. Its `part.toml`, and more\n#no\n";
    assert_eq!(
        headings(text),
        [(1, "A page"), (2, "2. Its `part.toml`, and more")]
    );
    assert_eq!(
        anchor("2. Its `part.toml`, and more"),
        "2-its-parttoml-and-more"
    );
    let page = |text: &str| File {
        path: "src/documentation/a.md".to_owned(),
        text: text.to_owned(),
    };
    assert_eq!(problem(&page(text)), None);
    let two = problem(&page("# A\n\n# B\n"));
    assert_eq!(two.as_deref(), Some("2 titles; sections begin with ##"));
    let many = problem(&page(&format!("# A\n{}", "\n## B\n".repeat(FEW + 1))));
    assert!(many.is_some_and(|many| many.contains("- [B](#b)")));
    assert_eq!(joined("src/documentation/a.md", "../../b.md"), "b.md");
}
