//! What of a folder programs do not see, and the note that says so.

use crate::names;
use std::path::Path;

/// What was left out when a folder was read.
#[derive(Debug, Default)]
pub struct LeftOut {
    /// Subfolders whose names no bucket can have.
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
    /// One sentence for people about everything that was left out; `None` if nothing was.
    pub fn note(&self, root: &Path) -> Option<String> {
        let mut parts = Vec::new();
        if !self.folders.is_empty() {
            let word = plural(self.folders.len(), "the subfolder", "the subfolders");
            parts.push(format!(
                "{word} {} (rename: a bucket's name has 1 to 255 of a-z, A-Z, 0-9, '.', '-' and \
                 '_')",
                self.folders.join(", ")
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

/// How files that lie at the top come into a bucket.
fn way_out(root: &Path) -> String {
    let whole = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let name = whole.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| names::is_folder_bucket_name(name));
    match (name, whole.parent()) {
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
