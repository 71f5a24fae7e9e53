//! The checksums of uploads in parts: of the whole content, or of the checksums of the parts.

use super::checksums::{self, ALGORITHMS, Algorithm};
use super::content::Content;
use super::extras::Checksum;
use super::parts::Part;
use crate::digests;
use crate::domain::Refusal;
use crate::params::Params;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The checksum that the object of an upload will have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    algorithm: Algorithm,
    is_composite: bool,
}

/// The algorithms of which S3 makes a checksum of the whole (S3 user guide, "Checking object
/// integrity"). That of the second list makes no other.
const OF_WHOLE: [&str; 3] = ["CRC32", "CRC32C", "CRC64NVME"];
const OF_WHOLE_ONLY: &str = "CRC64NVME";

/// The checksum that a new upload asks for.
///
/// # Errors
/// There is no such algorithm, or it does not go with the type.
pub fn wanted(params: Params<'_>) -> Result<Option<Wanted>, Refusal> {
    let invalid = |message: String| Err(Refusal::new(400, "InvalidRequest", message));
    let kind = params.filled("ChecksumType")?;
    let Some(name) = params.filled("ChecksumAlgorithm")? else {
        return match kind {
            None => Ok(None),
            Some(_) => invalid(
                "The x-amz-checksum-type header can only be used with the \
                 x-amz-checksum-algorithm header."
                    .to_owned(),
            ),
        };
    };
    let upper = name.to_ascii_uppercase();
    let algorithm = ALGORITHMS.into_iter().find(|(_, known)| *known == upper);
    let Some(algorithm) = algorithm else {
        return invalid(
            "Checksum algorithm provided is unsupported. Please try again with any of the valid \
             types: [CRC32, CRC32C, CRC64NVME, SHA1, SHA256]"
                .to_owned(),
        );
    };
    let (_, name) = algorithm;
    let is_composite = match kind {
        None => name != OF_WHOLE_ONLY,
        Some("COMPOSITE") => true,
        Some("FULL_OBJECT") => false,
        Some(other) => {
            return invalid(format!(
                "Value for x-amz-checksum-type header is invalid: {other}"
            ));
        }
    };
    let fits = match is_composite {
        true => name != OF_WHOLE_ONLY,
        false => OF_WHOLE.contains(&name),
    };
    if !fits {
        let kind = kind.unwrap_or_default();
        let name = name.to_ascii_lowercase();
        return invalid(format!(
            "The {kind} checksum type cannot be used with the {name} checksum algorithm."
        ));
    }
    Ok(Some(Wanted {
        algorithm,
        is_composite,
    }))
}

impl Wanted {
    /// The checksum whose [algorithm](Wanted::algorithm) and [type](Wanted::kind) these are.
    pub fn named(algorithm: &str, kind: &str) -> Option<Wanted> {
        let mut known = ALGORITHMS.into_iter();
        let algorithm = known.find(|(_, name)| *name == algorithm)?;
        Some(Wanted {
            algorithm,
            is_composite: kind == self::kind(true),
        })
    }

