//! Programs of what the buttons of the page want. They are planned, judged and journaled like those
//! of a model.

use super::browse::split_path;
use super::received::{MAX_UPLOAD, Source};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::collections::HashSet;
use web_desk::{Received, Wish};

/// The words and the program of a wish about buckets and objects; `source` finds the files that it
/// names. The error says what cannot be.
pub fn program(
    wish: &Wish,
    source: impl Fn(&str) -> Option<Source>,
) -> Result<(String, String), String> {
    match wish {
        Wish::Program { text, program } => Ok((text.clone(), program.clone())),
        Wish::Delete { paths, version } => delete(paths, version.as_deref()),
        Wish::Restore { path, version } => restore(path, version),
        Wish::Make { name } => make(name),
        Wish::Move { paths, to } => relocate(paths, to),
        Wish::Share { path, seconds } => share(path, *seconds),
        Wish::Upload { folder, files } => upload(folder, files, source),
    }
}

fn delete(paths: &[String], version: Option<&str>) -> Result<(String, String), String> {
    let mut lines = Vec::new();
    for path in paths {
        let (bucket, key) = split_path(path);
        let bucket = literal(bucket);
        lines.push(match (key, version) {
            ("", _) => format!("s3.delete_bucket(Bucket={bucket})"),
            (key, Some(version)) => format!(
                "s3.delete_object(Bucket={bucket}, Key={}, VersionId={})",
                literal(key),
                literal(version)
            ),
            (prefix, None) if prefix.ends_with('/') => format!(
                "for page in s3.get_paginator(\"list_objects_v2\").paginate(Bucket={bucket}, Prefix={}):\n    \
                 for item in page.get(\"Contents\", []):\n        \
                 s3.delete_object(Bucket={bucket}, Key=item[\"Key\"])",
                literal(prefix)
            ),
            (key, None) => {
                format!("s3.delete_object(Bucket={bucket}, Key={})", literal(key))
            }
        });
    }
    let text = match paths {
        [] => return Err("nothing was chosen".to_owned()),
        [path] => format!("delete {path}"),
        paths => format!("delete {} things: {}", paths.len(), shown(paths)),
    };
    Ok((text, lines.join("\n")))
}

fn restore(path: &str, version: &str) -> Result<(String, String), String> {
    let (bucket, key) = split_path(path);
    let (bucket, key, id) = (literal(bucket), literal(key), literal(version));
    let program = format!(
        "s3.copy_object(Bucket={bucket}, Key={key}, CopySource={{\"Bucket\": {bucket}, \"Key\": {key}, \
         \"VersionId\": {id}}})"
    );
    Ok((
        format!("make the version {version} of {path} the current one"),
        program,
    ))
}

fn make(name: &str) -> Result<(String, String), String> {
    let name = name.trim().trim_end_matches('/');
    if name.is_empty() {
        return Err("say how the bucket is called".to_owned());
    }
    let program = format!("s3.create_bucket(Bucket={})", literal(name));
    Ok((format!("make a bucket {name}"), program))
}

/// Moves things, each with a copy and a deletion. A bucket is not moved: its settings would stay
/// behind.
fn relocate(paths: &[String], to: &str) -> Result<(String, String), String> {
    let to = to.trim();
    let (bucket, folder) = split_path(to);
    if bucket.is_empty() {
        return Err("say where it goes: BUCKET/NAME".to_owned());
    }
    let (mut lines, mut taken) = (Vec::new(), HashSet::new());
    for path in paths {
        let (own, key) = split_path(path);
        let is_folder = key.ends_with('/');
        let name = key.trim_end_matches('/').rsplit('/').next();
        let new = match (paths, to.ends_with('/') || folder.is_empty(), is_folder) {
            ([_], _, true) => format!("{}/", folder.trim_end_matches('/')),
            ([_], false, false) => folder.to_owned(),
            (_, _, is_folder) => {
                let slash = if is_folder { "/" } else { "" };
                format!("{}{}{slash}", inside(folder), name.unwrap_or_default())
            }
        };
        let new = new.trim_start_matches('/');
        check_move((own, key), (bucket, new), path)?;
        if !taken.insert(new.to_owned()) {
            return Err(format!(
                "two of the things would be {bucket}/{new}: move them one after the other"
            ));
        }
        lines.push(moved((own, key), (bucket, new)));
    }
    let text = match paths {
        [] => return Err("nothing was chosen".to_owned()),
        [path] => format!("move {path} to {to}"),
        paths => format!("move {} things to {to}: {}", paths.len(), shown(paths)),
    };
    Ok((text, lines.join("\n")))
}

