//! Decodes the names in listings.

use aws_sdk_s3::types::{CommonPrefix, EncodingType, Object};
use percent_encoding::percent_decode_str;

/// How to read the names in one answer.
///
/// Not all servers encode all names (SeaweedFS does not encode `NextMarker`). So names
/// that repeat the request are taken from the request.
pub(super) struct Names {
    /// Whether the server has encoded them.
    encoded: bool,
    /// Whether the program itself asked for the encoding, so that names stay encoded for
    /// it.
    kept: bool,
}

impl Names {
    pub fn new(answer: Option<&EncodingType>, kept: bool) -> Self {
        Names {
            encoded: answer == Some(&EncodingType::Url),
            kept,
        }
    }

    /// A name for the program. S3 writes a space as `+`.
    pub fn read(&self, name: Option<&str>) -> Option<String> {
        let name = name?;
        Some(match self.encoded && !self.kept {
            true => percent_decode_str(&name.replace('+', " "))
                .decode_utf8_lossy()
                .into_owned(),
            false => name.to_owned(),
        })
    }

    /// A text of the request that the answer repeats; empty if absent.
    pub fn echo(&self, sent: &Option<String>, answered: Option<&str>) -> String {
        let sent = sent.as_deref().unwrap_or_default();
        match answered {
            Some(answered) if self.kept => answered.to_owned(),
            _ => sent.to_owned(),
        }
    }

    /// The marker of the next page, if the server sends one: the last name on this page.
    pub fn next_marker(
        &self,
        marker: Option<&str>,
        objects: &[Object],
        prefixes: &[CommonPrefix],
    ) -> Option<String> {
        let object = objects.last().and_then(|o| self.read(o.key()));
        let prefix = prefixes.last().and_then(|c| self.read(c.prefix()));
        let last = object.max(prefix);
        let is_last_as_it_is = marker.is_some() && marker == last.as_deref();
        match is_last_as_it_is {
            true => last,
            false => self.read(marker),
        }
    }
}
