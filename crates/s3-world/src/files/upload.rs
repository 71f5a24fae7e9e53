//! `upload_file`: a file to an object, in parts if it is large.
//!
//! An upload that was cut off goes on where it stopped: an unfinished upload of the same key
//! is taken up if each part that it has is that part of this file.

use super::folders::Named;
use super::stamp::Stamp;
use super::world::WithFiles;
use crate::blocking;
use crate::caller::{Caller, params, text};
use crate::domain::{Map, Moved, Name, Refusal, Value};
use crate::refusal::{self, Trouble};
use crate::upload_list;
use bytes::Bytes;
use cap_std::fs::File;
use futures_util::{StreamExt, TryStreamExt, stream};
use md5::{Digest, Md5};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// From this size on boto3 sends a file in parts, of this size.
const USUAL_PART: u64 = 8 << 20;

/// S3's smallest part and its most parts. The largest part is this program's choice, not S3's
/// limit of 5 GiB; a part exceeds it if the file would otherwise need more than 10,000.
const SMALLEST_PART: u64 = 5 << 20;
const LARGEST_PART: u64 = 64 << 20;
const MOST_PARTS: u64 = 10_000;

/// The most parts that are on their way at once.
const AT_ONCE: usize = 4;

/// The fields of boto3's `ExtraArgs` that the creation of an upload does not take.
const OF_COMPLETION: [&str; 4] = ["ChecksumType", "MpuObjectSize", "IfMatch", "IfNoneMatch"];

/// A file that is being uploaded.
pub struct Source {
    file: Arc<Mutex<File>>,
    pub stamp: Stamp,
    shown: String,
    /// Counts the parts that are read.
    moved: Moved,
}

impl Source {
    /// Opens a file.
    pub fn open(named: &Named<'_>) -> Result<Source, Refusal> {
        let refused = |error: io::Error| named.refused(&error);
        let (file, about) = named.open().map_err(refused)?;
        Ok(Source {
            file: Arc::new(Mutex::new(file)),
            stamp: Stamp::from(&about),
            shown: named.shown(),
            moved: Moved::default(),
        })
    }

    /// Counts the parts that are read: comparing a large file with an object may take as long as
    /// sending it, and is no silence either.
    #[must_use]
    pub fn counted(self, moved: Moved) -> Source {
        Source { moved, ..self }
    }

    /// Reads a part, on a thread for blocking work.
    pub async fn part(&self, start: u64, size: u64) -> Result<Bytes, Trouble> {
        let (file, shown) = (self.file.clone(), self.shown.clone());
        let read = blocking::waiting(move || {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start))?;
            let mut part = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
            (&mut *file).take(size).read_to_end(&mut part)?;
            Ok::<_, io::Error>(part)
        });
        let part = read.await.map_err(Trouble::Failed)?;
        let part =
            part.map_err(|error| Refusal::new(500, "OSError", format!("{error}: {shown:?}")))?;
        if part.len() as u64 != size {
            return Err(self.changed().into());
        }
        self.moved.add(size);
        Ok(part.into())
    }

    /// Reads the whole file. Blocks while the disk works.
    pub fn read(&self) -> Result<Bytes, Refusal> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = Vec::new();
        let done = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| file.read_to_end(&mut read));
        let failed = |error| Refusal::new(500, "OSError", format!("{error}: {:?}", self.shown));
        done.map_err(failed)?;
        Ok(read.into())
    }

    /// The refusal for a file that became another one meanwhile.
    pub fn changed(&self) -> Refusal {
        Refusal::new(
            412,
            "PreconditionFailed",
            format!("the file {:?} has changed meanwhile", self.shown),
        )
    }

    /// Refuses a file that became another one since it was opened.
    fn check_unchanged(&self) -> Result<(), Refusal> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match file.metadata() {
            Ok(about) if Stamp::from(&about) == self.stamp => Ok(()),
            _ => Err(self.changed()),
        }
    }

    /// The size of the parts; none for a file that is sent whole.
    pub fn part_size(&self, call: &Value) -> Option<u64> {
        let config = call.get("Config");
        let number = |name: &str| {
            let number = config.and_then(|config| config.get(name)?.as_int());
            number
                .and_then(|number| u64::try_from(number).ok())
                .unwrap_or(USUAL_PART)
        };
        let threshold = number("multipart_threshold").min(LARGEST_PART);
        if self.stamp.size < threshold {
            return None;
        }
        let least = self
            .stamp
            .size
            .div_ceil(MOST_PARTS)
            .next_multiple_of(1 << 20);
        let wanted = number("multipart_chunksize").clamp(SMALLEST_PART, LARGEST_PART);
        Some(wanted.max(least))
    }

    /// The ETag, without quotes, that the object has after the upload.
    pub async fn etag(&self, call: &Value) -> Result<String, Trouble> {
        let Some(size) = self.part_size(call) else {
            let whole = self.part(0, self.stamp.size).await?;
            return Ok(const_hex::encode(Md5::digest(&whole)));
        };
        let (mut digests, mut parts) = (Md5::new(), 0);
        for start in (0..self.stamp.size).step_by(usize::try_from(size).unwrap_or(usize::MAX)) {
            let part = self.part(start, size.min(self.stamp.size - start)).await?;
            digests.update(Md5::digest(&part));
            parts += 1;
        }
        Ok(format!("{}-{parts}", const_hex::encode(digests.finalize())))
    }
}

