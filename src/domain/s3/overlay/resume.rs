//! The overlay's continuation tokens.

use crate::domain::s3::memory::list::Token;

/// Where a listing goes on. A listing of what no write has touched is the base's, and
/// so is its token; but by the next page something may have been touched, and then
/// the base's token, which is opaque, does not say where the layer is to go on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Resume {
    /// The base's own token, when the page before was the base's.
    pub base: Option<String>,
    /// The last entry of the page before.
    pub after: String,
}

impl Resume {
    /// The token.
    pub fn write(base: Option<&str>, after: &str) -> String {
        // A token of S3 has no line break in it: it travels in a query.
        Token::write(&format!("{}\n{after}", base.unwrap_or_default()))
    }

    /// What a token says; `None` when it is not one of an overlay.
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
    fn a_token_says_where_it_leads() {
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
