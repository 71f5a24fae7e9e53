//! The part of a domain that plans writes, carries them out and takes them back. The module
//! [`plan`](crate::plan) uses it.

use super::{Mark, Place, Refusal, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// One write: a call, and what was seen at every place that it touches.
#[derive(Debug, Clone, PartialEq)]
pub struct Write {
    /// The operation.
    pub operation: String,
    /// Its parameters.
    pub params: Value,
    /// The places that it changes or depends on, each once.
    pub touched: Vec<Touched>,
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
    /// How the content changes, in lines for people; empty where nothing is known of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// What people must know before they agree to it, in sentences without an end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
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

impl Image {
    /// Why a call is [lost](Image::Lost) whose API has no call that takes it back.
    pub const NOT_TOLD: &str = "the API does not say how to take it back";
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

    /// The parameters of a write with conditions, so that a world that supports them
    /// refuses the call if a place is not as `before` says (in the order of
    /// [`Write::touched`]). By default those of the write, without conditions.
    fn guarded(&self, write: &Write, _before: &[Option<Mark>]) -> Value {
        write.params.clone()
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

    /// The old versions that these writes take away for good.
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

    /// The call that deletes what is at a place.
    fn removal(&self, place: &Place) -> (String, Value);

    /// Whether a call lets others see something, or sends it elsewhere.
    fn shares(&self, _operation: &str, _params: &Value) -> bool {
        false
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

    /// The call that deletes one version of what is at a place, where things have versions. A
    /// container can be deleted only when none is left.
    fn removal_of_version(&self, _: &Place, _: &str) -> Option<(String, Value)> {
        None
    }
}
