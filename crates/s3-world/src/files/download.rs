//! `download_file`: an object to a file; and `write_file` and `remove_file`, which take
//! downloads back.
//!
//! The content goes to a file beside the target, which is renamed when it is whole. A download
//! that was cut off goes on from what lies there, as long as the object is the same.

use super::folders::{self, Named};
use super::listing::PART;
use super::stamp::Stamp;
use super::upload::{arguments, target};
use super::world::WithFiles;
use crate::blocking;
use crate::caller::{size, text};
use crate::domain::{Refusal, Value};
use crate::error::Error;
use crate::refusal::Trouble;
use cap_std::fs::{File, OpenOptions};
use jiff::Timestamp;
use std::fs::FileTimes;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

/// The content is asked for in parts of this many bytes.
const STEP: u64 = 8 << 20;

/// The content that a download asks for.
struct Content<'a> {
    etag: &'a str,
    /// How many bytes it has.
    whole: u64,
    /// How many of them are there already.
    start: u64,
}

impl WithFiles {
    pub(super) async fn download(&self, call: &Value) -> Result<Value, Trouble> {
        let named = self.file(call, "Filename")?;
        self.check_target(&named, call)?;
        let head = self.head(call).await?;
        let (whole, etag) = (
            size(&head, "ContentLength"),
            text(&head, "ETag").unwrap_or_default(),
        );
        let refused = |error: io::Error| named.refused(&error);
        let part = part_of(&named, etag);
        let mut file = open_part(&named, &part).map_err(refused)?;
        let start = resume(&mut file, whole).map_err(refused)?;
        if start == 0 && whole > STEP {
            remove_others(&named, &part).map_err(refused)?;
        }
        let content = Content { etag, whole, start };
        match self.fetch(&named, call, content, file).await {
            Ok(file) => finish(&named, file, &part, last_modified(&head)).map_err(refused)?,
            Err(trouble) => {
                // The object is another one or gone: nobody will go on from here.
                if matches!(&trouble, Trouble::Refused(refusal) if refusal.status < 500) {
                    let _ = named.folder.dir.remove_file(&part);
                }
                return Err(trouble);
            }
        }
        Ok(Value::Map(Vec::new()))
    }

    /// Adds what is missing of an object's content to a file. An answer that is shorter or
    /// longer than what was asked for is a failure, since the file would not be the object.
    async fn fetch(
        &self,
        named: &Named<'_>,
        call: &Value,
        content: Content<'_>,
        mut file: File,
    ) -> Result<File, Trouble> {
        let Content {
            etag,
            whole,
            mut start,
        } = content;
        while start < whole {
            let end = whole.min(start + STEP);
            let mut get = [target(call), arguments(call, &["IfMatch"])].concat();
            get.push(("Range".into(), format!("bytes={start}-{}", end - 1).into()));
            get.push(("IfMatch".into(), etag.into()));
            let answer = self.ask("get_object", get).await?;
            let body = match answer.get("Body") {
                Some(Value::Bytes(body)) if body.len() as u64 == end - start => body.clone(),
                _ => {
                    return Err(Trouble::Failed(Error::world(format!(
                        "{}: the server did not send bytes {start} to {} of the object",
                        named.shown(),
                        end - 1
                    ))));
                }
            };
            let written = blocking::waiting(move || file.write_all(&body).map(|()| file));
            let written = written.await.map_err(Trouble::Failed)?;
            file = written.map_err(|error| named.refused(&error))?;
            self.moved.add(end - start);
            start = end;
            if let Some(tell) = &self.progress {
                tell(&named.shown(), start, whole);
            }
        }
        Ok(file)
    }

    /// The attributes of the object that a download names.
    pub(super) async fn head(&self, call: &Value) -> Result<Value, Trouble> {
        let head = [target(call), arguments(call, &["IfNoneMatch"])].concat();
        self.ask("head_object", head).await
    }

    /// Refuses a target that may not be written, or is not as a plan saw it.
    fn check_target(&self, named: &Named<'_>, call: &Value) -> Result<(), Refusal> {
        named.writable()?;
        let now = Stamp::of(named).map_err(|error| named.refused(&error))?;
        let now = now.map(|stamp| stamp.mark().tag);
        match call.get("Modified") {
            Some(expected) if expected.as_str().map(str::to_owned) != now => Err(Refusal::new(
                412,
                "PreconditionFailed",
                format!("the file {:?} has changed meanwhile", named.shown()),
            )),
            _ => Ok(()),
        }
    }

