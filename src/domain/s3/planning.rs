//! Planning writes on S3: what is at a key, what a write leaves there, and how an object
//! that is about to be destroyed is kept.

use super::guarded::guarded;
use super::params::Params;
use super::{names, reset};
use crate::domain::{Image, Map, Mark, Place, Planning, Refusal, Value, World, Write};
use crate::error::{Error, Result};
use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::{BTreeMap, BTreeSet};

/// So many calls are under way at once.
const AT_ONCE: usize = 16;

/// From so many keys of one bucket on, they are looked up by listing.
const MANY: usize = 16;

/// What tells a bucket that is there.
const BUCKET: &str = "bucket";

/// Planning for the domain `s3`.
pub struct S3Planning;

#[async_trait]
impl Planning for S3Planning {
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        let mut keys: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for place in places {
            if let Some(key) = &place.name {
                keys.entry(&place.container).or_default().insert(key);
            }
        }
        let mut listed = BTreeMap::new();
        for (bucket, keys) in keys.iter().filter(|(_, keys)| keys.len() >= MANY) {
            listed.insert(*bucket, list(world, bucket, keys).await?);
        }
        let looks = places.iter().map(|place| look(world, &listed, place));
        // Collected first: a stream that borrows from an iterator is not `Send`.
        let looks: Vec<_> = looks.collect();
        stream::iter(looks).buffered(AT_ONCE).try_collect().await
    }

    fn left(&self, write: &Write, answer: &Value) -> Result<Vec<Option<Mark>>, Refusal> {
        let errors = answer.get("Errors").and_then(Value::as_list);
        if let Some(error) = errors.and_then(<[Value]>::first) {
            let text = |name| error.get(name).and_then(Value::as_str).unwrap_or_default();
            let message = format!("{} ({})", text("Message"), text("Key"));
            return Err(Refusal::new(500, text("Code"), message));
        }
        let copied = answer.get("CopyObjectResult").unwrap_or(answer);
        let etag = copied.get("ETag").and_then(Value::as_str).map(plain);
        let version = answer.get("VersionId").and_then(Value::as_str);
        let left = write.touched.iter().map(|touched| {
            let mut mark = touched.after.clone()?;
            if touched.changed && touched.place.name.is_some() {
                mark.tag = etag.clone().unwrap_or(mark.tag);
                mark.version = version.map(str::to_owned);
            }
            Some(mark)
        });
        Ok(left.collect())
    }

    fn guarded(&self, write: &Write, before: &[Option<Mark>]) -> Value {
        guarded(write, before)
    }

    async fn holds(&self, world: &dyn World, write: &Write, place: &Place) -> Result<bool> {
        let Some(key) = &place.name else {
            return Ok(false);
        };
        let here = ask(world, "get_object", &place.container, key).await?;
        let here = here.as_ref().and_then(|object| object.get("Body"));
        let source = match write.operation.as_str() {
            "put_object" => {
                let body = Params::new(&write.params).and_then(|params| params.body());
                return Ok(
                    matches!((here, body), (Some(Value::Bytes(here)), Ok(body)) if *here == body),
                );
            }
            "copy_object" => Params::new(&write.params).and_then(|params| params.copy_source()),
            _ => return Ok(false),
        };
        let Ok(source) = source else {
            return Ok(false);
        };
        let there = ask(world, "get_object", &source.bucket, &source.key).await?;
        let there = there.as_ref().and_then(|object| object.get("Body"));
        Ok(here.is_some() && here == there)
    }

    async fn image(&self, world: &dyn World, place: &Place, most_bytes: u64) -> Result<Image> {
        let Some(key) = &place.name else {
            return bucket_image(world, &place.container).await;
        };
        let Some(head) = ask(world, "head_object", &place.container, key).await? else {
            return Ok(Image::Nothing);
        };
        if let Some(version) = version(&head) {
            let source = vec![
                ("Bucket".into(), Value::from(place.container.as_str())),
                ("Key".into(), key.as_str().into()),
                ("VersionId".into(), version.into()),
            ];
            let mut params = named(&place.container, key);
            params.push(("CopySource".into(), Value::Map(source)));
            return Ok(Image::Call {
                operation: "copy_object".to_owned(),
                params: Value::Map(params),
            });
        }
        let size = size(&head);
        if size > most_bytes {
            return Ok(Image::Lost(format!(
                "it has {size} bytes, and up to {most_bytes} are kept"
            )));
        }
        let Some(object) = ask(world, "get_object", &place.container, key).await? else {
            return Ok(Image::Nothing);
        };
        let mut params = named(&place.container, key);
        let kept = reset::KEPT.iter().chain(&["Body"]);
        params.extend(kept.filter_map(|name| Some(((*name).into(), object.get(name)?.clone()))));
        Ok(Image::Call {
            operation: "put_object".to_owned(),
            params: Value::Map(params),
        })
    }

    fn removal(&self, place: &Place) -> (String, Value) {
        let (operation, params) = match &place.name {
            Some(key) => ("delete_object", named(&place.container, key)),
            None => (
                "delete_bucket",
                vec![("Bucket".into(), Value::from(place.container.as_str()))],
            ),
        };
        (operation.to_owned(), Value::Map(params))
    }
}

