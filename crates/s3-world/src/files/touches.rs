//! The files and objects that a transfer names, for policies and plans.

use super::draft::object;
use super::folders::Folders;
use super::stamp::Stamp;
use super::{is_about_files, place};
use crate::domain::{Grant, Operation, Ownership, PathForm, Place, Target, Touches, Value};
use crate::let_in::{accounts, shares};
use std::sync::Arc;

/// The touches of a domain with files.
pub struct FileTouches {
    pub inner: Arc<dyn Touches>,
    pub folders: Arc<Folders>,
}

impl FileTouches {
    /// The place of the file that a parameter names, and its size. A name outside of the
    /// granted folders is in a folder without a name, so that the call is judged all the
    /// same; the world refuses it.
    fn file(&self, params: &Value, name: &str) -> (Place, u64) {
        let text = params.get(name).and_then(Value::as_str).unwrap_or(".");
        match self.folders.named(text) {
            Ok(named) => {
                let stamp = Stamp::of(&named).ok().flatten();
                (place::of(&named), stamp.map_or(0, |stamp| stamp.size))
            }
            Err(_) => (Place::container("file:"), 0),
        }
    }
}

fn extra_args(params: &Value) -> &Value {
    params.get("ExtraArgs").unwrap_or(&Value::Null)
}

impl Touches for FileTouches {
    fn targets(&self, operation: &str, params: &Value) -> Vec<Target> {
        self.targets_owning(operation, params, &[])
    }

    fn targets_owning(&self, operation: &str, params: &Value, own: &[String]) -> Vec<Target> {
        match operation {
            "upload_file" => {
                let (file, bytes) = self.file(params, "Filename");
                let object = Target {
                    bytes,
                    shares: shares("put_object", extra_args(params), own),
                    ..Target::object(object(params))
                };
                vec![Target::source(file), object]
            }
            "download_file" => {
                let (file, _) = self.file(params, "Filename");
                vec![Target::source(object(params)), Target::object(file)]
            }
            "list_files" => vec![Target::listing(self.file(params, "Path").0)],
            "read_file" | "write_file" | "remove_file" => {
                vec![Target::object(self.file(params, "Filename").0)]
            }
            _ => self.inner.targets_owning(operation, params, own),
        }
    }

    fn named_accounts(&self, operation: &str, params: &Value, own: &[String]) -> Vec<String> {
        match operation {
            "upload_file" => accounts("put_object", extra_args(params), own),
            _ => self.inner.named_accounts(operation, params, own),
        }
    }

    fn call(&self, operation: &str, path: Option<&str>, source: Option<&str>) -> Value {
        self.inner.call(operation, path, source)
    }

    fn is_void(&self, operation: &str, params: &Value) -> bool {
        self.inner.is_void(operation, params)
    }

    fn ownership(&self) -> Option<Ownership> {
        self.inner.ownership()
    }

    fn forms(&self, operation: &Operation) -> Option<Vec<PathForm>> {
        match is_about_files(&operation.name) {
            true => None,
            false => self.inner.forms(operation),
        }
    }

    fn grant<'a>(&self, operation: &str, params: &'a Value) -> Option<Grant<'a>> {
        self.inner.grant(operation, params)
    }
}
