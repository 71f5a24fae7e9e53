//! The overlay's continuation tokens.

use crate::memory::list::Token;

/// Where a listing continues. The base pages through an untouched bucket by itself, with
/// its own opaque token. When a key is written between two pages, the layer needs the
/// last entry as well.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resume {
    /// The base's own token, if the base made the previous page.
    pub base: Option<String>,
    /// The last entry of the previous page.
    pub after: String,
}

impl Resume {
    /// Writes the token.
    pub fn write(base: Option<&str>, after: &str) -> String {
        // S3's tokens contain no line break, since they are sent in a query.
        Token::write(&format!("{}\n{after}", base.unwrap_or_default()))
    }

    /// Reads a token; `None` if it is not an overlay's.
    pub fn read(token: &str) -> Option<Self> {
        let text = Token::read(token).ok()?;
        let (base, after) = text.split_once('\n')?;
        Some(Resume {
            base: Some(base.to_owned()).filter(|base| !base.is_empty()),
            after: after.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_as_written() {
        for (base, after) in [(None, "a\nb"), (Some("opaque="), "é/"), (None, "")] {
            let read = Resume::read(&Resume::write(base, after));
            let expected = Resume {
                base: base.map(str::to_owned),
                after: after.to_owned(),
            };
            assert_eq!(read, Some(expected));
        }
        for foreign in ["", "opaque=", &Token::write("key")] {
            assert_eq!(Resume::read(foreign), None);
        }
    }
}
