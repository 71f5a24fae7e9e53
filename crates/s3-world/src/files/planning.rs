//! Files in plans: their marks, the conditions of transfers, and how downloads are taken back.

use super::folders::{Folders, Named};
use super::place;
use super::stamp::Stamp;
use super::upload::Source;
use crate::blocking;
use crate::caller::{Caller, text};
use crate::domain::{
    Answer, Ids, Image, Inside, Mark, Place, Planning, Refusal, Seen, Touched, Value, Wanted,
    WayBack, World, Write, WrittenPart,
};
use crate::error::{Error, Result};
use crate::refusal::Trouble;
use async_trait::async_trait;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

/// The planning of a domain with files.
pub struct FilePlanning {
    pub inner: Arc<dyn Planning>,
    pub folders: Arc<Folders>,
}

#[async_trait]
impl Planning for FilePlanning {
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>> {
        let others: Vec<&Place> = places
            .iter()
            .copied()
            .filter(|it| !place::is_file(it))
            .collect();
        let mut others = self.inner.marks(world, &others).await?.into_iter();
        let marks = places.iter().map(|place| match place::is_file(place) {
            true => self.mark(place),
            false => Ok(others.next().flatten()),
        });
        marks.collect()
    }

    async fn images(
        &self,
        world: &dyn World,
        wanted: &[Wanted<'_>],
        destroyed: &HashSet<Place>,
    ) -> Vec<Result<Image>> {
        let objects = wanted.iter().filter(|it| !place::is_file(it.place));
        let objects: Vec<Wanted<'_>> = objects.copied().collect();
        let kept = self.inner.images(world, &objects, destroyed).await;
        let mut kept = kept.into_iter();
        let mut images = Vec::with_capacity(wanted.len());
        for it in wanted {
            match place::is_file(it.place) {
                true => images.push(self.image(world, it.place, destroyed, it.most_bytes).await),
                false => images.extend(kept.next()),
            }
        }
        images
    }

    fn is_about_container(&self, operation: &str) -> bool {
        self.inner.is_about_container(operation)
    }

    fn seen(&self, operation: &str, params: &Value, answer: &Answer) -> Seen {
        self.inner.seen(operation, params, answer)
    }

    fn source(&self, operation: &str, params: &Value) -> Option<Place> {
        self.inner.source(operation, params)
    }

    fn gathers(&self, write: &Write) -> Option<String> {
        self.inner.gathers(write)
    }

    fn gathered(&self, writes: &[(&Write, &[Option<Mark>])]) -> Option<(String, Value)> {
        self.inner.gathered(writes)
    }

    fn export(&self, writes: &[Write]) -> Result<Vec<(String, String)>, String> {
        self.inner.export(writes)
    }

    fn answer_of(&self, write: &Write, answer: &Value) -> Option<Answer> {
        self.inner.answer_of(write, answer)
    }

    fn is_local(&self, write: &Write) -> bool {
        self.inner.is_local(write)
    }

    fn left(&self, write: &Write, answer: &Value) -> Result<Vec<Option<Mark>>, Refusal> {
        let mut left = self.inner.left(write, answer)?;
        for (touched, mark) in write.touched.iter().zip(&mut left) {
            if touched.changed && place::is_file(&touched.place) {
                // The plan did not know when the system would write it.
                *mark = self.mark(&touched.place).unwrap_or_else(|_| mark.take());
            }
        }
        Ok(left)
    }

    fn guarded(&self, write: &Write, before: &[Option<Mark>]) -> Value {
        let is_transfer = matches!(write.operation.as_str(), "upload_file" | "download_file");
        let (true, Value::Map(params)) = (is_transfer, &write.params) else {
            return self.inner.guarded(write, before);
        };
        let mut guarded = params.clone();
        for (touched, mark) in write.touched.iter().zip(before) {
            let tag = mark.as_ref().map(|mark| mark.tag.clone());
            let (name, value) = match (place::is_file(&touched.place), touched.changed, tag) {
                (true, _, tag) => ("Modified", tag.map_or(Value::Null, Value::Str)),
                (false, _, Some(tag)) => ("IfMatch", Value::Str(format!("\"{tag}\""))),
                (false, true, None) => ("IfNoneMatch", "*".into()),
                (false, false, None) => continue,
            };
            guarded.push((name.into(), value));
        }
        Value::Map(guarded)
    }

    fn kept(&self, write: &Write) -> Option<Value> {
        let (Some(named), Value::Map(params)) = (self.file(write), &write.params) else {
            return self.inner.kept(write);
        };
        let kept = params.iter().map(|(name, value)| match &**name {
            // The file of the place, which was shown and checked, whatever the program called it.
            "Filename" => (name.clone(), named.lasting().into()),
            _ => (name.clone(), value.clone()),
        });
        Some(Value::Map(kept.collect()))
    }

    async fn holds(&self, world: &dyn World, write: &Write, place: &Place) -> Result<bool> {
        let file = self.file(write);
        match (write.operation.as_str(), file) {
            ("upload_file", Some(named)) if !place::is_file(place) => {
                same_content(world, &named, &write.params, place).await
            }
            ("download_file", Some(named)) if place::is_file(place) => {
                let object = write.touched.iter().find(|it| !place::is_file(&it.place));
                let Some(Touched { place, .. }) = object else {
                    return Ok(false);
                };
                same_content(world, &named, &write.params, place).await
            }
            _ => self.inner.holds(world, write, place).await,
        }
    }

    fn destroyed(&self, writes: &[Write]) -> HashSet<Place> {
        self.inner.destroyed(writes)
    }

    async fn image(
        &self,
        world: &dyn World,
        place: &Place,
        destroyed: &HashSet<Place>,
        most_bytes: u64,
    ) -> Result<Image> {
        if !place::is_file(place) {
            return self.inner.image(world, place, destroyed, most_bytes).await;
        }
        let Some(named) = place::file(&self.folders, place) else {
            return Ok(Image::Lost("its folder is not granted".to_owned()));
        };
        let source = match Source::open(&named) {
            Ok(source) => source,
            Err(refusal) if refusal.status == 404 => return Ok(Image::Nothing),
            Err(refusal) => return Err(Error::world(refusal.message)),
        };
        let stamp = source.stamp;
        if stamp.size > most_bytes {
            return Ok(Image::Lost(format!(
                "it has {} bytes, and up to {most_bytes} are kept",
                stamp.size
            )));
        }
        let read = blocking::waiting(move || source.read()).await?;
        let content = read.map_err(|refusal| Error::world(refusal.message))?;
        Ok(Image::Call {
            operation: "write_file".to_owned(),
            params: Value::Map(vec![
                ("Filename".into(), named.lasting().into()),
                ("Body".into(), Value::Bytes(content)),
                ("Modified".into(), stamp.modified.to_string().into()),
            ]),
        })
    }

    fn removal(&self, place: &Place) -> Option<(String, Value)> {
        match place::file(&self.folders, place) {
            Some(named) => {
                let params = vec![("Filename".into(), named.lasting().into())];
                Some(("remove_file".to_owned(), Value::Map(params)))
            }
            None => self.inner.removal(place),
        }
    }

    fn shares(&self, operation: &str, params: &Value, before: Option<(&str, &Value)>) -> bool {
        self.inner.shares(operation, params, before)
    }

    async fn opens(
        &self,
        world: &dyn World,
        place: &Place,
        operation: &str,
        params: &Value,
    ) -> Result<bool> {
        self.inner.opens(world, place, operation, params).await
    }

    async fn inside(&self, world: &dyn World, operation: &str, params: &Value) -> Result<Inside> {
        self.inner.inside(world, operation, params).await
    }

    fn parts(&self, write: &Write, place: &Place) -> Vec<WrittenPart> {
        self.inner.parts(write, place)
    }

    fn most_copied(&self) -> u64 {
        self.inner.most_copied()
    }

    fn warnings(&self, operation: &str, params: &Value, place: &Place) -> Vec<String> {
        self.inner.warnings(operation, params, place)
    }

    async fn others(&self, world: &dyn World, place: &Place) -> Result<Option<String>> {
        match place::is_file(place) {
            true => Ok(None),
            false => self.inner.others(world, place).await,
        }
    }

    async fn taken_along(
        &self,
        world: &dyn World,
        operation: &str,
        params: &Value,
    ) -> Result<Vec<Place>> {
        self.inner.taken_along(world, operation, params).await
    }

    fn left_alone(&self, operation: &str, before: &Mark, after: &Mark) -> bool {
        self.inner.left_alone(operation, before, after)
    }

    fn made_beside(&self, operation: &str, place: &Place, ids: &Ids) -> Option<String> {
        self.inner.made_beside(operation, place, ids)
    }

    fn same_content(&self, operation: &str, params: &Value) -> Vec<String> {
        self.inner.same_content(operation, params)
    }

    fn ids(&self, operation: &str, params: &Value, answer: &Value) -> Ids {
        self.inner.ids(operation, params, answer)
    }

    fn made(&self, place: Place, ids: &Ids) -> Place {
        self.inner.made(place, ids)
    }

    fn lasting(&self, write: &Write) -> Vec<(Place, String)> {
        self.inner.lasting(write)
    }

    fn way_back(
        &self,
        write: &Write,
        place: &Place,
        ids: &Ids,
        marks: [Option<&Mark>; 2],
    ) -> Option<WayBack> {
        match place::is_file(place) {
            true => None,
            false => self.inner.way_back(write, place, ids, marks),
        }
    }

    fn version(&self, place: &Place, mark: &Mark) -> Option<Place> {
        match place::is_file(place) {
            true => None,
            false => self.inner.version(place, mark),
        }
    }

    fn restored(&self, place: &Place, image: &Image, mark: Option<&Mark>) -> Option<Mark> {
        self.inner.restored(place, image, mark)
    }

    fn set_aside(&self, place: &Place, later: &[&Place]) -> Place {
        match place::is_file(place) {
            true => place.clone(),
            false => self.inner.set_aside(place, later),
        }
    }

    fn precedence(&self, operation: &str, params: &Value) -> Ordering {
        self.inner.precedence(operation, params)
    }

    fn made_again(
        &self,
        calls: Vec<(String, Value)>,
        earlier: &[(&Place, Option<&Mark>, &Image)],
    ) -> Vec<(String, Value)> {
        self.inner.made_again(calls, earlier)
    }
}

impl FilePlanning {
    /// The file that a write names.
    fn file(&self, write: &Write) -> Option<Named<'_>> {
        let mut touched = write.touched.iter();
        touched.find_map(|it| place::file(&self.folders, &it.place))
    }