/// One place, from a listing where there is one.
async fn look(
    world: &dyn World,
    listed: &BTreeMap<&str, Listed>,
    place: &Place,
) -> Result<Option<Mark>> {
    let Some(key) = &place.name else {
        return head_bucket(world, &place.container).await;
    };
    match listed.get(place.container.as_str()) {
        Some(found) if found.known(key) => Ok(found.marks.get(key.as_str()).cloned()),
        _ => head_object(world, &place.container, key).await,
    }
}

/// What a listing has found.
struct Listed {
    marks: BTreeMap<String, Mark>,
    /// The keys from here on were not listed; none where all were.
    until: Option<String>,
}

impl Listed {
    fn known(&self, key: &str) -> bool {
        self.until.as_deref().is_none_or(|until| key <= until)
    }
}

/// Lists from the first to the last of these keys, unless there is much else between them.
async fn list(world: &dyn World, bucket: &str, keys: &BTreeSet<&str>) -> Result<Listed> {
    let mut found = Listed {
        marks: BTreeMap::new(),
        until: Some(String::new()),
    };
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return Ok(found);
    };
    let alike = first.bytes().zip(last.bytes());
    let alike = alike.take_while(|(a, b)| a == b).count();
    let prefix = &first[..first.floor_char_boundary(alike)];
    let mut token: Option<String> = None;
    // As many pages as single questions would be rounds, and one for luck.
    for _ in 0..=keys.len() / AT_ONCE {
        let mut params: Map = vec![
            ("Bucket".into(), bucket.into()),
            ("Prefix".into(), prefix.into()),
        ];
        if let Some(token) = token.take() {
            params.push(("ContinuationToken".into(), token.into()));
        }
        let page = match world.call("list_objects_v2", &Value::Map(params)).await? {
            Ok(page) => page,
            Err(refusal) if refusal.code == "NoSuchBucket" => {
                found.until = None;
                return Ok(found);
            }
            // Someone who may not list may still look at single keys.
            Err(_) => return Ok(found),
        };
        let contents = page.get("Contents").and_then(Value::as_list);
        for object in contents.unwrap_or_default() {
            let Some(key) = object.get("Key").and_then(Value::as_str) else {
                continue;
            };
            found.until = Some(key.to_owned());
            if keys.contains(key) {
                found.marks.insert(key.to_owned(), mark(object, "Size"));
            }
        }
        token = (page.get("NextContinuationToken").and_then(Value::as_str)).map(str::to_owned);
        if token.is_none() {
            found.until = None;
            break;
        }
    }
    Ok(found)
}

