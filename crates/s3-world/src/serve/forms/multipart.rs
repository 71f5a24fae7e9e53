//! Takes a `multipart/form-data` body apart (RFC 7578).

use crate::domain::Refusal;
use bytes::Bytes;

/// One part of a form.
#[derive(Debug)]
pub struct Part {
    /// The name of the field, in lower case.
    pub name: String,
    /// The name of the file, without the folders that some browsers send.
    pub filename: Option<String>,
    pub content: Bytes,
}

/// The most parts of a form.
const MOST: usize = 1000;

/// The refusal of a body that is no form.
pub fn malformed() -> Refusal {
    Refusal::new(
        400,
        "MalformedPOSTRequest",
        "The body of your POST request is not well-formed multipart/form-data.",
    )
}

/// The boundary in a `Content-Type`.
pub fn boundary(kind: &str) -> Option<String> {
    let boundary = parameter(kind, "boundary")?;
    (!boundary.is_empty()).then_some(boundary)
}

/// A parameter of a header: `name=value` or `name="value"`, after a semicolon.
fn parameter(header: &str, name: &str) -> Option<String> {
    let (_, mut rest) = header.split_once(';')?;
    loop {
        let (known, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => {
                // Browsers write a quotation mark in a name as %22, others as \".
                let mut end = 0;
                for (at, c) in quoted.char_indices() {
                    end = at;
                    let escaped = quoted.get(..at).is_some_and(|it| it.ends_with('\\'));
                    if c == '"' && !escaped {
                        break;
                    }
                }
                let (value, after) = quoted.split_at_checked(end)?;
                (value.replace("\\\"", "\""), after.strip_prefix('"')?)
            }
            None => {
                let (value, after) = value.split_once(';').unwrap_or((value, ""));
                (value.trim_end().to_owned(), after)
            }
        };
        if known.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        rest = after.trim_start().trim_start_matches(';');
    }
}

/// The parts of a body, up to its end.
///
/// # Errors
/// It is no form.
pub fn parts(body: &Bytes, boundary: &str) -> Result<Vec<Part>, Refusal> {
    let delimiter = format!("\r\n--{boundary}").into_bytes();
    let first = delimiter.get(2..).unwrap_or_default();
    // What is before the first boundary is ignored.
    let start = match body.starts_with(first) {
        true => Some(first.len()),
        false => find(body, &delimiter).map(|at| at + delimiter.len()),
    };
    let mut rest = body.slice(start.ok_or_else(malformed)?..);
    let mut parts = Vec::new();
    while !rest.starts_with(b"--") {
        if !rest.starts_with(b"\r\n") || parts.len() == MOST {
            return Err(malformed());
        }
        let end = find(&rest, &delimiter).ok_or_else(malformed)?;
        // A part without headers has no name.
        let head = find(rest.get(..end).unwrap_or_default(), b"\r\n\r\n").ok_or_else(malformed)?;
        let headers = rest.get(..head).unwrap_or_default();
        let content = rest.slice(head + 4..end);
        parts.push(part(headers, content)?);
        rest = rest.slice(end + delimiter.len()..);
    }
    Ok(parts)
}

fn part(headers: &[u8], content: Bytes) -> Result<Part, Refusal> {
    let headers = std::str::from_utf8(headers).map_err(|_| malformed())?;
    let disposition = headers.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim().eq_ignore_ascii_case("content-disposition")).then_some(value)
    });
    let disposition = disposition.ok_or_else(malformed)?;
    let name = parameter(disposition, "name").ok_or_else(malformed)?;
    let filename = parameter(disposition, "filename");
    let filename = filename.map(|path| match path.rsplit_once(['/', '\\']) {
        Some((_, name)) => name.to_owned(),
        None => path,
    });
    Ok(Part {
        name: name.to_ascii_lowercase(),
        filename,
        content,
    })
}

/// Where a text begins within another.
fn find(within: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut from = 0;
    loop {
        let rest = within.get(from..)?;
        let at = from + rest.iter().position(|byte| *byte == first)?;
        if within.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        from = at + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> String {
        let body = Bytes::from(body.replace('\n', "\r\n"));
        match parts(&body, "AaB") {
            Ok(parts) => parts
                .iter()
                .map(|it| format!("{} {:?} {:?}\n", it.name, it.filename, it.content))
                .collect(),
            Err(refusal) => refusal.code,
        }
    }

    #[test]
    fn boundaries_are_read() {
        let kinds = [
            "multipart/form-data; boundary=AaB",
            "multipart/form-data; charset=utf-8; Boundary=\"A aB\"",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"AaB",
            "multipart/form-data",
        ];
        let read = kinds.map(|kind| format!("{:?}\n", boundary(kind)));
        expect_test::expect![[r#"
            Some("AaB")
            Some("A aB")
            None
            None
            None
        "#]]
        .assert_eq(&read.concat());
    }

    #[test]
    fn forms_are_read() {
        expect_test::expect![[r#"
            key None b"a\r\nb"
            file Some("one.txt") b""
        "#]]
        .assert_eq(&read(
            "before\n--AaB\nContent-Disposition: form-data; name=\"Key\"\n\na\nb\n--AaB\n\
             content-disposition: form-data; name=file; filename=\"C:\\x\\one.txt\"\n\
             Content-Type: text/plain\n\n\n--AaB--\nafter",
        ));
    }

    #[test]
    fn halves_of_forms_are_refused() {
        for half in [
            "",
            "--AaB",
            "--AaB--",
            "--AaBcd\n",
            "--AaB\nContent-Disposition: form-data; name=\"k\"\n\nx",
            "--AaB\nContent-Disposition: form-data; name=\"k\n\nx\n--AaB--",
            "--AaB\nContent-Disposition: form-data\n\nx\n--AaB--",
            "--AaB\nname=k\n--AaB--",
        ] {
            let expected = if half == "--AaB--" {
                ""
            } else {
                "MalformedPOSTRequest"
            };
            assert_eq!(read(half), expected, "{half}");
        }
    }
}
