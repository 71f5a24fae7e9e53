//! The part of a domain that plans writes, carries them out and takes them back. The module
//! `plan` of dialog2api uses it.

use super::{Answer, Mark, Place, Refusal, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The ids that an answer gives to what a call made, by name: a version, an upload.
pub type Ids = BTreeMap<String, String>;

/// One write: a call, and what was seen at every place that it touches.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The operation.
    pub operation: String,
    /// Its parameters.
    pub params: Value,
    /// The places that it changes or depends on, each once.
    pub touched: Arc<[Touched]>,
    /// The ids in the answer of the draft. The world may give others: see
    /// [`Planning::ids`].
    pub ids: Ids,
    /// What an undo of this write cannot bring back, each with a clause that follows "because".
    pub lasting: Vec<(Place, String)>,
}

/// A place that a write changes or depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The place.
    pub place: Place,
    /// The mark before the write, and after the earlier writes of the plan.
    pub before: Option<Mark>,
    /// The mark after the write, as far as it is known in advance. Equal to `before` for a
    /// place that the write only depends on, such as the source of a copy.
    pub after: Option<Mark>,
    /// `true` if the write changes the place, `false` if it only depends on it.
    pub changed: bool,
    /// Whether the write lets others see what is there, or sends it elsewhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares: bool,
    /// The id of what the write makes there beside what was there: a version, a delete marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<String>,
    /// The id of what was made there beside what was there, and that the write takes away again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmade: Option<String>,
    /// Whether what is there afterwards lay below what the write takes away: an older version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncovers: bool,
    /// The parts that the write makes of what is not whole yet, or that it puts together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<WrittenPart>,
    /// What the setting was before the plan, if an earlier write of the plan has replaced the thing
    /// that has the setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Box<First>>,
    /// Whether it makes a container again that an earlier write of the plan removed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made_again: bool,
    /// How the content changes, in lines for people; empty where nothing is known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What people must know before they agree to it, in sentences without an end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A part of a thing that is written in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenPart {
    /// Its name; another one of this name takes its place.
    pub name: String,
    /// The range of its source that it is a copy of, from a byte to before another; all of it if
    /// there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(u64, u64)>,
    /// The mark that a thing with its content has, if the write brings the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Mark>,
}

/// What was at a place before a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct First {
    /// Its mark; none if nothing was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
}

impl Write {
    /// A write that makes nothing with an id of its own, and whose undo brings everything back.
    pub fn new(operation: String, params: Value, touched: Vec<Touched>) -> Self {
        Write {
            operation,
            params,
            touched: touched.into(),
            ids: Ids::new(),
            lasting: Vec::new(),
        }
    }
}

impl Touched {
    /// Whether the write destroys a content that was there.
    pub fn destroys(&self) -> bool {
        self.changed
            && self.before.is_some()
            && !Mark::same(self.before.as_ref(), self.after.as_ref())
    }
}

/// The content of a place, with everything that an undo needs to restore it.
#[derive(Debug, Clone, PartialEq)]
pub enum Image {
    /// Nothing was there.
    Nothing,
    /// A call that creates it again with everything that it held.
    Call {
        /// The operation.
        operation: String,
        /// The parameters, with the content.
        params: Value,
    },
    /// Several calls: the first creates it again, and the others restore its properties.
    Calls(Vec<(String, Value)>),
    /// It cannot be brought back. The reason is a clause that follows "because".
    Lost(String),
}

/// The bytes of content that a call writes and does not bring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Inside {
    /// Those that it copies.
    pub copied: u64,
    /// Those of the parts of which it makes a thing.
    pub parts: u64,
}

/// What takes away a thing that a write made beside what was there.
#[derive(Debug, Clone, PartialEq)]
pub struct WayBack {
    /// The place of the thing: a version.
    pub place: Place,
    /// The calls; those before the last one only make that one possible.
    pub calls: Vec<(String, Value)>,
}

impl Image {
    /// Why a call is [lost](Image::Lost) whose API has no call that takes it back.
    pub const NOT_TOLD: &str = "the API does not say how to take it back";
}

