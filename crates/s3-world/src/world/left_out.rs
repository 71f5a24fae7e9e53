//! What of a folder programs do not see, and the note that says so.

use super::aliases::{Aliases, alias};
use crate::names;
use std::collections::BTreeSet;
use std::path::Path;

/// How many folders are named.
const SHOWN: usize = 8;

/// What was left out when a folder was read.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Subfolders whose names no bucket can have, and whose other names are those of others, too.
    pub folders: Vec<String>,
    /// Files beside the subfolders.
    pub top: usize,
    /// Files and folders beside them whose names begin with a dot.
    pub hidden: usize,
    /// Links, which are not followed.
    pub links: usize,
    /// Pipes, sockets and devices.
    pub special: usize,
    /// Files and folders whose names are not UTF-8.
    pub unnamed: usize,
    /// Files and folders whose keys would be longer than a key may be.
    pub long: usize,
    /// Folders that may not be read.
    pub closed: usize,
}

impl LeftOut {
    /// A sentence for people about the folders that are buckets of another name, and one about
    /// everything that was left out; `None` if there is neither.
    pub fn note(&self, root: &Path, aliases: &Aliases) -> Option<String> {
        let sentences = [named(root, aliases), self.unseen(root)];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        (!sentences.is_empty()).then(|| sentences.join("\n"))
    }

    fn unseen(&self, root: &Path) -> Option<String> {
        let mut parts = Vec::new();
        if !self.folders.is_empty() {
            let word = plural(self.folders.len(), "the subfolder", "the subfolders");
            let shown = self.folders.iter().map(|name| format!("{name:?}"));
            let called = self.folders.iter().map(|name| alias(name));
            let called: BTreeSet<String> = called.collect();
            parts.push(format!(
                "{word} {} (rename: each would be the bucket {}, as another folder is)",
                first(shown.collect()),
                first(called.into_iter().collect())
            ));
        }
        if self.top > 0 {
            let files = plural(self.top, "file that lies", "files that lie");
            parts.push(format!(
                "{} {files} in no subfolder ({})",
                self.top,
                way_out(root)
            ));
        }
        let counted = [
            (
                self.hidden,
                "hidden file or folder at the top",
                "hidden files and folders at the top",
            ),
            (self.links, "link", "links"),
            (
                self.special,
                "pipe, socket or device",
                "pipes, sockets and devices",
            ),
            (
                self.unnamed,
                "name that is not UTF-8",
                "names that are not UTF-8",
            ),
            (
                self.long,
                "path that is too long for a key",
                "paths that are too long for a key",
            ),
            (
                self.closed,
                "folder that may not be read",
                "folders that may not be read",
            ),
        ];
        for (count, one, many) in counted {
            if count > 0 {
                parts.push(format!("{count} {}", plural(count, one, many)));
            }
        }
        if parts.is_empty() {
            return None;
        }
        Some(format!(
            "note: of {} programs do not see {}",
            root.display(),
            parts.join("; ")
        ))
    }
}

/// Which folders are buckets of another name.
fn named(root: &Path, aliases: &Aliases) -> Option<String> {
    let named: Vec<String> = aliases
        .iter()
        .map(|(folder, bucket)| format!("the folder {folder:?} is the bucket {bucket}"))
        .collect();
    if named.is_empty() {
        return None;
    }
    Some(format!(
        "note: in {} {}: programs write that name, because a bucket's name has no other characters \
         than a-z, A-Z, 0-9, '.', '-' and '_'",
        root.display(),
        first(named)
    ))
}

/// The first of many things, and how many more there are.
fn first(mut things: Vec<String>) -> String {
    let more = things.len().saturating_sub(SHOWN);
    if more > 0 {
        things.truncate(SHOWN);
        things.push(format!("and {more} more"));
    }
    things.join(", ")
}

/// How files that lie at the top come into a bucket.
fn way_out(root: &Path) -> String {
    let whole = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = whole.file_name().and_then(|name| name.to_str());
    let name = name.map(|name| match names::is_folder_bucket_name(name) {
        true => name.to_owned(),
        false => alias(name),
    });
    match (name.filter(|name| !name.starts_with('.')), whole.parent()) {
        (Some(name), Some(above)) => format!(
            "subfolders are buckets: with --world {} they are in the bucket {name}",
            above.display()
        ),
        _ => "subfolders are buckets: move them into one".to_owned(),
    }
}

fn plural<'t>(count: usize, one: &'t str, many: &'t str) -> &'t str {
    match count {
        1 => one,
        _ => many,
    }
}