async fn head_object(world: &dyn World, bucket: &str, key: &str) -> Result<Option<Mark>> {
    if names::check_key(key).is_err() || !names::is_legacy_bucket_name(bucket) {
        return Ok(None);
    }
    let head = ask(world, "head_object", bucket, key).await?;
    Ok(head.map(|head| Mark {
        version: version(&head),
        ..mark(&head, "ContentLength")
    }))
}

async fn head_bucket(world: &dyn World, bucket: &str) -> Result<Option<Mark>> {
    if !names::is_legacy_bucket_name(bucket) {
        return Ok(None);
    }
    let params = Value::Map(vec![("Bucket".into(), bucket.into())]);
    match world.call("head_bucket", &params).await? {
        Ok(_) => Ok(Some(bucket_mark())),
        Err(refusal) if refusal.status == 404 => Ok(None),
        // Someone else's is there as well.
        Err(refusal) if matches!(refusal.status, 301 | 403) => Ok(Some(bucket_mark())),
        Err(refusal) => Err(cannot_look(world, bucket, &refusal.message)),
    }
}

fn bucket_mark() -> Mark {
    Mark {
        tag: BUCKET.to_owned(),
        size: 0,
        version: None,
    }
}

/// What makes an empty bucket again.
async fn bucket_image(world: &dyn World, bucket: &str) -> Result<Image> {
    let mut params: Map = vec![("Bucket".into(), bucket.into())];
    let asked = Value::Map(params.clone());
    let located = match world.call("get_bucket_location", &asked).await? {
        Ok(located) => located,
        Err(refusal) if refusal.status == 404 => return Ok(Image::Nothing),
        Err(refusal) => return Ok(Image::Lost(format!("S3 says: {}", refusal.message))),
    };
    let region = located.get("LocationConstraint").and_then(Value::as_str);
    if let Some(region) = region.filter(|region| *region != names::DEFAULT_REGION) {
        let constraint = vec![("LocationConstraint".into(), region.into())];
        params.push(("CreateBucketConfiguration".into(), Value::Map(constraint)));
    }
    Ok(Image::Call {
        operation: "create_bucket".to_owned(),
        params: Value::Map(params),
    })
}

/// The answer about an object; none where it is not there.
async fn ask(world: &dyn World, operation: &str, bucket: &str, key: &str) -> Result<Option<Value>> {
    let params = Value::Map(named(bucket, key));
    match world.call(operation, &params).await? {
        Ok(answer) => Ok(Some(answer)),
        Err(refusal) if refusal.status == 404 => Ok(None),
        Err(refusal) => Err(cannot_look(
            world,
            &format!("{bucket}/{key}"),
            &refusal.message,
        )),
    }
}

fn cannot_look(world: &dyn World, what: &str, why: &str) -> Error {
    Error::World(format!(
        "{}: cannot look at {what}: {why}",
        world.describe()
    ))
}

fn named(bucket: &str, key: &str) -> Map {
    vec![("Bucket".into(), bucket.into()), ("Key".into(), key.into())]
}

fn mark(object: &Value, size: &str) -> Mark {
    let etag = object.get("ETag").and_then(Value::as_str);
    let size = object.get(size).and_then(Value::as_int);
    Mark {
        tag: etag.map(plain).unwrap_or_default(),
        size: size
            .and_then(|size| u64::try_from(size).ok())
            .unwrap_or_default(),
        version: None,
    }
}

fn size(head: &Value) -> u64 {
    mark(head, "ContentLength").size
}

/// The version of an object in a bucket that keeps versions.
fn version(head: &Value) -> Option<String> {
    let version = head.get("VersionId").and_then(Value::as_str);
    version
        .filter(|version| *version != "null")
        .map(str::to_owned)
}

/// An ETag without its quotes.
fn plain(etag: &str) -> String {
    etag.trim_matches('"').to_owned()
}
