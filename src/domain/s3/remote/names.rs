//! Names in listings: how they travel, and how programs see them.

use aws_sdk_s3::types::{CommonPrefix, EncodingType, Object};
use percent_encoding::percent_decode_str;

/// How the names of one answer are to be read.
///
/// Not all servers encode all of an answer (SeaweedFS leaves `NextMarker` as it
/// is), so what merely echoes the request is taken from the request.
pub(super) struct Names {
    /// The server encoded them.
    encoded: bool,
    /// The program asked for the encoding itself, so it gets what the server sent.
    kept: bool,
}

impl Names {
    pub fn new(answer: Option<&EncodingType>, kept: bool) -> Self {
        Names {
            encoded: answer == Some(&EncodingType::Url),
            kept,
        }
    }

    /// The name as the program gets it. S3 writes a space as `+`.
    pub fn read(&self, name: Option<&str>) -> Option<String> {
        let name = name?;
        Some(match self.encoded && !self.kept {
            true => percent_decode_str(&name.replace('+', " "))
                .decode_utf8_lossy()
                .into_owned(),
            false => name.to_owned(),
        })
    }

    /// A text of the request that comes back in the answer; absent is empty.
    pub fn echo(&self, sent: &Option<String>, answered: Option<&str>) -> String {
        let sent = sent.as_deref().unwrap_or_default();
        match answered {
            Some(answered) if self.kept => answered.to_owned(),
            _ => sent.to_owned(),
        }
    }

    /// The marker of the next page, where the server names one: the last name of this.
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
