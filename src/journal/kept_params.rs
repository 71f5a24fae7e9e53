//! The parameters of a write, as a journal keeps them.

use super::contents::ContentStore;
use super::values::{from_json, to_json};
use crate::domain::Value;
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::{RawValue, to_raw_value};
use std::sync::Arc;

/// Parameters in the JSON form of `values.rs`, as text: a plan has them for each of its writes, and
/// they are seldom read.
///
/// Serde cannot read this inside of types that it buffers: untagged, tagged internally or flattened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptParams(Arc<RawValue>);

impl KeptParams {
    /// Keeps parameters. Long ones are in `contents` when this returns.
    pub(super) fn keep(params: &Value, contents: &ContentStore) -> Result<KeptParams> {
        let text = to_raw_value(&to_json(params, contents)?);
        match text {
            Ok(text) => Ok(KeptParams(text.into())),
            Err(error) => Err(Error::usage(format!("parameters cannot be kept: {error}"))),
        }
    }

    pub(super) fn read(&self, contents: &ContentStore) -> Result<Value> {
        let json = self.json();
        let json = json.map_err(|error| {
            contents.no_value(&format!("has parameters that cannot be read: {error}"))
        })?;
        from_json(&json, contents)
    }

    /// Their form. Long ones are named in it.
    ///
    /// # Errors
    /// It nests too deeply, or has a number or an escape that cannot be read.
    pub fn json(&self) -> serde_json::Result<Json> {
        serde_json::from_str(self.0.get())
    }
}

impl PartialEq for KeptParams {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}
