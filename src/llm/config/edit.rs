//! Changes to the config file that leave its other lines and comments alone.

use crate::error::{Error, Result};
use crate::files::{self, Readers};
use std::path::Path;
use toml_edit::{DocumentMut, Item, value};

/// Makes `name` the model that is used without `--model`: the key `default` of the config
/// file, which is created if there is none.
///
/// # Errors
/// [`Error::Content`] if the file is not TOML, [`Error::File`] if it cannot be written.
pub fn set_default(path: &Path, name: &str) -> Result<()> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Error::file("cannot read", path)(error)),
    };
    let mut document: DocumentMut = text.parse().map_err(|_| Error::Content {
        path: path.to_owned(),
        problem: "is not TOML; `dialog2api model list` says where it goes wrong".to_owned(),
    })?;
    let mut default = value(name);
    if let (Some(new), Some(old)) = (
        default.as_value_mut(),
        document.get("default").and_then(Item::as_value),
    ) {
        // Keeps a comment after the old value.
        *new.decor_mut() = old.decor().clone();
    }
    document.insert("default", default);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("cannot make the folder", folder))?;
    }
    files::replace(path, document.to_string().as_bytes(), Readers::Umask)
}