/// Refuses moves that would lose or repeat something.
fn check_move(from: (&str, &str), to: (&str, &str), path: &str) -> Result<(), String> {
    if from.1.is_empty() {
        let why = "a bucket keeps its name: make another one, and move what lies in this one";
        return Err(why.to_owned());
    }
    if from == to {
        return Err(format!("{path} is there already"));
    }
    let goes_into_itself = from.1.ends_with('/') && from.0 == to.0 && to.1.starts_with(from.1);
    match goes_into_itself {
        true => Err(format!("{path} cannot go into itself")),
        false => Ok(()),
    }
}

fn moved((bucket, key): (&str, &str), (to, new): (&str, &str)) -> String {
    let (bucket, to) = (literal(bucket), literal(to));
    let (old, new, is_folder) = (literal(key), literal(new), key.ends_with('/'));
    if is_folder {
        // The whole key is copied where the new folder is the top of a bucket.
        let new = match new.as_str() {
            "\"\"" => String::new(),
            new => format!("{new} + "),
        };
        return format!(
            "for page in s3.get_paginator(\"list_objects_v2\").paginate(Bucket={bucket}, Prefix={old}):\n    \
             for item in page.get(\"Contents\", []):\n        \
             source = {{\"Bucket\": {bucket}, \"Key\": item[\"Key\"]}}\n        \
             s3.copy_object(Bucket={to}, Key={new}item[\"Key\"].removeprefix({old}), CopySource=source)\n        \
             s3.delete_object(**source)"
        );
    }
    format!(
        "source = {{\"Bucket\": {bucket}, \"Key\": {old}}}\n\
         s3.copy_object(Bucket={to}, Key={new}, CopySource=source)\n\
         s3.delete_object(**source)"
    )
}

/// A link to read a thing. The program gets its form; the working link is shown to the user.
fn share(path: &str, seconds: u32) -> Result<(String, String), String> {
    let (bucket, key) = split_path(path);
    if key.is_empty() {
        return Err("a link is to one object: choose one".to_owned());
    }
    let program = format!(
        "return s3.generate_presigned_url(\"get_object\", Params={{\"Bucket\": {}, \"Key\": {}}}, \
         ExpiresIn={seconds})",
        literal(bucket),
        literal(key)
    );
    Ok((format!("make a link to {path}"), program))
}

/// A prefix as the beginning of keys in it.
fn inside(prefix: &str) -> String {
    match prefix.is_empty() || prefix.ends_with('/') {
        true => prefix.to_owned(),
        false => format!("{prefix}/"),
    }
}

