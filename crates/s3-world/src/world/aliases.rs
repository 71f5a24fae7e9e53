//! Buckets whose folders have names that no bucket can have: `My Photos` is the bucket `my-photos`.

use crate::names;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How many characters of a folder's name are in the name of its bucket at most; the rest of the 63
/// that S3 allows is for [`mark`].
const SLUG: usize = 48;

/// The folders that are buckets of another name, by that name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aliases(BTreeMap<String, String>);

impl Aliases {
    /// Gives these folders names, of which none is that of a folder that is a bucket as it is. Two
    /// that would share a name have none: which one is meant would depend on the other. Returns
    /// them, too.
    pub fn of(folders: Vec<String>, buckets: &[String]) -> (Aliases, Vec<String>) {
        let mut by_alias: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for folder in folders {
            by_alias.entry(alias(&folder)).or_default().push(folder);
        }
        let (mut aliases, mut left) = (Aliases::default(), Vec::new());
        for (alias, mut folders) in by_alias {
            match folders.pop() {
                Some(only) if folders.is_empty() && !buckets.contains(&alias) => {
                    aliases.0.insert(alias, only);
                }
                last => left.extend(folders.into_iter().chain(last)),
            }
        }
        (aliases, left)
    }

    /// The folders with their buckets' names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(alias, folder)| (folder.as_str(), alias.as_str()))
    }

    /// The names of the buckets.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }

    /// The folder of a bucket; `None` if no bucket can have this name.
    pub fn folder(&self, root: &Path, bucket: &str) -> Option<PathBuf> {
        if !names::is_folder_bucket_name(bucket) {
            return None;
        }
        Some(root.join(self.0.get(bucket).map_or(bucket, String::as_str)))
    }

    /// Whether a bucket has the same folder in both.
    pub fn agree(&self, other: &Aliases, bucket: &str) -> bool {
        self.0.get(bucket) == other.0.get(bucket)
    }

    /// These names, and those of `before` whose folders are gone: a bucket that is made again has
    /// the folder that it had.
    pub fn after(mut self, before: &Aliases, buckets: &[String], root: &Path) -> Aliases {
        for (alias, folder) in &before.0 {
            let is_gone = fs::symlink_metadata(root.join(folder)).is_err();
            if is_gone && !buckets.contains(alias) {
                self.0.insert(alias.clone(), folder.clone());
            }
        }
        self
    }
}

/// The bucket's name of a folder. It depends on nothing but the folder's name, and S3 would accept
/// it for a new bucket.
pub fn alias(folder: &str) -> String {
    let mut slug = String::new();
    let mut is_whole = true;
    for c in folder.chars() {
        let plain = plain(c);
        is_whole &= !plain.is_empty() || c.is_ascii();
        match plain {
            "" if slug.ends_with('-') || slug.is_empty() => {}
            "" => slug.push('-'),
            plain => slug.push_str(plain),
        }
    }
    let is_short = slug.len() <= SLUG;
    slug.truncate(SLUG);
    let slug = slug.trim_end_matches('-');
    match slug {
        "" => format!("folder-{}", mark(folder)),
        slug if is_whole && is_short && names::is_bucket_name(slug) => slug.to_owned(),
        slug => format!("{slug}-{}", mark(folder)),
    }
}

/// What tells two folders apart whose names have the same plain letters.
fn mark(folder: &str) -> String {
    let digest = Sha256::digest(folder);
    const_hex::encode(digest.get(..4).unwrap_or_default())
}

/// A letter or digit as names of buckets have it; empty for what they cannot have.
fn plain(c: char) -> &'static str {
    const PLAIN: &[&str] = &[
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f", "g", "h",
        "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
    ];
    if let Some(number) = c.to_digit(36) {
        return PLAIN.get(number as usize).copied().unwrap_or_default();
    }
    match c.to_lowercase().next().unwrap_or(c) {
        'ä' | 'æ' => "ae",
        'ö' | 'œ' | 'ø' => "oe",
        'ü' => "ue",
        'ß' => "ss",
        'à' | 'á' | 'â' | 'ã' | 'å' => "a",
        'ç' | 'č' | 'ć' => "c",
        'è' | 'é' | 'ê' | 'ë' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' => "i",
        'ñ' | 'ń' => "n",
        'ò' | 'ó' | 'ô' | 'õ' => "o",
        'ř' => "r",
        'š' | 'ś' => "s",
        'ù' | 'ú' | 'û' => "u",
        'ý' | 'ÿ' => "y",
        'ž' | 'ź' | 'ż' => "z",
        'ł' => "l",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_has_a_name_that_s3_accepts() {
        for (folder, expected) in [
            ("My Photos", "my-photos"),
            ("Zürich & Köln (2024)", "zuerich-koeln-2024"),
            ("  a b ", "a-b"),
            ("Photos, new", "photos-new"),
            ("?", "folder-8a8de823"),
            ("写真", "folder-9c3250ff"),
            ("写真 2024", "2024-1fdf8f8e"),
            ("音楽 2024", "2024-1e12dc26"),
            ("a !", "a-e2f271a5"),
        ] {
            let alias = alias(folder);
            assert!(names::is_bucket_name(&alias), "{folder}: {alias}");
            assert_eq!(alias, expected, "{folder}");
        }
        let long = alias(&"long name ".repeat(20));
        assert!(names::is_bucket_name(&long), "{long}");
    }

    #[test]
    fn folders_that_would_share_a_name_have_none() {
        let folders = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let (aliases, left) = Aliases::of(
            folders(&["My Photos", "my photos", "My Notes", "All mine"]),
            &folders(&["my-notes", "x"]),
        );
        let named: Vec<_> = aliases.iter().collect();
        assert_eq!(named, [("All mine", "all-mine")]);
        assert_eq!(left, ["My Notes", "My Photos", "my photos"]);
    }
}
