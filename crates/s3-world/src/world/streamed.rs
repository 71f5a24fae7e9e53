//! Contents that pass through a world piece by piece.

use crate::domain::{FileBody, Value};
use crate::memory::{Content, FileContent};
use std::ops::Range;
use std::sync::Arc;

/// The content of an upload that came in a file of this world.
pub fn spooled(params: &Value) -> Option<&FileContent> {
    let Some(Value::File(body)) = params.get("Body") else {
        return None;
    };
    body.content.as_ref()?.downcast_ref()
}

/// From this many bytes on, a content is passed on piece by piece where the caller can take it.
pub const STREAMED: usize = 1 << 20;

/// A part of a content that is not read yet.
pub fn streamed(content: Content, range: Range<usize>) -> Value {
    let (whole, pieces) = (content.clone(), range.clone());
    Value::File(Arc::new(FileBody {
        tag: String::new(),
        size: range.len() as u64,
        read: Box::new(move || whole.read_range(range.clone())),
        reader: Some(Box::new(move || content.reader(pieces.clone()))),
        content: None,
    }))
}
