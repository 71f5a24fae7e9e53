//! Planning for writes on S3: reads what is at a key, predicts the effect of a write, and
//! keeps an object that is about to be destroyed.

use super::batch;
use super::bucket_traits;
use super::caller::{Caller, list, params, size, text};
use super::gathered;
use super::guarded::guarded;
use super::inside;
use super::lasting;
use super::let_in;
use super::links;
use super::listed_marks::{list_keys, listed, near_each_other};
use super::made;
use super::made_again;
use super::moved;
use super::null_versions;
use super::object_images;
use super::object_words;
use super::opens;
use super::params::Params;
use super::refusal::Trouble;
use super::seen;
use super::uploads;
use super::{images, names, planning_settings, warnings};
use crate::domain::{
    Answer, Ids, Image, Inside, Map, Mark, Place, Planning, Refusal, Seen, Value, Wanted, WayBack,
    World, Write, WrittenPart,
};
use crate::error::Result;
use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The most concurrent calls.
pub(super) const AT_ONCE: usize = 16;

/// The tag in the mark of an existing bucket.
const BUCKET: &str = "bucket";

/// Planning for the domain `s3`.
pub struct S3Planning;

#[async_trait]
impl Planning for S3Planning {
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        let mut keys: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut known: HashMap<&Place, Option<Mark>> = HashMap::new();
        for place in places {
            if let (bucket, Some(key), None) = (parts(place).0, parts(place).1, place.setting()) {
                match known_mark(world, bucket, key).await? {
                    Some(mark) => drop(known.insert(place, mark)),
                    None => drop(keys.entry(bucket).or_default().insert(key)),
                }
            }
        }
        let keys = keys.into_iter();
        let groups = keys.flat_map(|(bucket, keys)| {
            let groups = near_each_other(keys).into_iter();
            groups.map(move |keys| (bucket, keys))
        });
        let listings: Vec<_> = groups
            .map(|(bucket, keys)| listed(world, bucket, keys))
            .collect();
        let listings = stream::iter(listings).buffered(AT_ONCE);
        let listings: Vec<Vec<_>> = listings.try_collect().await?;
        let listed: HashMap<(&str, &str), Option<Mark>> = listings.into_iter().flatten().collect();
        let looks = places.iter().map(async |place| match known.get(place) {
            Some(mark) => Ok(mark.clone()),
            None => look(world, &listed, place).await,
        });
        // Collected first, because a stream that borrows from an iterator is not `Send`.
        let looks: Vec<_> = looks.collect();
        stream::iter(looks).buffered(AT_ONCE).try_collect().await
    }

    fn left(&self, write: &Write, answer: &Value) -> Result<Vec<Option<Mark>>, Refusal> {
        if let Some(error) = list(answer, "Errors").first() {
            let text = |name| text(error, name).unwrap_or_default();
            let message = format!("{} ({})", text("Message"), text("Key"));
            return Err(Refusal::new(500, text("Code"), message));
        }
        let copied = answer.get("CopyObjectResult").unwrap_or(answer);
        let etag = text(copied, "ETag").map(plain);
        let version = text(answer, "VersionId");
        let left = write.touched.iter().map(|touched| {
            if links::is_link(&touched.place) {
                return None;
            }
            let mut mark = touched.after.clone()?;
            if touched.changed && uploads::is_upload(&touched.place) {
                // The server may make other ETags than the draft, whose parts are in the mark.
                return Some(uploads::left(mark, write, answer));
            }
            let is_object = touched.place.segments().len() > 1 && touched.place.setting().is_none();
            if touched.changed && is_object {
                mark.tag = etag.clone().unwrap_or(mark.tag);
                // A deletion names the version that is gone.
                if !write.operation.starts_with("delete") {
                    let version = version.filter(|version| *version != "null");
                    mark.version = version.map(str::to_owned);
                }
            }
            Some(mark)
        });
        Ok(left.collect())
    }

    /// Objects in different places are independent, but a bucket may be named by the access
    /// points that lead to it as well.
    fn is_local(&self, write: &Write) -> bool {
        let is_of_object =
            |place: &Place| place.segments().len() > 1 && !names::is_access_point(place.root());
        let mut touched = write.touched.iter();
        touched.all(|it| is_of_object(&it.place) && !links::is_link(&it.place))
    }

    fn gathers(&self, write: &Write) -> Option<String> {
        gathered::gathers(write)
    }

    fn gathered(&self, writes: &[(&Write, &[Option<Mark>])]) -> Option<(String, Value)> {
        gathered::call(writes)
    }

    fn export(&self, writes: &[Write]) -> Result<Vec<(String, String)>, String> {
        batch::export(writes)
    }

    fn answer_of(&self, write: &Write, answer: &Value) -> Option<Answer> {
        gathered::answer_of(write, answer)
    }

    fn guarded(&self, write: &Write, before: &[Option<Mark>]) -> Value {
        guarded(write, before)
    }

    async fn holds(&self, world: &dyn World, write: &Write, place: &Place) -> Result<bool> {
        let (bucket, Some(key), None) = (parts(place).0, parts(place).1, place.setting()) else {
            return Ok(false);
        };
        let caller = Caller(world);
        if write.operation == "complete_multipart_upload" {
            return is_of_parts(&caller, write, place).await;
        }
        let here = caller.find("get_object", object(bucket, key)).await?;
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
        let source = object(&source.bucket, &source.key);
        let there = caller.find("get_object", source).await?;
        let there = there.as_ref().and_then(|object| object.get("Body"));
        Ok(here.is_some() && here == there)
    }

    fn destroyed(&self, writes: &[Write]) -> HashSet<Place> {
        writes.iter().flat_map(lasting::destroyed).collect()
    }

    async fn image(
        &self,
        world: &dyn World,
        place: &Place,
        destroyed: &HashSet<Place>,
        most_bytes: u64,
    ) -> Result<Image> {
        let wanted = Wanted {
            most_bytes,
            ..Wanted::at(place)
        };
        object_images::of_one(world, wanted, destroyed).await
    }

    async fn images(
        &self,
        world: &dyn World,
        wanted: &[Wanted<'_>],
        destroyed: &HashSet<Place>,
    ) -> Vec<Result<Image>> {
        object_images::of_all(world, wanted, destroyed).await
    }

    fn is_about_container(&self, operation: &str) -> bool {
        bucket_traits::ASKED.contains(&operation)
    }

    fn seen(&self, operation: &str, params: &Value, answer: &Answer) -> Seen {
        seen::of(operation, params, answer)
    }

    fn source(&self, operation: &str, params: &Value) -> Option<Place> {
        moved::source(operation, params)
    }

    fn removal(&self, place: &Place) -> Option<(String, Value)> {
        if place.setting().is_some() {
            return planning_settings::removal(place);
        }
        let (operation, params) = match parts(place) {
            (bucket, Some(key)) => ("delete_object", object(bucket, key)),
            (bucket, None) => ("delete_bucket", params([("Bucket", bucket)])),
        };
        Some((operation.to_owned(), Value::Map(params)))
    }

    fn restored(&self, place: &Place, image: &Image, mark: Option<&Mark>) -> Option<Mark> {
        if *image == Image::Nothing {
            return planning_settings::emptied(place);
        }
        let mark = mark?;
        let suspended = planning_settings::suspended(place, image);
        Some(suspended.unwrap_or_else(|| Mark {
            version: None,
            ..mark.clone()
        }))
    }

    fn parts(&self, write: &Write, place: &Place) -> Vec<WrittenPart> {
        uploads::written(write, place)
    }

    fn most_copied(&self) -> u64 {
        images::MOST_COPIED
    }

    fn set_aside(&self, place: &Place, later: &[&Place]) -> Place {
        made_again::set_aside(place, later)
    }

    fn shares(&self, operation: &str, params: &Value, before: Option<(&str, &Value)>) -> bool {
        let_in::shares_more(operation, params, before)
    }

    async fn opens(
        &self,
        world: &dyn World,
        place: &Place,
        operation: &str,
        params: &Value,
    ) -> Result<bool> {
        opens::opens(world, place, operation, params).await
    }

    fn warnings(&self, operation: &str, params: &Value, _: &Place) -> Vec<String> {
        warnings::of(operation, params)
    }

    async fn others(&self, world: &dyn World, place: &Place) -> Result<Option<String>> {
        warnings::others(world, place).await
    }

    async fn taken_along(
        &self,
        world: &dyn World,
        operation: &str,
        params: &Value,
    ) -> Result<Vec<Place>> {
        match (operation, text(params, "Bucket")) {
            ("delete_bucket", Some(bucket)) => images::settings_at(world, bucket).await,
            (_, Some(bucket)) => {
                let ended = uploads::ended(operation, params).into_iter();
                let null = null_versions::below(world, bucket, operation, params).await?;
                Ok(ended.chain(null).collect())
            }
            (_, None) => Ok(Vec::new()),
        }
    }

    async fn inside(&self, world: &dyn World, operation: &str, params: &Value) -> Result<Inside> {
        inside::of(world, operation, params).await
    }

    fn left_alone(&self, operation: &str, before: &Mark, after: &Mark) -> bool {
        // A version `null` has no id in its mark. A deletion takes away what it changes.
        let is_deletion = matches!(operation, "delete_object" | "delete_objects");
        before == after && (is_deletion || before.version.is_some())
    }

    fn made_beside(&self, operation: &str, place: &Place, ids: &Ids) -> Option<String> {
        made::beside(operation, place, ids).cloned()
    }

    fn version(&self, place: &Place, mark: &Mark) -> Option<Place> {
        let version = mark.version.as_deref().unwrap_or("null");
        place
            .is_thing()
            .then(|| place.clone().with_version(version))
    }

    fn same_content(&self, operation: &str, params: &Value) -> Vec<String> {
        object_words::given(operation, params)
    }

    fn ids(&self, operation: &str, params: &Value, answer: &Value) -> Ids {
        made::ids(operation, params, answer)
    }

    fn made(&self, place: Place, ids: &Ids) -> Place {
        made::place(place, ids)
    }

    fn lasting(&self, write: &Write) -> Vec<(Place, String)> {
        lasting::of(write)
    }

    fn way_back(
        &self,
        write: &Write,
        place: &Place,
        ids: &Ids,
        marks: [Option<&Mark>; 2],
    ) -> Option<WayBack> {
        made::way_back(write, place, ids, marks)
    }

    fn precedence(&self, operation: &str, params: &Value) -> Ordering {
        made_again::precedence(operation, params)
    }

    fn made_again(
        &self,
        calls: Vec<(String, Value)>,
        earlier: &[(&Place, Option<&Mark>, &Image)],
    ) -> Vec<(String, Value)> {
        made_again::calls(calls, earlier)
    }
}