/// A content that is to be kept before a write destroys it.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Where it is.
    pub place: &'a Place,
    /// What a look has found there just now, where there was one.
    pub found: Option<&'a Mark>,
    /// The most bytes of it that are kept.
    pub most_bytes: u64,
    /// Where the plan has put a [copy](Planning::source) of it, with the mark of that. No later
    /// write of the plan changes it.
    pub copy: Option<(&'a Place, &'a Mark)>,
}

impl<'a> Wanted<'a> {
    /// All of what is at a place, of which nothing is known.
    pub fn at(place: &'a Place) -> Wanted<'a> {
        Wanted {
            place,
            found: None,
            most_bytes: u64::MAX,
            copy: None,
        }
    }
}

/// What the answer to a read tells of a world, for [comparing](Planning::seen) it again.
#[derive(Debug, Clone, PartialEq)]
pub enum Seen {
    /// Nothing that could change.
    Nothing,
    /// That these things were there with these marks, or were not. Their tags are compared.
    Contents(Vec<(Place, Option<Mark>)>),
    /// Something about this place, of which only the same question tells whether it is still so.
    Answer(Place),
    /// Something that cannot be compared.
    Unrepeatable,
}

/// Plans writes, carries them out and takes them back.
///
/// The methods that are given a world only read it. A call that gets no answer is made again.
#[async_trait]
pub trait Planning: Send + Sync {
    /// Reads the marks of places, in their order; none for a place where nothing is.
    ///
    /// # Errors
    /// The world's, also when it refuses to be read.
    async fn marks(&self, world: &dyn World, places: &[&Place]) -> Result<Vec<Option<Mark>>>;

    /// The marks of the places after a successful write, in the order of [`Write::touched`]:
    /// the planned marks, completed from the answer. By default the planned ones.
    ///
    /// # Errors
    /// A refusal, if the answer says that a part of the write was refused.
    fn left(&self, write: &Write, _answer: &Value) -> Result<Vec<Option<Mark>>, Refusal> {
        Ok(write.touched.iter().map(|it| it.after.clone()).collect())
    }

    /// Whether a write depends on nothing but the places that it touches, and changes nothing but
    /// things within containers: it may then be under way together with writes that touch others.
    /// By default it may not, since only the domain can know.
    fn is_local(&self, _write: &Write) -> bool {
        false
    }

    /// The places that a call takes away beside doing what it is for, and that no policy need
    /// judge: an upload that is completed, the settings of a container that is deleted. `world` is
    /// as it is before the call. By default none.
    ///
    /// # Errors
    /// The world's.
    async fn taken_along(
        &self,
        _world: &dyn World,
        _operation: &str,
        _params: &Value,
    ) -> Result<Vec<Place>> {
        Ok(Vec::new())
    }

    /// The bytes that a call would write and does not bring. By default none.
    ///
    /// # Errors
    /// The world's.
    async fn inside(
        &self,
        _world: &dyn World,
        _operation: &str,
        _params: &Value,
    ) -> Result<Inside> {
        Ok(Inside::default())
    }

    /// Whether a write left a place as it was that it could have changed: the deletion of an old
    /// version leaves the latest. By default where both looks saw the same version.
    fn left_alone(&self, _operation: &str, before: &Mark, after: &Mark) -> bool {
        before.version.is_some() && before == after
    }

    /// The id, among those of an answer, of what the call made at a place beside what was there: a
    /// version, a delete marker. By default there are none.
    fn made_beside(&self, _operation: &str, _place: &Place, _ids: &Ids) -> Option<String> {
        None
    }

    /// The parts of a thing that a write makes at this place, or that it puts together there. By
    /// default there are none.
    fn parts(&self, _write: &Write, _place: &Place) -> Vec<WrittenPart> {
        Vec::new()
    }

    /// The most bytes that are brought back from a [copy](Self::source). By default there is no
    /// limit.
    fn most_copied(&self) -> u64 {
        u64::MAX
    }