impl WithFiles {
    pub(super) async fn upload(&self, call: &Value) -> Result<Value, Trouble> {
        let named = self.file(call, "Filename")?;
        let source = Source::open(&named)?.counted(self.moved.clone());
        let expected = call.get("Modified").and_then(Value::as_str);
        if expected.is_some_and(|expected| expected != source.stamp.mark().tag) {
            return Err(source.changed().into());
        }
        if source.stamp.size > self.most_bytes {
            let size = usize::try_from(source.stamp.size).unwrap_or(usize::MAX);
            let most = usize::try_from(self.most_bytes).unwrap_or(usize::MAX);
            return Err(refusal::too_large(size, most).into());
        }
        let target = target(call);
        match source.part_size(call) {
            None => {
                let body = source.part(0, source.stamp.size).await?;
                source.check_unchanged()?;
                let mut put =
                    [target, arguments(call, &["ChecksumType", "MpuObjectSize"])].concat();
                put.push(("Body".into(), Value::Bytes(body)));
                Caller(&*self.inner)
                    .ask("put_object", &Value::Map(put))
                    .await
            }
            Some(size) => self.upload_parts(&source, target, call, size).await,
        }
    }

    async fn upload_parts(
        &self,
        source: &Source,
        target: Map,
        call: &Value,
        size: u64,
    ) -> Result<Value, Trouble> {
        let (id, there) = match self.unfinished(source, &target, size).await? {
            Some(found) => found,
            None => {
                let create = [target.clone(), arguments(call, &OF_COMPLETION)].concat();
                let created = self.ask("create_multipart_upload", create).await?;
                let id = text(&created, "UploadId").unwrap_or_default();
                (id.to_owned(), BTreeMap::new())
            }
        };
        let mut upload = target;
        upload.push(("UploadId".into(), id.into()));
        let sent = self.send_parts(source, &upload, call, size, there).await;
        let done = match sent {
            Ok(parts) => match source.check_unchanged() {
                Ok(()) => {
                    let parts = vec![("Parts".into(), Value::List(parts))];
                    let mut complete = upload.clone();
                    complete.push(("MultipartUpload".into(), Value::Map(parts)));
                    for name in ["IfMatch", "IfNoneMatch", "ChecksumType"] {
                        let given = call.get(name).or_else(|| call.get("ExtraArgs")?.get(name));
                        complete.extend(given.map(|given| (name.into(), given.clone())));
                    }
                    self.ask("complete_multipart_upload", complete).await
                }
                Err(changed) => Err(changed.into()),
            },
            Err(trouble) => Err(trouble),
        };
        // A refused upload cannot be finished, so it is aborted. One that broke off or met a
        // 5xx error is resumed next time.
        if let Err(Trouble::Refused(refusal)) = &done
            && refusal.status < 500
        {
            let _ = self.ask("abort_multipart_upload", upload).await;
        }
        done
    }

    /// Sends the parts that are not there, and lists all of them.
    async fn send_parts(
        &self,
        source: &Source,
        upload: &Map,
        call: &Value,
        size: u64,
        there: BTreeMap<i64, Map>,
    ) -> Result<Vec<Value>, Trouble> {
        let of = source.stamp.size;
        let algorithm = call
            .get("ExtraArgs")
            .and_then(|extra| extra.get("ChecksumAlgorithm"));
        let done = &Mutex::new(0);
        let step = usize::try_from(size).unwrap_or(usize::MAX);
        let parts = (1_i64..).zip((0..of).step_by(step)).map(|(number, start)| {
            let known = there.get(&number).cloned();
            let mut named = upload.clone();
            named.push(("PartNumber".into(), Value::Int(number)));
            named.extend(algorithm.map(|name| ("ChecksumAlgorithm".into(), name.clone())));
            async move {
                let length = size.min(of - start);
                let mut part = vec![("PartNumber".into(), Value::Int(number))];
                match known {
                    Some(known) => part.extend(known),
                    None => {
                        named.push((
                            "Body".into(),
                            Value::Bytes(source.part(start, length).await?),
                        ));
                        let answer = self.ask("upload_part", named).await?;
                        self.moved.add(length);
                        let Value::Map(fields) = answer else {
                            return Ok(Value::Map(part));
                        };
                        part.extend(told(fields, algorithm.is_some()));
                    }
                }
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                *done += length;
                if let Some(tell) = &self.progress {
                    tell(&source.shown, *done, of);
                }
                Ok::<_, Trouble>(Value::Map(part))
            }
        });
        // Collected first, because a stream that borrows from an iterator is not `Send`.
        let parts: Vec<_> = parts.collect();
        stream::iter(parts).buffered(AT_ONCE).try_collect().await
    }