/// Whether a key has an object of as many parts and bytes as a completion was to give it. A draft
/// does not know the ETag of parts that are copied.
async fn is_of_parts(caller: &Caller<'_>, write: &Write, place: &Place) -> Result<bool> {
    let (bucket, Some(key)) = parts(place) else {
        return Ok(false);
    };
    let head = caller.find("head_object", object(bucket, key)).await?;
    let planned = write.touched.iter().find(|touched| touched.place == *place);
    let planned = planned.and_then(|touched| touched.after.as_ref());
    let (Some(head), Some(planned)) = (head, planned) else {
        return Ok(false);
    };
    let now = mark(&head, "ContentLength");
    let count = |tag: &str| tag.split_once('-').map(|(_, count)| count.to_owned());
    Ok(now.size == planned.size
        && count(&now.tag).is_some_and(|it| Some(it) == count(&planned.tag)))
}

/// The mark of one place, taken from a listing if there is one.
async fn look(
    world: &dyn World,
    listed: &HashMap<(&str, &str), Option<Mark>>,
    place: &Place,
) -> Result<Option<Mark>> {
    if place.setting().is_some() {
        return planning_settings::look(world, place).await;
    }
    let (bucket, Some(key)) = parts(place) else {
        return head_bucket(world, place.root()).await;
    };
    match listed.get(&(bucket, key)) {
        Some(mark) => Ok(mark.clone()),
        None => head_object(world, bucket, key).await,
    }
}