    /// The name of the algorithm.
    pub fn algorithm(&self) -> &'static str {
        let (_, name) = self.algorithm;
        name
    }

    /// The type.
    pub fn kind(&self) -> &'static str {
        kind(self.is_composite)
    }

    /// Refuses a part that comes with a checksum by another algorithm.
    ///
    /// # Errors
    /// `InvalidRequest`.
    pub fn check_part(&self, params: Params<'_>) -> Result<(), Refusal> {
        let sent = ALGORITHMS
            .iter()
            .find(|(field, _)| params.get(field).is_some());
        let actual = match sent {
            Some((_, name)) => Some(*name),
            None => params.filled("ChecksumAlgorithm")?,
        };
        let (_, expected) = self.algorithm;
        match actual.filter(|actual| !actual.eq_ignore_ascii_case(expected)) {
            None => Ok(()),
            Some(actual) => Err(Refusal::new(
                400,
                "InvalidRequest",
                format!(
                    "Checksum Type mismatch occurred, expected checksum Type: {}, actual checksum \
                     Type: {}",
                    expected.to_ascii_lowercase(),
                    actual.to_ascii_lowercase()
                ),
            )),
        }
    }

    pub fn of_part(&self, content: &Content) -> Checksum {
        let (field, _) = self.algorithm;
        Checksum {
            field,
            value: STANDARD.encode(checksums::digest(self.algorithm, content)),
        }
    }

    /// The checksum of the object that the parts become.
    fn of_object(&self, parts: &[&Part], whole: &Content) -> Checksum {
        let (field, name) = self.algorithm;
        let value = match self.is_composite {
            false => STANDARD.encode(checksums::digest(self.algorithm, whole)),
            true => {
                let digests = parts.iter().filter_map(|part| part.checksum.as_ref());
                let digests = digests.map(|it| STANDARD.decode(&it.value).unwrap_or_default());
                let digests: Vec<u8> = digests.flatten().collect();
                let digest = digests::compute(name, &digests).unwrap_or_default();
                format!("{}-{}", STANDARD.encode(digest), parts.len())
            }
        };
        Checksum { field, value }
    }

    /// The checksum of the object, if those that a completion names are right.
    ///
    /// # Errors
    /// The one of a part is missing, or one does not match.
    pub fn complete(
        &self,
        params: Params<'_>,
        named: &[Params<'_>],
        parts: &[&Part],
        whole: &Content,
    ) -> Result<Checksum, Refusal> {
        let name = self.algorithm().to_ascii_lowercase();
        for (entry, part) in named.iter().zip(parts) {
            let (field, _) = self.algorithm;
            let computed = part.checksum.as_ref().map(|it| it.value.as_str());
            match entry.optional(field)? {
                given @ Some(_) if given == computed => {}
                Some(_) => return Err(super::completion::invalid_part(*entry)?),
                None if !self.is_composite => {}
                None => {
                    let number = entry.int("PartNumber")?.unwrap_or_default();
                    return Err(Refusal::new(
                        400,
                        "InvalidRequest",
                        format!(
                            "The upload was created using a {name} checksum. The complete request \
                             must include the checksum for each part. It was missing for part \
                             {number} in the request."
                        ),
                    ));
                }
            }
        }
        let checksum = self.of_object(parts, whole);
        let plain = |text: &str| text.split('-').next().unwrap_or_default().to_owned();
        match params.optional(checksum.field)? {
            // The number of parts may be left out.
            Some(given) if plain(given) != plain(&checksum.value) => Err(wrong(&name)),
            _ => Ok(checksum),
        }
    }
}

/// The checksum of an object in parts whose uploader asked for none. Its parts have none.
///
/// # Errors
/// The completion names one of a part, or one of the whole that does not match.
pub fn usual(
    params: Params<'_>,
    named: &[Params<'_>],
    whole: &Content,
) -> Result<Checksum, Refusal> {
    for entry in named {
        if ALGORITHMS
            .iter()
            .any(|(field, _)| entry.get(field).is_some())
        {
            return Err(super::completion::invalid_part(*entry)?);
        }
    }
    let algorithm = ALGORITHMS
        .into_iter()
        .find(|(_, name)| *name == OF_WHOLE_ONLY);
    let (field, name) = algorithm.unwrap_or(ALGORITHMS[0]);
    let value = STANDARD.encode(checksums::digest((field, name), whole));
    match params.optional(field)? {
        Some(given) if given != value => Err(wrong(name)),
        _ => Ok(Checksum { field, value }),
    }
}

fn wrong(name: &str) -> Refusal {
    let name = name.to_ascii_lowercase();
    Refusal::new(
        400,
        "BadDigest",
        format!("The {name} you specified did not match the calculated checksum."),
    )
}

/// Refuses a completion that names another type of checksum than its upload.
///
/// # Errors
/// `InvalidRequest`.
pub fn check_kind(params: Params<'_>, wanted: Option<Wanted>) -> Result<(), Refusal> {
    let known = wanted.map_or("null", |wanted| wanted.kind());
    match params.filled("ChecksumType")? {
        Some(given) if given != known => Err(Refusal::new(
            400,
            "InvalidRequest",
            format!(
                "The upload was created using the {known} checksum mode. The complete request must \
                 use the same checksum mode."
            ),
        )),
        _ => Ok(()),
    }
}

/// The type of a checksum.
pub fn kind(is_composite: bool) -> &'static str {
    match is_composite {
        true => "COMPOSITE",
        false => "FULL_OBJECT",
    }
}
