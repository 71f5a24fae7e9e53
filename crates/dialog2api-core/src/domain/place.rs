//! Places in a world, and what calls do to them: the terms of policies and plans.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Where a thing is in a world, as a path of segments from the outermost container to the
/// thing: for S3 `[bucket]` or `[bucket, key]`. No segments are the world as a whole.
///
/// A place may also be a *setting* of a thing: the tags of an object, the policy of a
/// bucket. Settings are planned, changed and taken back apart from the thing's content.
/// Policies judge them by the path of their thing.
///
/// ```
/// use dialog2api_core::domain::Place;
///
/// let task = Place::new(["home", "garden", "buy seeds"]);
/// assert_eq!(task.root(), "home");
/// assert_eq!(task.to_string(), "home/garden/buy seeds");
/// assert!(Place::container("home").is_container());
/// assert_eq!(Place::thing("zoo", "logs/a.txt").segments(), ["zoo", "logs/a.txt"]);
/// let tags = Place::container("zoo").with_setting("tags");
/// assert_eq!((tags.path().as_str(), tags.to_string().as_str()), ("zoo", "zoo/ (tags)"));
/// ```
///
/// Clones share it: plans, steps and effects name the same places many times.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(from = "Written")]
pub struct Place(Arc<Path>);

#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Path {
    segments: Vec<String>,
    setting: Option<String>,
}

/// The JSON form that [`Place`] is read from; its `Serialize` writes the same. Most places are a
/// container or a thing in one, and journals of version 1 have no others, so these keep the form
/// that they have there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Pair {
        container: String,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        setting: Option<String>,
    },
    Path {
        segments: Vec<String>,
        #[serde(default)]
        setting: Option<String>,
    },
}

impl From<Written> for Place {
    fn from(written: Written) -> Self {
        let (segments, setting) = match written {
            Written::Pair {
                container,
                name,
                setting,
            } => ([container].into_iter().chain(name).collect(), setting),
            Written::Path { segments, setting } => (segments, setting),
        };
        Place(Arc::new(Path { segments, setting }))
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match self.segments() {
            [container] => map.serialize_entry("container", container)?,
            [container, name] => {
                map.serialize_entry("container", container)?;
                map.serialize_entry("name", name)?;
            }
            segments => map.serialize_entry("segments", segments)?,
        }
        if let Some(setting) = self.setting() {
            map.serialize_entry("setting", setting)?;
        }
        map.end()
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = f.debug_struct("Place");
        place.field("segments", &self.0.segments);
        place.field("setting", &self.0.setting).finish()
    }
}

impl Place {
    /// The place at the end of this path.
    pub fn new<S: Into<String>>(segments: impl IntoIterator<Item = S>) -> Self {
        Place(Arc::new(Path {
            segments: segments.into_iter().map(Into::into).collect(),
            setting: None,
        }))
    }

    /// A setting of the thing at this place, by a name that people read: `tags`.
    #[must_use]
    pub fn with_setting(mut self, setting: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.0).setting = Some(setting.into());
        self
    }

    /// The place of one version of this thing, in worlds that keep old versions.
    pub fn with_version(self, version: &str) -> Self {
        self.with_setting(format!("version {version}"))
    }

    /// The setting, if the place is one.
    pub fn setting(&self) -> Option<&str> {
        self.0.setting.as_deref()
    }

    /// An outermost container: for S3 a bucket.
    pub fn container(container: impl Into<String>) -> Self {
        Place::new([container.into()])
    }

    /// A thing in an outermost container: for S3 an object.
    pub fn thing(container: impl Into<String>, name: impl Into<String>) -> Self {
        Place::new([container.into(), name.into()])
    }

    /// The path, from the outermost container on.
    pub fn segments(&self) -> &[String] {
        &self.0.segments
    }

    /// The outermost container; empty for the world as a whole.
    pub fn root(&self) -> &str {
        self.0.segments.first().map_or("", String::as_str)
    }

    /// The path within the outermost container, joined by `/`; none for the container
    /// itself.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        match self.0.segments.as_slice() {
            [] | [_] => None,
            [_, name] => Some(Cow::Borrowed(name)),
            [_, path @ ..] => Some(Cow::Owned(path.join("/"))),
        }
    }

    /// Whether it is an outermost container.
    pub fn is_container(&self) -> bool {
        self.0.segments.len() == 1 && self.0.setting.is_none()
    }

    /// Whether it is a setting of an outermost container.
    pub fn is_of_container(&self) -> bool {
        self.0.segments.len() == 1 && self.0.setting.is_some()
    }

    /// Whether it is a thing in a container, and no setting of one.
    pub fn is_thing(&self) -> bool {
        self.0.segments.len() > 1 && self.0.setting.is_none()
    }

    /// Whether it is a [version](Self::with_version) of a thing.
    pub fn is_version(&self) -> bool {
        let setting = self.0.setting.as_deref();
        setting.is_some_and(|it| it.starts_with("version "))
    }

    /// The whole path, joined by `/`: what the `paths` of a policy's rule are matched with.
    pub fn path(&self) -> String {
        self.0.segments.join("/")
    }
}

impl fmt::Display for Place {
    /// The path; that of a container, and of the world, ends with `/`. A setting follows in
    /// parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.0.segments.len() < 2 { "/" } else { "" };
        write!(f, "{}{end}", self.path())?;
        match &self.0.setting {
            Some(setting) => write!(f, " ({setting})"),
            None => Ok(()),
        }
    }
}