/// The mark of an object, where the world knows it without a look.
pub(super) async fn known_mark(
    world: &dyn World,
    bucket: &str,
    key: &str,
) -> Result<Option<Option<Mark>>> {
    let named = Value::Map(object(bucket, key));
    Ok(match world.known("head_object", &named).await? {
        Some(Ok(head)) => Some(Some(Mark {
            version: images::version(&head).map(str::to_owned),
            ..mark(&head, "ContentLength")
        })),
        Some(Err(refusal)) if refusal.status == 404 => Some(None),
        Some(Err(_)) | None => None,
    })
}

async fn head_object(world: &dyn World, bucket: &str, key: &str) -> Result<Option<Mark>> {
    if names::check_key(key).is_err() {
        return Ok(None);
    }
    // The refusal of a key looks like that of a name that no bucket may have.
    if !names::is_legacy_bucket_name(bucket) && head_bucket(world, bucket).await?.is_none() {
        return Ok(None);
    }
    let caller = Caller(world);
    let named = Value::Map(object(bucket, key));
    match caller.ask("head_object", &named).await {
        Ok(head) => Ok(Some(Mark {
            version: images::version(&head).map(str::to_owned),
            ..mark(&head, "ContentLength")
        })),
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => Ok(None),
        // Without the key of its owner, only the listing says that it is there.
        Err(Trouble::Refused(refusal)) if refusal.status == 400 => {
            let listed = list_keys(world, bucket, &BTreeSet::from([key])).await?;
            let mark = listed.marks.get(key).cloned();
            Ok(mark.map(|mark| Mark {
                summary: Some(object_words::KEYED.to_owned()),
                ..mark
            }))
        }
        Err(trouble) => Err(caller.cannot_look(&named, trouble)),
    }
}

