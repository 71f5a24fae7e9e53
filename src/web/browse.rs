//! Buckets and objects, as the page shows them. A path is `bucket/key`; folders end with `/`.

use super::find::Find;
use crate::domain::{Map, Value, World};
use crate::error::Error;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use std::io;
use std::sync::Arc;
use web_desk::{Answer, Content, Entry, Look, Page, Refusal, Step, Version};

/// How many things one read of the world gives.
const A_PAGE: i64 = 1000;
/// How many bytes of a content are held at once.
const PIECE: u64 = 8 << 20;

/// The bucket and the key of a path; the key is empty for a bucket.
pub(super) fn split_path(path: &str) -> (&str, &str) {
    path.split_once('/').unwrap_or((path, ""))
}

/// One page of what lies at a path.
pub async fn page(world: &dyn World, look: &Look) -> Answer<Page> {
    let (bucket, prefix) = split_path(&look.path);
    let mut page = match bucket.is_empty() {
        true => buckets(world).await?,
        false if look.deleted => deleted(world, bucket, prefix, look).await?,
        false => objects(world, bucket, prefix, look).await?,
    };
    if let Some(find) = &look.find {
        let find = Find::new(find);
        page.entries.retain(|entry| find.has(entry));
    }
    page.way = way(&look.path);
    Ok(page)
}

/// The folders on the way to a path.
fn way(path: &str) -> Vec<Step> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    let mut from = 0;
    let steps = ends.filter_map(|end| {
        let name = path.get(from..end)?.to_owned();
        from = end + 1;
        let path = path.get(..=end)?.to_owned();
        Some(Step { name, path })
    });
    steps.collect()
}

async fn buckets(world: &dyn World) -> Answer<Page> {
    let answer = ask(world, "list_buckets", Vec::new()).await?;
    let entries = list(&answer, "Buckets").iter().filter_map(|bucket| {
        let name = text(bucket, "Name")?;
        Some(Entry {
            name: name.to_owned(),
            path: format!("{name}/"),
            folder: true,
            modified: time(bucket, "CreationDate"),
            can_delete: true,
            ..Entry::default()
        })
    });
    let entries: Vec<Entry> = entries.collect();
    Ok(Page {
        looked_at: entries.len(),
        entries,
        makes: Some("bucket".to_owned()),
        ..Page::default()
    })
}

async fn objects(world: &dyn World, bucket: &str, prefix: &str, look: &Look) -> Answer<Page> {
    let mut params = page_of(bucket, prefix, look);
    if let Some(after) = &look.after {
        params.push(("ContinuationToken".into(), after.as_str().into()));
    }
    let answer = ask(world, "list_objects_v2", params).await?;
    let has_versions = keeps_versions(world, bucket).await;
    let name = |key: &str| key.strip_prefix(prefix).unwrap_or(key).to_owned();
    let folders = list(&answer, "CommonPrefixes").iter().filter_map(|folder| {
        Some(Entry {
            can_delete: true,
            can_move: true,
            ..folder_of(bucket, prefix, text(folder, "Prefix")?)
        })
    });
    let things = list(&answer, "Contents").iter().filter_map(|thing| {
        let key = text(thing, "Key")?;
        Some(Entry {
            // Without the word it would pose as the folder whose things lie beside it.
            name: match key.ends_with('/') {
                true => format!("{} (folder marker)", name(key))
                    .trim_start()
                    .to_owned(),
                false => name(key),
            },
            path: format!("{bucket}/{key}"),
            folder: false,
            size: thing
                .get("Size")
                .and_then(Value::as_int)
                .and_then(|size| size.try_into().ok()),
            modified: time(thing, "LastModified"),
            // Its path means the folder.
            can_delete: !key.ends_with('/'),
            can_move: !key.ends_with('/'),
            can_share: true,
            has_versions,
            is_deleted: false,
        })
    });
    let entries: Vec<Entry> = folders.chain(things).collect();
    Ok(Page {
        looked_at: entries.len(),
        entries,
        more: text(&answer, "NextContinuationToken").map(str::to_owned),
        keeps_deleted: has_versions,
        ..Page::default()
    })
}

/// The parameters of a listing of one page.
fn page_of(bucket: &str, prefix: &str, look: &Look) -> Map {
    let mut params: Map = vec![
        ("Bucket".into(), bucket.into()),
        ("Prefix".into(), prefix.into()),
        ("MaxKeys".into(), Value::Int(A_PAGE)),
    ];
    // What is looked for may lie deeper.
    if look.find.is_none() {
        params.push(("Delimiter".into(), "/".into()));
    }
    params
}

fn folder_of(bucket: &str, prefix: &str, key: &str) -> Entry {
    let name = key.strip_prefix(prefix).unwrap_or(key);
    Entry {
        name: name.trim_end_matches('/').to_owned(),
        path: format!("{bucket}/{key}"),
        folder: true,
        ..Entry::default()
    }
}