    fn mark(&self, place: &Place) -> Result<Option<Mark>> {
        let Some(named) = place::file(&self.folders, place) else {
            return Err(Error::usage(format!(
                "{place} is in a folder that is not granted: name it with --files"
            )));
        };
        let stamp = Stamp::of(&named)
            .map_err(|error| Error::world(format!("cannot look at {}: {error}", named.shown())))?;
        Ok(stamp.map(Stamp::mark))
    }
}

/// Whether an object has the content of a file, as far as its ETag tells.
async fn same_content(
    world: &dyn World,
    named: &Named<'_>,
    call: &Value,
    place: &Place,
) -> Result<bool> {
    let Ok(source) = Source::open(named) else {
        return Ok(false);
    };
    let (bucket, key) = (place.root(), place.name().unwrap_or_default());
    let asked = crate::caller::params([("Bucket", bucket), ("Key", &*key)]);
    let Some(head) = Caller(world).find("head_object", asked).await? else {
        return Ok(false);
    };
    let there = text(&head, "ETag").unwrap_or_default();
    let source = source.counted(world.moved().unwrap_or_default());
    match source.etag(call).await {
        Ok(etag) => Ok(there.trim_matches('"') == etag),
        Err(Trouble::Refused(_)) => Ok(false),
        Err(Trouble::Failed(error)) => Err(error),
    }
}
