//! Programs of what the buttons of the page want. They are planned, judged and journaled like those
//! of a model.

use super::browse::split_path;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use web_desk::Wish;

/// The largest file that a button uploads, in bytes. It becomes a part of a program.
pub const MAX_UPLOAD: usize = 1 << 20;

/// The words and the program of a wish about buckets and objects. The error says what cannot be.
pub fn program(wish: &Wish) -> Result<(String, String), String> {
    match wish {
        Wish::Program { text, program } => Ok((text.clone(), program.clone())),
        Wish::Delete { paths, version } => delete(paths, version.as_deref()),
        Wish::Restore { path, version } => restore(path, version),
        Wish::Upload {
            folder,
            name,
            media_type,
            bytes,
        } => upload(folder, name, media_type.as_deref(), bytes),
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

fn upload(
    folder: &str,
    name: &str,
    media_type: Option<&str>,
    bytes: &[u8],
) -> Result<(String, String), String> {
    if bytes.len() > MAX_UPLOAD {
        return Err(format!(
            "the file has {} bytes, and up to {MAX_UPLOAD} are uploaded from the page: grant its folder \
             with --files, and ask for it",
            bytes.len()
        ));
    }
    let (bucket, prefix) = split_path(folder);
    if bucket.is_empty() {
        return Err("choose a bucket first".to_owned());
    }
    // Only the last part of what the browser calls the file, whose name may have a backslash.
    let name = name.rsplit('/').next().unwrap_or_default();
    let slash = if prefix.is_empty() || prefix.ends_with('/') {
        ""
    } else {
        "/"
    };
    let key = format!("{prefix}{slash}{name}");
    let media = media_type.filter(|it| !it.is_empty());
    let media = media.map_or_else(String::new, |it| format!(", ContentType={}", literal(it)));
    let program = format!(
        "import base64\nbody = base64.b64decode({})\n\
         s3.put_object(Bucket={}, Key={}, Body=body{media})",
        literal(&STANDARD.encode(bytes)),
        literal(bucket),
        literal(&key)
    );
    Ok((format!("upload {name} to {folder}"), program))
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

    #[test]
    fn a_file_goes_into_the_folder_under_its_own_name() {
        for (folder, name, key) in [
            ("zoo", "a.txt", "a.txt"),
            ("zoo/photos/", "a.txt", "photos/a.txt"),
            ("zoo/photos", "a.txt", "photos/a.txt"),
            ("zoo/photos/", "trip/A\\n.txt", "photos/A\\\\n.txt"),
        ] {
            let (_, program) = upload(folder, name, None, b"x").expect("a program");
            assert!(program.contains(&format!("Key=\"{key}\"")), "{program}");
        }
    }
}