    /// Writes a small file again, as it was before a download replaced it.
    pub(super) async fn write(&self, call: &Value) -> Result<Value, Trouble> {
        let named = self.file(call, "Filename")?;
        named.writable()?;
        let refused = |error: io::Error| named.refused(&error);
        let Some(Value::Bytes(body)) = call.get("Body") else {
            return Err(Refusal::new(400, "TypeError", "Body must be bytes").into());
        };
        let modified = call.get("Modified").and_then(Value::as_str);
        let modified = modified.and_then(|text| text.parse().ok());
        let modified = modified.and_then(|nanos| Timestamp::from_nanosecond(nanos).ok());
        let part = part_of(&named, "\"restored\"");
        let mut file = open_part(&named, &part).map_err(refused)?;
        resume(&mut file, 0).map_err(refused)?;
        file.write_all(body).map_err(refused)?;
        finish(&named, file, &part, modified).map_err(refused)?;
        Ok(Value::Map(Vec::new()))
    }

    pub(super) async fn remove(&self, call: &Value) -> Result<Value, Trouble> {
        let named = self.file(call, "Filename")?;
        named.writable()?;
        let removed = named.folder.dir.remove_file(named.inner());
        removed.map_err(|error| named.refused(&error))?;
        Ok(Value::Map(Vec::new()))
    }
}

/// The time of an object's last change.
pub fn last_modified(head: &Value) -> Option<Timestamp> {
    match head.get("LastModified") {
        Some(Value::Time(time)) => Some(*time),
        _ => None,
    }
}

/// Where a download that was cut off is kept: a hidden file beside its target, whose name has
/// the ETag, so that only the same content is continued.
fn part_of(named: &Named<'_>, etag: &str) -> String {
    let (above, name) = named.path.rsplit_once('/').unwrap_or(("", &named.path));
    let state: String = etag
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(16)
        .collect();
    let name = format!(".{name}.{state}{PART}");
    match above {
        "" => name,
        above => format!("{above}/{name}"),
    }
}

/// Removes partial downloads to this file whose object has changed since.
fn remove_others(named: &Named<'_>, part: &str) -> io::Result<()> {
    let (above, name) = named.path.rsplit_once('/').unwrap_or((".", &named.path));
    let own = part.rsplit('/').next().unwrap_or(part);
    let begin = format!(".{name}.");
    for entry in named.folder.dir.read_dir(above)? {
        let entry = entry?;
        let other = entry.file_name();
        let state = other
            .to_str()
            .filter(|other| *other != own)
            .and_then(|other| other.strip_prefix(&begin)?.strip_suffix(PART));
        // `.a.txt.0123.part` of the target `a.txt` also begins with the `.a.` of a target `a`.
        // What is kept of an ETag has no dot, so that file belongs to another target.
        if state.is_some_and(|state| state.chars().all(|c| c.is_ascii_alphanumeric())) {
            entry.remove_file()?;
        }
    }
    Ok(())
}

fn open_part(named: &Named<'_>, part: &str) -> io::Result<File> {
    Stamp::of(named)?;
    if let Some(above) = Path::new(part)
        .parent()
        .filter(|above| !above.as_os_str().is_empty())
    {
        named.folder.dir.create_dir_all(above)?;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = named.folder.dir.open_with(part, &options)?;
    folders::check(&file.metadata()?)?;
    Ok(file)
}

/// Goes to the end of what is there already. Returns how much that is.
fn resume(file: &mut File, whole: u64) -> io::Result<u64> {
    let there = file.metadata()?.len();
    let there = if there <= whole { there } else { 0 };
    file.set_len(there)?;
    file.seek(SeekFrom::Start(there))
}

/// Gives the file the time of the object, and its name.
fn finish(
    named: &Named<'_>,
    file: File,
    part: &str,
    modified: Option<Timestamp>,
) -> io::Result<()> {
    let file = file.into_std();
    if let Some(modified) = modified {
        file.set_times(FileTimes::new().set_modified(SystemTime::from(modified)))?;
    }
    let dir = &named.folder.dir;
    if let Ok(there) = dir.symlink_metadata(named.inner())
        && there.is_file()
    {
        // What is written over stays as private as it was.
        file.set_permissions(there.permissions().into_std(&file)?)?;
    }
    file.sync_all()?;
    dir.rename(part, dir, named.inner())
}