    /// The place of the version that a place with this mark shows. By default it has one where the
    /// mark does.
    fn version(&self, place: &Place, mark: &Mark) -> Option<Place> {
        let version = mark.version.as_deref()?;
        Some(place.clone().with_version(version))
    }

    /// What a call gives to a place whose content it leaves, in lines for people. By default
    /// nothing is known of it.
    fn same_content(&self, _operation: &str, _params: &Value) -> Vec<String> {
        Vec::new()
    }

    /// The ids in the answer of a write that later calls may name. By default none.
    fn ids(&self, _operation: &str, _params: &Value, _answer: &Value) -> Ids {
        Ids::new()
    }

    /// The place of something that a call made, which only its answer names. By default the
    /// place that the parameters name.
    fn made(&self, place: Place, _ids: &Ids) -> Place {
        place
    }

    /// What an undo of this write could not bring back, each with a clause that follows
    /// "because". Contents that are too large to be kept are not among it. By default nothing.
    fn lasting(&self, _write: &Write) -> Vec<(Place, String)> {
        Vec::new()
    }

    /// What takes away what a write made at a place, where that has an id of its own and what was
    /// there before stays beside it: a version, a delete marker. `ids` are those that the world
    /// gave it, and `marks` those of the place before and after the write. By default nothing
    /// does, and an undo restores the [image](Planning::image).
    fn way_back(
        &self,
        _write: &Write,
        _place: &Place,
        _ids: &Ids,
        _marks: [Option<&Mark>; 2],
    ) -> Option<WayBack> {
        None
    }

    /// When an undo makes this call of a setting of a container: before it brings contents back
    /// (`Less`), because it lets them in; after that (`Greater`), because it would keep them out;
    /// or in its turn (`Equal`), as by default.
    fn precedence(&self, _operation: &str, _params: &Value) -> Ordering {
        Ordering::Equal
    }

    /// The calls that make a container again as it was before a plan changed settings of it.
    /// `calls` make it as it was after that, and `earlier` has the marks and images of these
    /// settings. By default `calls`.
    fn made_again(
        &self,
        calls: Vec<(String, Value)>,
        _earlier: &[(&Place, Option<&Mark>, &Image)],
    ) -> Vec<(String, Value)> {
        calls
    }

    /// The parameters of a write with conditions, so that a world that supports them
    /// refuses the call if a place is not as `before` says (in the order of
    /// [`Write::touched`]). By default those of the write, without conditions.
    fn guarded(&self, write: &Write, _before: &[Option<Mark>]) -> Value {
        write.params.clone()
    }

    /// The name of the call that can make a write together with others of the same name. By
    /// default there is none.
    fn gathers(&self, _write: &Write) -> Option<String> {
        None
    }

    /// The call that makes writes that [gather](Self::gathers), each only if its places are as the
    /// marks with it say, where the world supports that: the operation and its parameters.
    fn gathered(&self, _writes: &[(&Write, &[Option<Mark>])]) -> Option<(String, Value)> {
        None
    }

    /// What the answer to that call says of one of the writes: the answer that it would have had
    /// alone. `None` if it says nothing of it.
    fn answer_of(&self, _write: &Write, _answer: &Value) -> Option<Answer> {
        None
    }

    /// The files by which somebody else carries out these writes, where they are too many for one
    /// machine: names and contents. By default there are none.
    ///
    /// # Errors
    /// Why these writes cannot be carried out so: a clause.
    fn export(&self, _writes: &[Write]) -> Result<Vec<(String, String)>, String> {
        Err("nothing else carries out plans of this domain".to_owned())
    }

    /// The parameters of a write as a journal keeps them. A name whose meaning depends on this
    /// process, such as a path from its working directory, is replaced by one that means the same
    /// place in every process. `None`, the default, if those of the write are kept.
    fn kept(&self, _write: &Write) -> Option<Value> {
        None
    }

    /// Whether a place has the content that a write was to give it. Asked if it is unknown
    /// whether the write was carried out and marks cannot tell. By default it has not.
    ///
    /// # Errors
    /// The world's.
    async fn holds(&self, _world: &dyn World, _write: &Write, _place: &Place) -> Result<bool> {
        Ok(false)
    }

