//! An upload in progress, in a manifest. The contents of its parts are in the folder of those
//! of older versions.

use super::manifest::{ObjectManifest, time};
use crate::memory::part_checksums::Wanted;
use crate::memory::parts::{Part, Parts};
use crate::memory::uploads::{Id, Upload};
use crate::memory::{Blob, Checksums, Content, FileContent, Object, open_regular};
use bytes::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// An upload, as it is written. Its id is not part of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadManifest {
    key: String,
    #[serde(with = "time")]
    begun: Timestamp,
    /// The future attributes of the object beside its content.
    object: Box<ObjectManifest>,
    /// The algorithm and the type of the checksum that it will have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<(String, String)>,
    /// The parts by their numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<i64, PartManifest>,
}

/// One part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartManifest {
    /// The SHA-256 of the content in hex: the name of its file.
    pub sha256: String,
    /// When it came.
    #[serde(with = "time")]
    modified: Timestamp,
}

impl UploadManifest {
    /// The written form.
    pub fn new((key, begun, _): &Id, upload: &Upload) -> Self {
        let object = Object {
            content: Content::Here(Blob::new(Bytes::new())),
            modified: *begun,
            attributes: upload.attributes.clone(),
            version: None,
            extras: upload.extras.clone().kept(),
        };
        let checksum = upload.checksum;
        let parts = upload.parts.iter();
        UploadManifest {
            key: key.to_string(),
            begun: *begun,
            object: Box::new(ObjectManifest::new(&object, false)),
            checksum: checksum.map(|it| (it.algorithm().to_owned(), it.kind().to_owned())),
            parts: parts
                .map(|(number, part)| (number, PartManifest::new(part)))
                .collect(),
        }
    }

    /// The upload with this id, without its parts.
    pub fn upload(&self, id: &str) -> (Id, Upload) {
        let object = self.object.object(Content::Here(Blob::new(Bytes::new())));
        let checksum = self.checksum.as_ref();
        let upload = Upload {
            extras: object.extras().clone(),
            attributes: object.attributes,
            checksum: checksum.and_then(|(algorithm, kind)| Wanted::named(algorithm, kind)),
            parts: Parts::default(),
        };
        let id = (Arc::from(self.key.as_str()), self.begun, Arc::from(id));
        (id, upload)
    }
}

impl PartManifest {
    /// The written form.
    pub fn new(part: &Part) -> Self {
        PartManifest {
            sha256: const_hex::encode(part.blob.checksums.sha256),
            modified: part.modified,
        }
    }

    /// The part, whose content is in the folder `bodies` and stays there; `None` if the file has
    /// another content. Its upload asked for the checksum `wanted`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn part(&self, bodies: &Path, wanted: Option<Wanted>) -> std::io::Result<Option<Part>> {
        let Ok(sha256) = const_hex::decode_to_array::<_, 32>(&self.sha256) else {
            return Ok(None);
        };
        let path = bodies.join(const_hex::encode(sha256));
        let (checksums, size) = Checksums::of_reader(open_regular(&path)?)?;
        if checksums.sha256 != sha256 {
            return Ok(None);
        }
        let content = Content::InFile(Arc::new(FileContent::new(path, checksums, size, false)));
        let checksum = wanted.map(|wanted| wanted.of_part(&content));
        Ok(Part::new(content, checksum, self.modified).ok())
    }
}
