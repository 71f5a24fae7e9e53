//! How servers read names that may mean another place than they seem to.

use crate::domain::{Place, Touch};

/// The touch as a server reads it that keeps objects as files, if it reads it differently:
/// there `a//b`, `./a/b` and `c/../a/b` are `a/b`, also across the container's end.
pub(super) fn as_files(touch: &Touch) -> Option<Touch> {
    let (container, name) = (touch.place.root(), touch.place.name());
    let name = name.as_deref();
    let odd = |text: &str| {
        // A request for the object without a name is one for the container.
        let begins = text.is_empty() || text.starts_with(['/', '.']);
        begins || text.contains("//") || text.contains("/.")
    };
    let is_world = touch.place.segments().is_empty();
    if is_world || !name.is_some_and(odd) && !odd(container) && !container.contains('/') {
        return None;
    }
    let path = match name {
        Some(name) => format!("{container}/{name}"),
        None => format!("{container}/"),
    };
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
    let Some((container, folders)) = parts.split_first() else {
        // A request for nothing is one for the world.
        let place = Place::default();
        return name.is_none().then(|| Touch {
            place,
            ..touch.clone()
        });
    };
    let mut name = folders.join("/");
    if !folders.is_empty() {
        name.push('/');
    }
    name.push_str(last);
    let read = Touch {
        place: match name.is_empty() && (!touch.prefix || touch.place.is_container()) {
            true => Place::container(*container),
            false => Place::thing(*container, name),
        },
        ..touch.clone()
    };
    (read != *touch).then_some(read)
}

/// The touch as a server reads it that leaves out a `/` at the end of a value, if there is one:
/// an id `1/` may be the `1`.
pub(super) fn without_end(touch: &Touch) -> Option<Touch> {
    let segments = touch.place.segments().iter();
    let place = Place::new(segments.map(|it| it.trim_end_matches('/')));
    (place.segments() != touch.place.segments()).then(|| Touch {
        place,
        ..touch.clone()
    })
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
            prefix,
            ..Touch::new(Access::Read, Place::thing(container, name))
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

    #[test]
    fn names_of_containers_are_read_as_paths() {
        let read = |container: &str| {
            let touch = Touch::new(Access::Delete, Place::container(container));
            as_files(&touch).map_or_else(|| "the same".to_owned(), |touch| touch.place.to_string())
        };
        for (name, path) in [
            ("x", "the same"),
            ("x.y", "the same"),
            ("./x", "x/"),
            ("/x", "x/"),
            ("//x", "x/"),
            ("x/", "x/"),
            ("x/.", "x/"),
            ("y/../x", "x/"),
            ("x/y", "x/y/"),
            (".", "/"),
            ("", "/"),
        ] {
            assert_eq!(read(name), path, "{name}");
        }
    }
}