    /// The old versions that these writes take away for good, and the settings that they make
    /// unchangeable.
    fn destroyed(&self, _: &[Write]) -> HashSet<Place> {
        HashSet::new()
    }

    /// The content of a place, to be kept before a write destroys it: at most
    /// `most_bytes`, or a reference to an old version that the world keeps, unless it is one
    /// of the `destroyed`.
    ///
    /// # Errors
    /// The world's.
    async fn image(
        &self,
        world: &dyn World,
        place: &Place,
        destroyed: &HashSet<Place>,
        most_bytes: u64,
    ) -> Result<Image>;

    /// The [images](Planning::image) of several places, in their order. A domain may ask less of
    /// the world for all of them than for each, and need not read what has a copy.
    async fn images(
        &self,
        world: &dyn World,
        wanted: &[Wanted<'_>],
        destroyed: &HashSet<Place>,
    ) -> Vec<Result<Image>> {
        let mut images = Vec::with_capacity(wanted.len());
        for Wanted {
            place, most_bytes, ..
        } in wanted
        {
            images.push(self.image(world, place, destroyed, *most_bytes).await);
        }
        images
    }

    /// Whether a read is about a container as a whole, so that only writes that are not
    /// [local](Self::is_local) change its answer. [`images`](Self::images) may ask such a
    /// question for each of their places: it reaches the world once. By default no read is.
    fn is_about_container(&self, _operation: &str) -> bool {
        false
    }

    /// What the answer to a read tells, so that a plan is not applied once that has changed: the
    /// program may have decided by it. By default nothing is compared.
    fn seen(&self, _operation: &str, _params: &Value, _answer: &Answer) -> Seen {
        Seen::Nothing
    }

    /// The place of which a call puts a copy into the place that it changes, with all that a copy
    /// can take along. By default no call is known to do that.
    fn source(&self, _operation: &str, _params: &Value) -> Option<Place> {
        None
    }

    /// The call that deletes what is at a place; `None` if there is none.
    fn removal(&self, place: &Place) -> Option<(String, Value)>;

    /// The mark of a place once its image is brought back, by the one that it had: the same, of a
    /// new version, unless the image is only as near to it as can be.
    fn restored(&self, _place: &Place, image: &Image, mark: Option<&Mark>) -> Option<Mark> {
        let mark = mark.filter(|_| *image != Image::Nothing)?;
        Some(Mark {
            version: None,
            ..mark.clone()
        })
    }

    /// The place that what was written at a place has after `later` changes of settings of its
    /// container: that of a version, where new contents stand beside it since. By default the
    /// place itself.
    fn set_aside(&self, place: &Place, _later: &[&Place]) -> Place {
        place.clone()
    }

    /// Whether a call lets others see something that they could not see before, or sends it
    /// elsewhere. `before` is a call that has made it what it is now, if one is known.
    fn shares(&self, _operation: &str, _params: &Value, _before: Option<(&str, &Value)>) -> bool {
        false
    }

    /// Whether a call that may share something at a place does so: it lets in others who were not
    /// let in before. `world` is as it is before the call. By default it does.
    ///
    /// # Errors
    /// The world's.
    async fn opens(
        &self,
        _world: &dyn World,
        _place: &Place,
        _operation: &str,
        _params: &Value,
    ) -> Result<bool> {
        Ok(true)
    }

    /// What people must know of what a call does to a place before they agree to it, in sentences
    /// without an end: that it makes the world delete things later. By default nothing.
    fn warnings(&self, _operation: &str, _params: &Value, _place: &Place) -> Vec<String> {
        Vec::new()
    }

    /// Whether the outermost container of a place is not one of the user's own: a sentence without
    /// an end that says so. By default it is not known, and nothing is said.
    ///
    /// # Errors
    /// The world's.
    async fn others(&self, _world: &dyn World, _place: &Place) -> Result<Option<String>> {
        Ok(None)
    }
}
