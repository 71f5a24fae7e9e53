//! Writing to the config file, of which everything else stays as it is.

use crate::error::{Error, Result};
use std::path::Path;
use toml_edit::{DocumentMut, Item, value};

/// Makes `name` what `--model` is where nothing says otherwise: `default` of the config
/// file, which is made where there is none.
///
/// # Errors
/// The file is not TOML, or cannot be written.
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
        // A comment behind the old value stays.
        *new.decor_mut() = old.decor().clone();
    }
    document.insert("default", default);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file("cannot make the folder", folder))?;
    }
    // Beside it and then in its place, so that nobody reads half of it.
    let beside = path.with_extension("toml.new");
    std::fs::write(&beside, document.to_string()).map_err(Error::file("cannot write", &beside))?;
    if let Ok(before) = std::fs::metadata(path) {
        // What only its owner may read stays so.
        std::fs::set_permissions(&beside, before.permissions())
            .map_err(Error::file("cannot write", &beside))?;
    }
    std::fs::rename(&beside, path).map_err(Error::file("cannot write", path))
}
