//! How a server that keeps objects as files reads a name.

use crate::domain::{Place, Touch};

/// The touch as a server reads it that keeps objects as files, if it reads it differently:
/// there `a//b`, `./a/b` and `c/../a/b` are `a/b`, also across the container's end.
pub(super) fn as_files(touch: &Touch) -> Option<Touch> {
    let (container, name) = (touch.place.root(), touch.place.name()?);
    let name = &*name;
    let odd = |text: &str| {
        // A request for the object without a name is one for the container.
        let begins = text.is_empty() || text.starts_with(['/', '.']);
        begins || text.contains("//") || text.contains("/.")
    };
    if !odd(name) && !odd(container) && !container.contains('/') {
        return None;
    }
    let path = format!("{container}/{name}");
    let (folders, last) = path.rsplit_once('/')?;
    let mut parts = Vec::new();
    for part in folders.split('/') {
        enter(&mut parts, part);
    }
    // A prefix may end within a segment: `.` may be the start of `.profile`.
    let mut last = last;
    if !touch.prefix && matches!(last, "." | "..") {
        enter(&mut parts, last);
        last = "";
    }
    let (container, folders) = parts.split_first()?;
    let mut name = folders.join("/");
    if !folders.is_empty() {
        name.push('/');
    }
    name.push_str(last);
    let read = Touch {
        place: match name.is_empty() && !touch.prefix {
            true => Place::container(*container),
            false => Place::thing(*container, name),
        },
        ..touch.clone()
    };
    (read != *touch).then_some(read)
}

fn enter<'a>(parts: &mut Vec<&'a str>, part: &'a str) {
    match part {
        "" | "." => {}
        ".." => {
            parts.pop();
        }
        _ => parts.push(part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Access;

    fn read(container: &str, name: &str, prefix: bool) -> String {
        let touch = Touch {
            access: Access::Read,
            place: Place::thing(container, name),
            prefix,
            bytes: 0,
        };
        as_files(&touch).map_or_else(|| "the same".to_owned(), |touch| touch.place.to_string())
    }

    #[test]
    fn names_are_read_as_paths() {
        for (name, path) in [
            ("a/b", "the same"),
            ("a/b/", "the same"),
            ("", "x/"),
            (".profile", "the same"),
            ("a/.b", "the same"),
            ("/a/b", "x/a/b"),
            ("a//b//", "x/a/b/"),
            ("./a/./b", "x/a/b"),
            ("c/../a/b", "x/a/b"),
            ("a/b/.", "x/a/b/"),
            ("a/b/..", "x/a/"),
            ("../y/a", "y/a"),
            ("../../y/a", "y/a"),
            ("..", "the same"),
        ] {
            assert_eq!(read("x", name, false), path, "{name}");
        }
        assert_eq!(read("x/y", "a", false), "x/y/a");
        assert_eq!(read("x", "/a/.", true), "x/a/.");
        assert_eq!(read("x", "/", true), "x/");
    }
}