/// The effect of an operation on a world, or of a call on a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Reads, and leaves all as it was.
    Read,
    /// Creates or changes something.
    Write,
    /// Removes something that cannot be had back, so a user is asked to confirm it.
    Delete,
    /// Lets others see or change something, or sends it elsewhere. It cannot be had back
    /// either: what others have seen stays seen.
    Share,
}

/// A place that a call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The place. For a listing it is the container, or with [`PlaceRole::Listing`] the
    /// container and the prefix that it is narrowed to.
    pub place: Place,
    /// The role of the place in the call.
    pub role: PlaceRole,
    /// Whether the call lets others see it, whatever its operation does otherwise.
    pub shares: bool,
    /// The bytes of content that the call itself brings; 0 for a copy.
    pub bytes: u64,
    /// What it is in the ceilings of a policy.
    pub counts: Counts,
    /// What the call may change beside that.
    pub beside: Beside,
}

/// What a call may change beside the place that it names: a policy that protects or denies
/// any of it denies the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Beside {
    /// Nothing else.
    #[default]
    Nothing,
    /// What is within no container of this name: in a domain whose places are its operations,
    /// a rule for any other path is about something that only its author knows.
    Strangers,
    /// Anything, unless a rule is about this container alone.
    Anything,
}

/// What a touch is in the ceilings of a policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Counts {
    /// What its place is: a container, or a record.
    #[default]
    ByPlace,
    /// A record if it is written, although its place is a container.
    RecordIfWritten,
    /// Neither: a part of an upload, or a link. Bytes count all the same.
    Bytes,
}

/// The role of a place in a call that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceRole {
    /// The operation does there what its [`effect`](super::Operation::effect) says.
    Object,
    /// It is only read, whatever the operation does elsewhere: the source of a copy.
    Source,
    /// Its names are listed: all that begin with the place's path.
    Listing,
    /// The call makes the environment do this later to all that begins with the place's path:
    /// an expiration, a delivery of logs. Policies judge it, and plans leave it out, because
    /// which things it will be is not known.
    Later(Access),
}

impl Target {
    /// A place at which the operation does what its effect says.
    pub fn object(place: Place) -> Self {
        Target {
            place,
            role: PlaceRole::Object,
            shares: false,
            bytes: 0,
            counts: Counts::default(),
            beside: Beside::default(),
        }
    }

    /// A place below which the environment does something later because of the call.
    pub fn later(access: Access, place: Place) -> Self {
        Target {
            role: PlaceRole::Later(access),
            ..Target::object(place)
        }
    }

    /// A place that is only read.
    pub fn source(place: Place) -> Self {
        Target {
            role: PlaceRole::Source,
            ..Target::object(place)
        }
    }

    /// A place whose names are listed.
    pub fn listing(place: Place) -> Self {
        Target {
            role: PlaceRole::Listing,
            ..Target::object(place)
        }
    }

    /// The access to this place by an operation with this effect.
    pub(super) fn touched_by(self, effect: Access) -> Touch {
        Touch {
            access: match self.role {
                PlaceRole::Object if self.shares => Access::Share,
                PlaceRole::Object => effect,
                PlaceRole::Source | PlaceRole::Listing => Access::Read,
                PlaceRole::Later(access) => access,
            },
            prefix: matches!(self.role, PlaceRole::Listing | PlaceRole::Later(_)),
            place: self.place,
            bytes: self.bytes,
            counts: self.counts,
            beside: self.beside,
        }
    }
}

/// A place that a call names, and what the call does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touch {
    /// The access.
    pub access: Access,
    /// Where.
    pub place: Place,
    /// Whether it is about every name that begins with the place's name, or about all in a
    /// container: a listing, or what is done there [later](PlaceRole::Later).
    pub prefix: bool,
    /// The bytes of content that the call itself brings; 0 for a copy.
    pub bytes: u64,
    /// As [`Target::counts`].
    pub counts: Counts,
    /// As [`Target::beside`].
    pub beside: Beside,
}

impl Touch {
    /// A touch of the place alone.
    pub fn new(access: Access, place: Place) -> Self {
        Touch {
            access,
            place,
            prefix: false,
            bytes: 0,
            counts: Counts::default(),
            beside: Beside::default(),
        }
    }

    /// Whether it is done [later](PlaceRole::Later), and not by the call itself.
    pub fn is_later(&self) -> bool {
        self.prefix && self.access != Access::Read
    }
}

/// Identifies the state of a place: equal marks mean equal states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Tells contents apart. For an S3 object its ETag without quotes; for a bucket a
    /// constant.
    pub tag: String,
    /// The size of the content in bytes.
    pub size: u64,
    /// The version, in worlds that keep old versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its content in a few words, if they say more than a size: `2 rules`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl Mark {
    /// The mark of a place that cannot be read: of a call to a server only the
    /// bytes are known that it brings.
    pub fn unknown(bytes: u64) -> Self {
        Mark {
            tag: "unknown".to_owned(),
            size: bytes,
            version: None,
            summary: None,
        }
    }

    /// Whether the place could not be looked at.
    pub fn is_unknown(&self) -> bool {
        self.tag == "unknown"
    }

    /// Whether two looks at a place saw the same content. Versions do not count: the same
    /// content may be written again.
    pub fn same(one: Option<&Mark>, other: Option<&Mark>) -> bool {
        match (one, other) {
            (None, None) => true,
            (Some(one), Some(other)) => one.tag == other.tag && one.size == other.size,
            _ => false,
        }
    }
}