fn upload(
    folder: &str,
    files: &[Received],
    source: impl Fn(&str) -> Option<Source>,
) -> Result<(String, String), String> {
    let (bucket, prefix) = split_path(folder);
    if bucket.is_empty() {
        return Err("choose a bucket first".to_owned());
    }
    let (mut lines, mut taken, mut size) = (Vec::new(), HashSet::new(), 0);
    for file in files {
        let name = file_name(&file.name)?;
        let key = format!("{}{name}", inside(prefix));
        let found = source(&file.held);
        let found = found.ok_or_else(|| format!("{name} is not here any more: send it again"))?;
        let place = format!("Bucket={}, Key={}", literal(bucket), literal(&key));
        let media = file.media_type.as_deref().filter(|it| !it.is_empty());
        let media = media.map(literal);
        lines.push(match (found, media) {
            (Source::Content(bytes), media) => {
                size += bytes.len();
                let media = media.map_or_else(String::new, |it| format!(", ContentType={it}"));
                let body = literal(&STANDARD.encode(&bytes));
                format!("s3.put_object({place}, Body=base64.b64decode({body}){media})")
            }
            (Source::File(name), media) => {
                let extra = media.map_or_else(String::new, |it| {
                    format!(", ExtraArgs={{\"ContentType\": {it}}}")
                });
                format!(
                    "s3.upload_file(Filename={}, {place}{extra})",
                    literal(&name)
                )
            }
        });
        if !taken.insert(key) {
            return Err(format!("two of the files are called {name}"));
        }
    }
    if size > MAX_UPLOAD {
        return Err(format!(
            "the files have {size} bytes, and up to {MAX_UPLOAD} are uploaded at once to a world \
             in memory"
        ));
    }
    if size > 0 || lines.iter().any(|line| line.contains("b64decode")) {
        lines.insert(0, "import base64".to_owned());
    }
    let text = match files {
        [] => return Err("nothing was chosen".to_owned()),
        [file] => format!("upload {} to {folder}", file.name),
        files => {
            let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
            format!(
                "upload {} files to {folder}: {}",
                files.len(),
                shown(&names)
            )
        }
    };
    Ok((text, lines.join("\n")))
}

/// The path that a browser says, without steps that lead elsewhere. It may have a backslash.
fn file_name(said: &str) -> Result<String, String> {
    let steps = said.split('/').filter(|it| !matches!(*it, "" | "." | ".."));
    let name = steps.collect::<Vec<_>>().join("/");
    match name.is_empty() {
        true => Err("a file has no name".to_owned()),
        false => Ok(name),
    }
}

/// A text as Python writes it. What JSON writes is Python, too.
fn literal(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn shown(paths: &[String]) -> String {
    const SHOWN: usize = 10;
    let first: Vec<&str> = paths.iter().take(SHOWN).map(String::as_str).collect();
    match paths.len().saturating_sub(SHOWN) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::upload;
    use crate::web::received::Source;
    use web_desk::Received;

    fn file(name: &str) -> Received {
        Received {
            held: name.to_owned(),
            name: name.to_owned(),
            media_type: None,
        }
    }

    #[test]
    fn a_file_goes_into_the_folder_under_its_own_path() {
        for (folder, name, key) in [
            ("zoo", "a.txt", "a.txt"),
            ("zoo/photos/", "a.txt", "photos/a.txt"),
            ("zoo/photos", "a.txt", "photos/a.txt"),
            ("zoo/photos/", "trip/A\\n.txt", "photos/trip/A\\\\n.txt"),
            ("zoo/photos/", "../../etc//./x", "photos/etc/x"),
        ] {
            let waits = |_: &str| Some(Source::Content(b"x".as_slice().into()));
            let (_, program) = upload(folder, &[file(name)], waits).expect("a program");
            assert!(program.contains(&format!("Key=\"{key}\"")), "{program}");
        }
    }

    #[test]
    fn what_cannot_be_uploaded_is_said() {
        let waits = |_: &str| Some(Source::File("page-uploads/1".to_owned()));
        let failed = |folder: &str, names: &[&str]| {
            let files: Vec<Received> = names.iter().map(|name| file(name)).collect();
            upload(folder, &files, waits).expect_err("a refusal")
        };
        assert_eq!(failed("", &["a"]), "choose a bucket first");
        assert_eq!(failed("zoo/", &[]), "nothing was chosen");
        assert_eq!(failed("zoo/", &["../."]), "a file has no name");
        assert_eq!(
            failed("zoo/", &["a", "./a"]),
            "two of the files are called a"
        );
        let gone = upload("zoo/", &[file("a")], |_| None).expect_err("a refusal");
        assert_eq!(gone, "a is not here any more: send it again");
    }
}