async fn head_bucket(world: &dyn World, bucket: &str) -> Result<Option<Mark>> {
    if !names::can_be_a_bucket(bucket) {
        return Ok(None);
    }
    let caller = Caller(world);
    let params = Value::Map(params([("Bucket", bucket)]));
    let is_there = match caller.ask("head_bucket", &params).await {
        Ok(_) => true,
        Err(Trouble::Refused(refusal)) if refusal.status == 404 => false,
        // A name that S3 itself never allowed is invalid there, and may be a folder elsewhere.
        Err(Trouble::Refused(refusal))
            if refusal.status == 400 && !names::is_legacy_bucket_name(bucket) =>
        {
            false
        }
        // A bucket of another account exists as well.
        Err(Trouble::Refused(refusal)) if matches!(refusal.status, 301 | 403) => true,
        Err(trouble) => return Err(caller.cannot_look(&params, trouble)),
    };
    Ok(is_there.then(|| Mark {
        tag: BUCKET.to_owned(),
        size: 0,
        version: None,
        summary: None,
    }))
}

/// The bucket of a place, and its key if the place is an object.
fn parts(place: &Place) -> (&str, Option<&str>) {
    let key = place.segments().get(1);
    (place.root(), key.map(String::as_str))
}

/// The parameters that name an object.
pub(super) fn object(bucket: &str, key: &str) -> Map {
    params([("Bucket", bucket), ("Key", key)])
}

/// The mark of an object in an answer; `size_field` has its size.
pub(super) fn mark(object: &Value, size_field: &str) -> Mark {
    Mark {
        tag: text(object, "ETag").map(plain).unwrap_or_default(),
        size: size(object, size_field),
        version: None,
        summary: object_words::of(object),
    }
}

/// An ETag without its quotes.
fn plain(etag: &str) -> String {
    etag.trim_matches('"').to_owned()
}