    /// An unfinished upload of the key whose parts are all parts of this file: its id, and what a
    /// completion tells of the parts, by number.
    async fn unfinished(
        &self,
        source: &Source,
        target: &Map,
        size: u64,
    ) -> Result<Option<(String, BTreeMap<i64, Map>)>, Trouble> {
        let target = Value::Map(target.clone());
        let (bucket, key) = (text(&target, "Bucket"), text(&target, "Key"));
        let (Some(bucket), Some(key)) = (bucket, key) else {
            return Ok(None);
        };
        let asked = params([("Bucket", bucket), ("Prefix", key)]);
        let caller = Caller(&*self.inner);
        let Ok(found) = upload_list::uploads(&caller, asked).await else {
            return Ok(None);
        };
        let uploads = found.iter().rev();
        for upload in uploads.filter(|upload| text(upload, "Key") == Some(key)) {
            let Some(id) = text(upload, "UploadId") else {
                continue;
            };
            let asked = params([("Bucket", bucket), ("Key", key), ("UploadId", id)]);
            let Ok(parts) = upload_list::parts(&caller, asked).await else {
                continue;
            };
            if let Some(there) = self.same_parts(source, &parts, size).await? {
                return Ok(Some((id.to_owned(), there)));
            }
        }
        Ok(None)
    }

    /// The entries of the parts for a completion, if the parts are those of this file; `None` if
    /// there are no parts, or others.
    async fn same_parts(
        &self,
        source: &Source,
        parts: &[Value],
        size: u64,
    ) -> Result<Option<BTreeMap<i64, Map>>, Trouble> {
        let mut there = BTreeMap::new();
        for part in parts {
            let number = part
                .get("PartNumber")
                .and_then(Value::as_int)
                .unwrap_or_default();
            let before = u64::try_from(number - 1).unwrap_or(u64::MAX);
            let start = before.saturating_mul(size);
            let Some(left) = source
                .stamp
                .size
                .checked_sub(start)
                .filter(|left| *left > 0)
            else {
                return Ok(None);
            };
            let etag = text(part, "ETag").unwrap_or_default();
            let content = source.part(start, size.min(left)).await?;
            if etag.trim_matches('"') != const_hex::encode(Md5::digest(&content)) {
                return Ok(None);
            }
            if let Value::Map(fields) = part {
                there.insert(number, told(fields.clone(), true).collect());
            }
        }
        Ok((!there.is_empty()).then_some(there))
    }

    pub(super) async fn ask(&self, operation: &str, params: Map) -> Result<Value, Trouble> {
        Caller(&*self.inner)
            .ask(operation, &Value::Map(params))
            .await
    }
}

/// The fields of a part that a completion sends. AWS accepts checksums only if the upload asked
/// for them.
fn told(fields: Map, has_checksums: bool) -> impl Iterator<Item = (Name, Value)> {
    let is_told = move |name: &str| name == "ETag" || has_checksums && name.starts_with("Checksum");
    fields.into_iter().filter(move |(name, _)| is_told(name))
}

/// The object that a transfer names.
pub fn target(call: &Value) -> Map {
    let named = ["Bucket", "Key"].into_iter();
    let named = named.filter_map(|name| Some((name.into(), call.get(name)?.clone())));
    named.collect()
}

/// The parameters that a transfer passes on, without some.
pub fn arguments(call: &Value, without: &[&str]) -> Map {
    let extra = match call.get("ExtraArgs") {
        Some(Value::Map(extra)) => extra.as_slice(),
        _ => &[],
    };
    let conditions = ["IfMatch", "IfNoneMatch"].into_iter();
    let conditions = conditions.filter_map(|name| Some((name.into(), call.get(name)?.clone())));
    let all = extra.iter().cloned().chain(conditions);
    all.filter(|(name, _)| !without.contains(&&**name))
        .collect()
}
