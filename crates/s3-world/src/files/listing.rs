//! `list_files` and `read_file`.

use super::folders::Named;
use super::stamp::Stamp;
use super::world::WithFiles;
use crate::blocking;
use crate::domain::{Refusal, Value};
use crate::refusal::Trouble;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

/// The most entries of one listing.
const MOST_ENTRIES: usize = 100_000;

/// The most bytes that one `read_file` gives to a program.
const MOST_BYTES: u64 = 8 << 20;

/// The end of the name of a download that is under way, which no listing shows.
pub const PART: &str = ".dialog2api-part";

/// The files and folders below a folder, by name.
#[derive(Default)]
struct Found {
    files: BTreeMap<String, Stamp>,
    folders: Vec<String>,
}

impl Found {
    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }

    /// This over another.
    fn over(mut self, mut under: Found) -> Found {
        under.files.append(&mut self.files);
        under.folders.append(&mut self.folders);
        under.folders.sort();
        under.folders.dedup();
        under
    }
}

impl WithFiles {
    pub(super) async fn list(&self, params: &Value) -> Result<Value, Trouble> {
        let path = params.get("Path").and_then(Value::as_str).unwrap_or(".");
        let recursive = params.get("Recursive").and_then(Value::as_bool) == Some(true);
        let mut found = Found::default();
        match (path, self.folders.listed().count()) {
            ("." | "" | "./", count) if count != 1 || !recursive => {
                found.folders = self
                    .folders
                    .listed()
                    .map(|folder| folder.name.clone())
                    .collect();
            }
            _ => {
                let name = match path {
                    "." | "" | "./" => self.folders.only_name(),
                    _ => path.to_owned(),
                };
                let folders = self.folders.clone();
                let walked = blocking::waiting(move || {
                    let named = folders.named(&name)?;
                    let mut found = Found::default();
                    let walked = walk(&named, recursive, &mut found);
                    walked
                        .map_err(|error| named.refused(&error))
                        .map(|()| found)
                });
                let walked = walked.await.map_err(Trouble::Failed)?;
                self.add_drafted(path, recursive, &mut found)?;
                match walked {
                    Ok(there) => found = found.over(there),
                    // A folder that only the draft's downloads will make.
                    Err(missing) if missing.status == 404 && !found.is_empty() => {}
                    Err(refusal) => return Err(refusal.into()),
                }
            }
        }
        let entry = |(name, stamp): (String, Stamp)| {
            let modified = Timestamp::from_nanosecond(stamp.modified).unwrap_or_default();
            Value::Map(vec![
                ("Name".into(), name.into()),
                (
                    "Size".into(),
                    Value::Int(i64::try_from(stamp.size).unwrap_or(i64::MAX)),
                ),
                ("Modified".into(), modified.into()),
            ])
        };
        let folders = found.folders.into_iter().map(Value::Str);
        Ok(Value::Map(vec![
            (
                "Files".into(),
                Value::List(found.files.into_iter().map(entry).collect()),
            ),
            ("Folders".into(), Value::List(folders.collect())),
        ]))
    }

    /// Adds what the draft's downloads will leave in this folder.
    fn add_drafted(&self, path: &str, recursive: bool, found: &mut Found) -> Result<(), Refusal> {
        let Some(drafted) = self.drafted() else {
            return Ok(());
        };
        let above = match path {
            "." | "" | "./" => self.folders.only_name(),
            _ => self.folders.named(path)?.shown(),
        };
        for (name, stamp) in drafted.files() {
            let below = name.strip_prefix(&above);
            let Some(below) = below.and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            if recursive || !below.contains('/') {
                found.files.insert(name.to_owned(), stamp);
            }
            let deep = if recursive { usize::MAX } else { 1 };
            for (end, _) in below.match_indices('/').take(deep) {
                let folder = below.get(..end).unwrap_or_default();
                found.folders.push(format!("{above}/{folder}"));
            }
        }
        Ok(())
    }

    pub(super) async fn read(&self, params: &Value) -> Result<Value, Trouble> {
        let named = self.file(params, "Filename")?;
        self.refuse_drafted(&named)?;
        let number = |name: &str| params.get(name).and_then(Value::as_int);
        let whole = |number: i64| u64::try_from(number).unwrap_or_default();
        let start = number("Start").map_or(0, whole);
        let size = number("Size").map_or(MOST_BYTES, whole).min(MOST_BYTES);
        let (folders, name) = (self.folders.clone(), named.shown());
        let read = blocking::waiting(move || {
            let named = folders.named(&name)?;
            part(&named, start, size).map_err(|error| named.refused(&error))
        });
        let (body, of) = read.await.map_err(Trouble::Failed)??;
        Ok(Value::Map(vec![
            ("Body".into(), Value::Bytes(body.into())),
            (
                "Size".into(),
                Value::Int(i64::try_from(of).unwrap_or(i64::MAX)),
            ),
        ]))
    }
}

/// Finds what lies in a folder. Links that lead out of the granted folder are left out.
fn walk(named: &Named<'_>, recursive: bool, found: &mut Found) -> io::Result<()> {
    let above = named.shown();
    let mut entries: Vec<_> = named
        .folder
        .dir
        .read_dir(named.inner())?
        .collect::<io::Result<_>>()?;
    entries.sort_by_key(cap_std::fs::DirEntry::file_name);
    for entry in entries {
        if found.files.len() + found.folders.len() >= MOST_ENTRIES {
            return Err(io::Error::other(format!("more than {MOST_ENTRIES} files")));
        }
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let inner = Named {
            folder: named.folder,
            path: match named.path.as_str() {
                "" => name.clone(),
                path => format!("{path}/{name}"),
            },
        };
        // Follows links, as far as they stay in the folder.
        let Ok(about) = named.folder.dir.metadata(inner.inner()) else {
            continue;
        };
        if about.is_dir() {
            found.folders.push(format!("{above}/{name}"));
            // A linked folder may hold itself.
            if recursive && !entry.file_type()?.is_symlink() {
                walk(&inner, recursive, found)?;
            }
        } else if about.is_file() && !name.ends_with(PART) {
            found
                .files
                .insert(format!("{above}/{name}"), Stamp::from(&about));
        }
    }
    Ok(())
}

/// A part of a file, and the size of the whole.
fn part(named: &Named<'_>, start: u64, size: u64) -> io::Result<(Vec<u8>, u64)> {
    let (mut file, about) = named.open()?;
    file.seek(SeekFrom::Start(start))?;
    let mut read = Vec::new();
    file.take(size).read_to_end(&mut read)?;
    Ok((read, about.len()))
}
