//! The values that cross the boundary between a program and its world.

use crate::error::Result;
use bytes::Bytes;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::sync::Arc;

/// JSON, plus bytes and timestamps. Parameters of a call and its answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Python's `None`.
    Null,
    /// `True` or `False`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer that 64 bits do not hold, as its decimal digits: see
    /// [`integer`](Self::integer).
    BigInt(String),
    /// A float, also not finite.
    Float(f64),
    /// Text.
    Str(String),
    /// Bytes, shared instead of copied where possible.
    Bytes(Bytes),
    /// A content that the host reads when it is needed. It never crosses the boundary: a program
    /// can name a file, and has no value for its content.
    File(Arc<FileBody>),
    /// A point in time.
    Time(jiff::Timestamp),
    /// A list.
    List(Vec<Value>),
    /// A dict with text keys, in order.
    Map(Map),
}

/// A content that is not in memory, with what is known without reading it.
pub struct FileBody {
    /// The tag of this state of the file.
    pub tag: String,
    /// The size in bytes.
    pub size: u64,
    /// Reads the content. Blocks while the disk works; fails if the file has changed.
    pub read: Box<dyn Fn() -> Result<Bytes> + Send + Sync>,
    /// Reads the content piece by piece, where it may be too large for memory. Blocks and fails
    /// like `read`.
    pub reader: Option<OpenReader>,
    /// The content as the world knows it that it comes from or goes to.
    pub content: Option<Arc<dyn Any + Send + Sync>>,
}

/// Begins to read a content.
pub type OpenReader = Box<dyn Fn() -> Result<Box<dyn Read + Send>> + Send + Sync>;

impl PartialEq for FileBody {
    fn eq(&self, other: &Self) -> bool {
        (&self.tag, self.size) == (&other.tag, other.size)
    }
}

impl Eq for FileBody {}

impl fmt::Debug for FileBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FileBody");
        shown.field("tag", &self.tag).field("size", &self.size);
        shown.finish_non_exhaustive()
    }
}

/// The pairs of a [`Value::Map`], in order.
pub type Map = Vec<(Name, Value)>;

/// The name in a pair. Most names are words of an interface that are known at compile time,
/// and cost no allocation.
pub type Name = Cow<'static, str>;

impl Value {
    /// The value of `key`, when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(pairs) => pairs.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text, when this is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, when this is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(int) => Some(*int),
            _ => None,
        }
    }

    /// The truth value, when this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// The items, when this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Str(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Str(text)
    }
}

impl From<i64> for Value {
    fn from(int: i64) -> Self {
        Value::Int(int)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

impl From<Bytes> for Value {
    fn from(bytes: Bytes) -> Self {
        Value::Bytes(bytes)
    }
}

impl From<jiff::Timestamp> for Value {
    fn from(time: jiff::Timestamp) -> Self {
        Value::Time(time)
    }
}