/// One page of what was deleted and can come back. A page goes on after a key and a version of it,
/// which has no space in its name.
async fn deleted(world: &dyn World, bucket: &str, prefix: &str, look: &Look) -> Answer<Page> {
    let mut params = page_of(bucket, prefix, look);
    if let Some((version, key)) = look.after.as_deref().and_then(|it| it.split_once(' ')) {
        params.push(("KeyMarker".into(), key.into()));
        if !version.is_empty() {
            params.push(("VersionIdMarker".into(), version.into()));
        }
    }
    let answer = ask(world, "list_object_versions", params).await?;
    let folders = list(&answer, "CommonPrefixes").iter();
    let folders = folders.filter_map(|it| Some(folder_of(bucket, prefix, text(it, "Prefix")?)));
    let markers = list(&answer, "DeleteMarkers").iter();
    let markers = markers.filter(|it| it.get("IsLatest").and_then(Value::as_bool) == Some(true));
    let things = markers.filter_map(|it| {
        let key = text(it, "Key")?;
        Some(Entry {
            name: key.strip_prefix(prefix).unwrap_or(key).to_owned(),
            path: format!("{bucket}/{key}"),
            modified: time(it, "LastModified"),
            has_versions: true,
            is_deleted: true,
            ..Entry::default()
        })
    });
    let versions = ["Versions", "DeleteMarkers", "CommonPrefixes"].iter();
    let next = text(&answer, "NextKeyMarker").map(|key| {
        let version = text(&answer, "NextVersionIdMarker").unwrap_or_default();
        format!("{version} {key}")
    });
    Ok(Page {
        entries: folders.chain(things).collect(),
        looked_at: versions.map(|name| list(&answer, name).len()).sum(),
        more: next,
        keeps_deleted: true,
        ..Page::default()
    })
}

async fn keeps_versions(world: &dyn World, bucket: &str) -> bool {
    let params = vec![("Bucket".into(), bucket.into())];
    let answer = ask(world, "get_bucket_versioning", params).await;
    answer.is_ok_and(|answer| text(&answer, "Status").is_some())
}

/// The versions of a thing, the newest first.
pub async fn versions(world: &dyn World, path: &str) -> Answer<Vec<Version>> {
    let (bucket, key) = split_path(path);
    let params = vec![
        ("Bucket".into(), bucket.into()),
        ("Prefix".into(), key.into()),
        ("MaxKeys".into(), Value::Int(A_PAGE)),
    ];
    let answer = ask(world, "list_object_versions", params).await?;
    let version = |it: &Value, is_there: bool| {
        Some(Version {
            version: text(it, "VersionId")?.to_owned(),
            modified: time(it, "LastModified")?,
            size: match is_there {
                true => it
                    .get("Size")
                    .and_then(Value::as_int)
                    .and_then(|size| size.try_into().ok()),
                false => None,
            },
            current: it
                .get("IsLatest")
                .and_then(Value::as_bool)
                .unwrap_or_default(),
        })
    };
    let of_key = |it: &&Value| text(it, "Key") == Some(key);
    let there = list(&answer, "Versions").iter().filter(of_key);
    let gone = list(&answer, "DeleteMarkers").iter().filter(of_key);
    let there = there.filter_map(|it| version(it, true));
    let mut all: Vec<Version> = there
        .chain(gone.filter_map(|it| version(it, false)))
        .collect();
    if all.is_empty() {
        return Err(Refusal::Missing(format!("there is nothing at {path}")));
    }
    all.sort_by(|one, other| (other.current, &other.modified).cmp(&(one.current, &one.modified)));
    Ok(all)
}

/// The content of a thing or its end, piece by piece.
pub async fn read(
    world: Arc<dyn World>,
    path: &str,
    version: Option<String>,
    last: Option<u64>,
) -> Answer<Content> {
    let (bucket, key) = split_path(path);
    let mut params: Map = vec![("Bucket".into(), bucket.into()), ("Key".into(), key.into())];
    if let Some(version) = version {
        params.push(("VersionId".into(), version.into()));
    }
    let head = ask(&*world, "head_object", params.clone()).await?;
    let size = head.get("ContentLength").and_then(Value::as_int);
    let size = size
        .and_then(|size| u64::try_from(size).ok())
        .unwrap_or_default();
    // One that was written anew meanwhile does not go on in the middle.
    if let Some(etag) = text(&head, "ETag") {
        params.push(("IfMatch".into(), etag.into()));
    }
    let start = last.map_or(0, |last| size.saturating_sub(last));
    let pieces = (start..size).step_by(usize::try_from(PIECE).unwrap_or(usize::MAX));
    let bytes = stream::iter(pieces).then(move |start| {
        let (world, mut params) = (world.clone(), params.clone());
        async move {
            let end = (start + PIECE).min(size) - 1;
            params.push(("Range".into(), format!("bytes={start}-{end}").into()));
            piece(&*world, params).await
        }
    });
    Ok(Content {
        size: Some(size),
        bytes: bytes.boxed(),
    })
}

async fn piece(world: &dyn World, params: Map) -> io::Result<Bytes> {
    let answer = world.call("get_object", &Value::Map(params)).await;
    match answer.map_err(io::Error::other)? {
        Ok(answer) => match answer.get("Body") {
            Some(Value::Bytes(bytes)) => Ok(bytes.clone()),
            _ => Err(io::Error::other("the answer has no content")),
        },
        Err(refusal) => Err(io::Error::other(refusal.message)),
    }
}

async fn ask(world: &dyn World, operation: &str, params: Map) -> Answer<Value> {
    let failed = |error: Error| Refusal::Failed(error.to_string());
    let answer = world
        .call(operation, &Value::Map(params))
        .await
        .map_err(failed)?;
    answer.map_err(|refusal| match refusal.status {
        404 => Refusal::Missing(refusal.message),
        _ => Refusal::Bad(refusal.message),
    })
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_list).unwrap_or_default()
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn time(value: &Value, name: &str) -> Option<String> {
    match value.get(name) {
        Some(Value::Time(time)) => Some(time.to_string()),
        _ => None,
    }
}
